// Guest sessions and sign-in attempts in the bench: a customer with the requested number against one with 10,000.
import type { Case } from './case.ts'
import { fillWithoutIndexes, writeInBulk } from './many-rows.ts'
import type { Customer, Side, Stage } from './stage.ts'

/**
 * Half of the sessions are of one property, most others of ten properties in a group. Two properties in another group have closed: a
 * quarter of the oldest fiftieth is theirs, with the codes of a batch. Fifty are online; half signed in by account, half by voucher;
 * half have `lobby` in their identifier; one MAC begins with fe:ed.
 */
export async function fillGuestSessions({ raw, customers }: Stage, sizes: Record<Side, number>) {
  await writeInBulk(raw)
  for (const side of ['small', 'large'] as const) await makePlaces(raw, customers[side].id)
  await fillWithoutIndexes(raw, 'radius_sessions', async () => {
    for (const side of ['small', 'large'] as const)
      await raw.query(
        `insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, auth_method_id, identifier,
           mac_address, account_id, voucher_id, started_at, last_seen_at, stopped_at, seconds, bytes_up, bytes_down,
           termination_cause, created_at)
         select $1, place.gateway_id, place.property_id, lpad(i::text, 8, '0'), i::text, 2 + i % 2, ${identifier}, ${mac},
           case when i % 1000 = 501 then (select min(id) from accounts where customer_id = $1) end, place.voucher_id,
           at, at + interval '9 minutes', case when i % ($2 / 50) <> 0 then at + interval '9 minutes' end, 540, 1e6, 1e7, 'User-Request', at
         from ${stays} order by at`,
        [customers[side].id, sizes[side]],
      )
  })
  await fillWithoutIndexes(raw, 'radius_authorisations', async () => {
    for (const side of ['small', 'large'] as const)
      await raw.query(
        `insert into radius_authorisations (customer_id, gateway_id, property_id, auth_method_id, identifier, mac_address, accepted,
           reason, created_at)
         select $1, place.gateway_id, place.property_id, 2 + i % 2, ${identifier}, ${mac}, i % 10 <> 3,
           case when i % ($2 / 50) = 3 then 'data_used_up' when i % 10 = 3 then 'unknown_user' else 'accepted' end, at
         from ${stays} order by at`,
        [customers[side].id, sizes[side]],
      )
  })
}

const identifier = `case when (i / 4) % 2 = 0 then 'lobby.' else 'room.' end || i`
const mac = `(case when i = $2 / 2 then 'fe:ed' else 'a4:83' end
  || regexp_replace(lpad(to_hex(i), 8, '0'), '(..)(..)(..)(..)', ':\\1:\\2:\\3:\\4'))::macaddr`
/** The sessions by number, the oldest first, one a minute, each with its gateway and property. */
const stays = `generate_series(1, $2) as i
  cross join lateral (select now() - ($2 - i) * interval '1 minute' as at,
    case when i % 2 = 0 then 0 when i <= $2 / 50 and i % 4 = 1 then 11 + (i / 4) % 2 else 1 + (i / 2) % 10 end as nth) as moment
  join (select row_number() over (order by g.id) - 1 as nth, g.id as gateway_id, g.property_id,
      case when g.nas_identifier like '%closed%' then
        (select min(v.id) from vouchers v where v.customer_id = $1) end as voucher_id
    from gateways g where g.customer_id = $1) as place using (nth)`

/** Thirteen properties with a gateway each, an account, and a batch with a code. */
async function makePlaces(raw: Stage['raw'], customer: number) {
  await raw.query(`insert into groups (customer_id, name) values ($1, 'Open'), ($1, 'Closed')`, [customer])
  await raw.query(
    `insert into properties (customer_id, name, draft, group_id)
     select $1, case when i > 11 then 'Closed ' || i - 11 when i > 1 then 'Open ' || i - 1 else 'Sessions' end, true,
       (select g.id from groups g where g.customer_id = $1 and i > 1 and g.name = case when i > 11 then 'Closed' else 'Open' end)
     from generate_series(1, 13) as i order by i`,
    [customer],
  )
  await raw.query(
    `insert into gateways (customer_id, property_id, name, nas_identifier, gateway_type_id)
     select $1, id, name, lower(name) || ' ' || id, 1 from properties
     where customer_id = $1 and name ~ '^(Sessions|Open|Closed)' order by id`,
    [customer],
  )
  await raw.query(
    `insert into accounts (customer_id, property_id, name, username)
     select $1, min(id), 'Regular', 'regular' from properties where customer_id = $1 and name = 'Sessions'`,
    [customer],
  )
  await raw.query(
    `with batch as (
       insert into voucher_batches (customer_id, group_id, package_id, batch_number, quantity)
       select $1, (select id from groups where customer_id = $1 and name = 'Closed'), min(id), 'OLD', 1 from packages
       where customer_id = $1 returning id)
     insert into vouchers (customer_id, voucher_batch_id, code) select $1, id, lpad($1::text, 12, '2') from batch`,
    [customer],
  )
}

const row = {
  sessions: `t.id, t.identifier, t.mac_address, t.started_at, t.last_seen_at, t.stopped_at, t.seconds, t.bytes_up, t.bytes_down,
    t.termination_cause`,
  attempts: 't.id, t.identifier, t.mac_address, t.accepted, t.reason, t.created_at',
}
const tables = { sessions: 'radius_sessions', attempts: 'radius_authorisations' }
type List = keyof typeof row

const select = (list: List, where: string, values: unknown[]) => ({
  text: `select ${row[list]},
    (select p.name from properties p where p.customer_id = t.customer_id and p.id = t.property_id) as property_name,
    (select g.name from gateways g where g.customer_id = t.customer_id and g.id = t.gateway_id) as gateway_name,
    (select m.name from auth_methods m where m.id = t.auth_method_id) as method_name
    from ${tables[list]} t where t.customer_id = $1 ${where} order by t.created_at desc, t.id desc limit 50`,
  values,
})

const idOf = async ({ ask }: Customer, call: string, searchValue: string) =>
  (await ask(call, { searchValue })).data[0]?.id
const filtered = (name: string, call: string, word: string) => async (customer: Customer) => ({
  filters: { [name]: [await idOf(customer, call, word)] },
})
const under = (name: string, call: string, word: string) => async (customer: Customer) => ({
  params: { [name]: await idOf(customer, call, word) },
})
const fixed = (body: object) => () => Promise.resolve(body)
/** The value that a body filters by. */
const given = (body: { filters?: object; params?: object }) =>
  Object.values(body.filters ?? body.params ?? {}).flat()[0]

/** Without `where` there is no plain query: it would read millions of rows, or be the same as the product's. */
type Draft = Omit<Case, 'call' | 'query'> & { where?: string; values?: (body: object) => unknown[] }
const byIdOf = (body: object) => [given(body)]

/** Rows are counted up to 100,000, of which the small customer has a tenth, and its group a twentieth. */
const totals_max = 20

const both: Draft[] = [
  { name: 'first page', rows: 50, body: fixed({}), where: '' },
  {
    name: 'of a property',
    rows: 50,
    body: under('property_id', '/properties', 'Sessions'),
    where: 'and t.property_id = $2',
    values: byIdOf,
  },
  { name: 'of a group', rows: 50, body: filtered('group_id', '/groups', 'Open') },
  { name: 'of a group that closed', rows: 50, body: filtered('group_id', '/groups', 'Closed') },
  {
    name: 'by a way of signing in',
    rows: 50,
    body: fixed({ filters: { auth_method_id: [3] } }),
    where: 'and t.auth_method_id = 3',
  },
  {
    name: 'by an unused way of signing in',
    rows: 0,
    body: fixed({ filters: { auth_method_id: [6] } }),
    where: 'and t.auth_method_id = 6',
  },
  {
    name: 'search, half a MAC',
    rows: 1,
    body: fixed({ searchValue: 'FE-ED-00' }),
    where: `and t.search like '%feed00%'`,
  },
  {
    name: 'search, common word',
    rows: 50,
    body: fixed({ searchValue: 'lobby' }),
    where: `and t.search like '%lobby%'`,
  },
  { name: 'total alone', rows: 0, ratio_max: totals_max, body: fixed({ count: true, per_page: 0 }) },
  {
    name: 'total alone, of a group',
    rows: 0,
    ratio_max: totals_max,
    body: async (customer) => ({
      count: true,
      per_page: 0,
      ...(await filtered('group_id', '/groups', 'Open')(customer)),
    }),
  },
]
const ofSessions: Draft[] = [
  { name: 'online', rows: 50, body: fixed({ filters: { online: [true] } }), where: 'and t.stopped_at is null' },
  {
    name: 'online, of a property',
    rows: 50,
    body: async (customer) => ({
      filters: { online: [true] },
      ...(await under('property_id', '/properties', 'Sessions')(customer)),
    }),
    where: 'and t.stopped_at is null',
  },
  { name: 'over', rows: 50, body: fixed({ filters: { online: [false] } }), where: 'and t.stopped_at is not null' },
  {
    name: 'of an account',
    rows: 10,
    body: async (customer) => ({ per_page: 10, ...(await under('account_id', '/accounts', 'Regular')(customer)) }),
    where: 'and t.account_id = $2',
    values: byIdOf,
  },
  { name: 'of a batch', rows: 50, body: under('voucher_batch_id', '/voucher-batches', 'OLD') },
]
const ofAttempts: Draft[] = [
  { name: 'refused', rows: 50, body: fixed({ filters: { accepted: [false] } }), where: 'and not t.accepted' },
  {
    name: 'by a rare reason',
    rows: 50,
    body: fixed({ filters: { reason: ['data_used_up'] } }),
    where: `and t.reason = 'data_used_up'`,
  },
]

const casesOf = (list: List, call: string, drafts: Draft[]): Case[] =>
  drafts.map(({ where, values = () => [], ...one }) => ({
    ...one,
    name: `${list}: ${one.name}`,
    call,
    ...(where !== undefined && {
      query: ({ id }: Customer, body: object) => select(list, where, [id, ...values(body)]),
    }),
  }))

export const guestSessionCases: Case[] = [
  ...casesOf('sessions', '/sessions', [...both, ...ofSessions]),
  ...casesOf('attempts', '/sign-in-attempts', [...both, ...ofAttempts]),
]
