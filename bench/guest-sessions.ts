// Guest sessions in the bench: a property with as many sessions as are asked for beside one with 10,000.
import type { Case } from './case.ts'
import type { Customer, Side, Stage } from './stage.ts'

/** Fifty are online, half came by account, half by voucher; half are of `lobby`, and one MAC begins with 7e:7e. */
export async function fillGuestSessions({ raw, customers }: Stage, sizes: Record<Side, number>) {
  for (const side of ['small', 'large'] as const)
    await raw.query(
      `with place as (
         insert into properties (customer_id, name, draft) values ($1, 'Sessions', true) returning id),
       gateway as (
         insert into gateways (customer_id, property_id, name, gateway_type_id) select $1, id, 'Gateway', 1 from place returning id, property_id)
       insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, auth_method_id, identifier, mac_address,
         started_at, last_seen_at, stopped_at, seconds, bytes_up, bytes_down, termination_cause, created_at)
       select $1, gateway.id, gateway.property_id, i::text, i::text, 2 + i % 2, case when (i / 4) % 2 = 0 then 'lobby.' else 'room.' end || i,
         (case when i = $2 / 2 then '7e:7e' else 'a4:83' end || ':00:' || regexp_replace(lpad(to_hex(i), 6, '0'), '(..)(..)(..)', '\\1:\\2:\\3'))::macaddr,
         at, at + interval '9 minutes', case when i % ($2 / 50) <> 0 then at + interval '9 minutes' end, 540, 1e6, 1e7, 'User-Request', at
       from generate_series(1, $2) as i, gateway, lateral (select now() - ($2 - i) * interval '1 minute' as at) as moment order by i`,
      [customers[side].id, sizes[side]],
    )
  await raw.query('vacuum analyze radius_sessions')
}

const select = (where: string, values: unknown[]) => ({
  text: `select t.id, t.identifier, t.mac_address, t.started_at, t.last_seen_at, t.stopped_at, t.seconds, t.bytes_up, t.bytes_down, t.termination_cause,
    (select p.name from properties p where p.customer_id = t.customer_id and p.id = t.property_id) as property_name,
    (select g.name from gateways g where g.customer_id = t.customer_id and g.id = t.gateway_id) as gateway_name,
    (select m.name from auth_methods m where m.id = t.auth_method_id) as method_name
    from radius_sessions t where t.customer_id = $1 ${where} order by t.created_at desc, t.id desc limit 50`,
  values,
})

interface OfProperty {
  params: { property_id: number | undefined }
}
const atTheProperty = async ({ ask }: Customer): Promise<OfProperty> => {
  const { data } = await ask('/properties', { searchValue: 'Sessions' })
  return { params: { property_id: data[0]?.id } }
}

const cases: Omit<Case, 'call'>[] = [
  { name: 'first page', rows: 50, body: async () => ({}), query: ({ id }) => select('', [id]) },
  { name: 'of a property', rows: 50, body: atTheProperty, query: ({ id }, { params }: OfProperty) => select('and t.property_id = $2', [id, params.property_id]) },
  { name: 'online', rows: 50, body: async () => ({ filters: { online: [true] } }), query: ({ id }) => select('and t.stopped_at is null', [id]) },
  { name: 'by a way of signing in', rows: 50, body: async () => ({ filters: { auth_method_id: [3] } }), query: ({ id }) => select('and t.auth_method_id = 3', [id]) },
  { name: 'by one that nobody took', rows: 0, body: async () => ({ filters: { auth_method_id: [6] } }), query: ({ id }) => select('and t.auth_method_id = 6', [id]) },
  { name: 'search, half a MAC', rows: 1, body: async () => ({ searchValue: '7E-7E-00' }), query: ({ id }) => select(`and t.search like '%7e7e00%'`, [id]) },
  { name: 'search, common word', rows: 50, body: async () => ({ searchValue: 'lobby' }), query: ({ id }) => select(`and t.search like '%lobby%'`, [id]) },
] // prettier-ignore

export const guestSessionCases: Case[] = cases.map((one) => ({
  ...one,
  name: `sessions: ${one.name}`,
  call: '/sessions',
}))
