// History: a trial of layouts for sessions (docs/decisions/093): the present single table; open and closed sessions in two tables, the
// closed ones partitioned by the month of their end; and one table partitioned by the month of creation. The same rows, the same
// indexes, no foreign keys; each operation is compared with the single table in the same run. It sets no limits.
import { Client } from 'pg'
import { fillWithoutIndexes, writeInBulk } from './many-rows.ts'
import { median } from './measurement.ts'
import type { Server } from './server.ts'

const months = 12
const places = 100
const guests = 5000
const batch = 100
const batches = 20
const reports_of_a_session = 3
const rounds = 5
const asked_max = 20
/** Late packets arrive within some days. */
const late = `now() - interval '8 days'`

type Layout = 'one' | 'apart' | 'months'
const layouts: Layout[] = ['one', 'apart', 'months']
/** Where a session is written while it is open, and where it is read. */
const written = { one: 'radius_sessions', apart: 'open_sessions', months: 'sessions_by_month' }

const fill = `
  insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, auth_method_id, package_id, guest_id,
    mac_address, identifier, started_at, last_seen_at, stopped_at, seconds, bytes_up, bytes_down, created_at, days)
  select 1, 1 + i % ${places}, 1 + i % ${places}, i::text, i::text, 1 + i % 2, 1 + i % 5, 1 + i % ${guests},
    ('020000' || lpad(to_hex(i % ${guests}), 6, '0'))::macaddr, 'guest' || i % ${guests} || '@example.com', at, at + interval '20 minutes',
    at + interval '20 minutes', 1200, 1e6, 1e7, at, '{}'
  from generate_series(1, $1::integer) as i
  cross join lateral (select now() - interval '${months} months' + (i::float8 / $1) * (now() - interval '1 hour'
    - (now() - interval '${months} months')) as at) as moment order by at`

async function layOut(raw: Client) {
  await raw.query('create table open_sessions (like radius_sessions including all)')
  const { rows: columns } = await raw.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute where attrelid = 'radius_sessions'::regclass and attnum > 0
       and not attisdropped and attgenerated = '' order by attnum`,
  )
  const names = columns.map(({ name }) => name).join(', ')
  const { rows: indexes } = await raw.query<{ definition: string }>(
    `select indexdef as definition from pg_indexes where tablename = 'radius_sessions' order by indexname`,
  )
  for (const [table, by] of [
    ['closed_sessions', 'stopped_at'],
    ['sessions_by_month', 'created_at'],
  ] as const) {
    await raw.query(
      `create table ${table} (like radius_sessions including defaults including generated including identity) partition by range (${by})`,
    )
    for (let ago = months; ago >= -1; ago--)
      await raw.query(`do $$ declare month timestamptz := date_trunc('month', now()) - interval '${ago} months'; begin
        execute format('create table ${table}_${ago + 1} partition of ${table} for values from (%L) to (%L)',
          month, month + interval '1 month');
        end $$`)
    await raw.query(
      `insert into ${table} (${names}) overriding system value select ${names} from radius_sessions order by created_at`,
    )
    for (const { definition } of indexes) {
      if (table === 'closed_sessions' && /WHERE .*stopped_at IS NULL/.test(definition)) continue
      // A unique index of a partitioned table must contain the partition key.
      await raw.query(
        definition.replace(/ UNIQUE /, ' ').replace(/INDEX \S+ ON public\.radius_sessions/, `INDEX ON ${table}`),
      )
    }
    await raw.query(`vacuum (freeze, analyze) ${table}`)
  }
  return names
}

/** The first page of a list in a layout. */
function listed(layout: Layout, where: string): string {
  const from = (table: string) =>
    `select t.* from ${table} t where t.customer_id = 1 and ${where} order by t.created_at desc, t.id desc limit 50`
  if (layout !== 'apart') return from(written[layout])
  return `select t.* from ((${from('open_sessions')}) union all (${from('closed_sessions')})) t
    order by t.created_at desc, t.id desc limit 50`
}
const closedOf = (layout: Layout) => (layout === 'apart' ? 'closed_sessions' : written[layout])

/** @param rows number of sessions in the year */
export async function benchHistory({ database }: Server, rows: number) {
  const { url } = await database('history')
  const raw = new Client({
    connectionString: url,
    options: '-c timezone=UTC -c jit=off -c max_parallel_workers_per_gather=0',
  })
  await raw.connect()
  try {
    await trial(raw, rows)
  } finally {
    await raw.end()
  }
}

async function trial(raw: Client, rows: number) {
  await writeInBulk(raw)
  await fillWithoutIndexes(raw, 'radius_sessions', async () => void (await raw.query(fill, [rows])))
  await raw.query('set session_replication_role = replica')
  const names = await layOut(raw)
  const { compare, lines } = openComparison(raw)
  const trials = { raw, rows, compare }
  await compareLives(trials, names)
  await compareReading(trials)
  await compareRemoval(trials)
  console.log(
    `${rows.toLocaleString('en')} sessions of ${months} months, one customer; medians of ${rounds} rounds in turns:`,
  )
  console.table(lines)
}

type Compare = ReturnType<typeof openComparison>['compare']
interface Trials {
  raw: Client
  /** Sessions in the year. */
  rows: number
  compare: Compare
}

function openComparison(raw: Client) {
  const lines: Record<string, string>[] = []
  const wal = async () =>
    Number((await raw.query<{ at: string }>(`select pg_current_wal_insert_lsn() - '0/0' as at`)).rows[0]?.at)

  /** The layouts alternate, so that other load on the machine affects all of them. */
  async function compare(
    what: string,
    work: (layout: Layout, round: number) => Promise<unknown>,
    of: { rounds?: number } = {},
  ) {
    const taken = { one: [] as number[], apart: [] as number[], months: [] as number[] }
    const logged = { one: 0, apart: 0, months: 0 }
    const all = of.rounds ?? rounds
    for (let round = 0; round < all; round++)
      for (const layout of layouts) {
        const [start, from] = [performance.now(), await wal()]
        await work(layout, round)
        taken[layout].push(performance.now() - start)
        logged[layout] += (await wal()) - from
      }
    const ms = (layout: Layout) => median(taken[layout])
    const mb = (layout: Layout) => (logged[layout] / all / 1e6).toFixed(1)
    lines.push({
      work: what,
      'one table, ms': ms('one').toFixed(1),
      'apart (times)': `${ms('apart').toFixed(1)} (${(ms('apart') / ms('one')).toFixed(2)})`,
      'by month (times)': `${ms('months').toFixed(1)} (${(ms('months') / ms('one')).toFixed(2)})`,
      'log, MB': layouts.map(mb).join(' / '),
    })
  }
  return { compare, lines }
}

/** @param names of the columns */
async function compareLives({ raw, rows, compare }: Trials, names: string) {
  let key = rows
  await compare(`${batches * batch} sessions from their first report to their end`, async (layout) => {
    const table = written[layout]
    for (let nth = 0; nth < batches; nth++) {
      key += batch
      const { rows: made } = await raw.query<{ id: number }>(
        `insert into ${table} (customer_id, gateway_id, property_id, session_key, acct_session_id, auth_method_id, package_id, guest_id,
           mac_address, identifier, started_at, last_seen_at, created_at)
         select 1, 1 + i % ${places}, 1 + i % ${places}, i::text, i::text, 1, 1, 1 + i % ${guests}, '02:00:00:00:00:01',
           'guest' || i % ${guests} || '@example.com', now(), now(), now()
         from generate_series($1::integer, $1::integer + ${batch - 1}) as i returning id`,
        [key],
      )
      const ids = made.map(({ id }) => id)
      const mine = `customer_id = 1 and id = any($1::bigint[])${layout === 'months' ? ` and created_at > ${late}` : ''}`
      for (let report = 1; report <= reports_of_a_session; report++)
        await raw.query(
          `update ${table} set last_seen_at = now(), seconds = seconds + 300, bytes_up = bytes_up + 1e5, bytes_down = bytes_down + 1e6
           where ${mine}`,
          [ids],
        )
      const end = `update ${table} set stopped_at = now(), termination_cause = 'User-Request' where ${mine}`
      await raw.query(
        layout === 'apart'
          ? `with gone as (delete from ${table} where ${mine} returning *)
             insert into closed_sessions (${names}) overriding system value
             select ${names.replace(/\bstopped_at\b/, 'now()')} from gone`
          : end,
        [ids],
      )
    }
  })
}

async function compareReading({ raw, rows, compare }: Trials) {
  const often = async (text: string, values: unknown[] = []) => {
    for (let time = 0; time < asked_max; time++)
      await raw.query({ text, values, name: text.slice(0, 40) + text.length })
  }

  await compare(`${asked_max} × the newest page of a list`, (layout) => often(listed(layout, 'true')))
  await compare(`${asked_max} × the newest page of a property`, (layout) => often(listed(layout, 't.property_id = 7')))
  await compare(`${asked_max} × a page from half a year ago`, (layout) =>
    often(listed(layout, `(t.created_at, t.id) < (now() - interval '6 months', 0)`)),
  )
  await compare(`${asked_max} × all of a guest`, (layout) => often(listed(layout, 't.guest_id = 77')))
  await compare(`${asked_max} × a search of what is rare`, (layout) =>
    often(listed(layout, `t.search like '%guest4321@%'`)),
  )
  await compare('a month of all properties, added up', (layout) =>
    raw.query(
      `select property_id, count(*), sum(bytes_up + bytes_down) from ${closedOf(layout)} where customer_id = 1
         and started_at >= date_trunc('month', now()) - interval '3 months'
         and started_at < date_trunc('month', now()) - interval '2 months'
         ${layout === 'apart' ? `and stopped_at >= date_trunc('month', now()) - interval '3 months'` : ''}
         ${layout === 'months' ? `and created_at >= date_trunc('month', now()) - interval '3 months - 1 day'` : ''} group by 1`,
    ),
  )
  await compare(`${asked_max} × a late packet finds its session`, async (layout) => {
    const found = `customer_id = 1 and gateway_id = 1 + $1::integer % ${places} and session_key = $1::text`
    const late_key = rows - 100
    if (layout === 'apart') await often(`select id from open_sessions where ${found}`, [late_key])
    const recent = { one: '', apart: `and stopped_at > ${late}`, months: `and created_at > ${late}` }[layout]
    await often(`select id from ${closedOf(layout)} where ${found} ${recent}`, [late_key])
  })
}

async function compareRemoval({ raw, compare }: Trials) {
  await compare('the erasure of 50 guests', async (layout, round) => {
    const first = 100 + round * 50
    await raw.query(
      `update ${closedOf(layout)} set guest_id = null, identifier = null, mac_address = null
       where customer_id = 1 and guest_id between $1 and $1 + 49`,
      [first],
    )
  })
  // In chunks, as the cleanup job does; then what the next autovacuum would do.
  await compare(
    'the retention of a month',
    async (layout) => {
      if (layout !== 'one') return raw.query(`drop table ${closedOf(layout)}_${months}`)
      for (;;) {
        const { rowCount } = await raw.query(
          `delete from radius_sessions s using (
             select o.id from radius_sessions o where o.customer_id = 1 and o.stopped_at is not null
               and o.started_at < date_trunc('month', now()) - interval '${months - 2} months' order by o.started_at limit 10000) old
           where s.customer_id = 1 and s.id = old.id`,
        )
        if (!rowCount) break
      }
      return raw.query('vacuum radius_sessions')
    },
    { rounds: 1 },
  )
}
