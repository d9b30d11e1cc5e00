// Growth: an installation of a customer with a tenth of the sessions, then one with ten such customers, each with 24 even months of which
// all but the last three are packed: what both take on the disk, and what is asked of the same customer in both. A first month is packed
// as the job packs it; those after it are copies with other times, ids, guests and gateways. It sets no limits: docs/growth.md has its
// figures.
import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { runBackfills } from '#server/db/backfills.ts'
import { askOfHistory, subjectsOf } from './asked-of-history.ts'
import { fillWithoutIndexes, writeInBulk } from './many-rows.ts'
import { median } from './measurement.ts'
import { hot_s, packAll } from './packing.ts'
import type { Server } from './server.ts'
import { openStage, startFoyer, type Stage } from './stage.ts'

const customers = 10
const places = 400
const guests = 100_000
const months = 24
const packed_months = 21

/** A customer's first of each, which are numbered without a gap. */
interface Chain {
  id: number
  property: number
  gateway: number
  guest: number
}

/** @param sessions how many there are in the end */
export async function benchGrowth(server: Server, sessions: number) {
  const stage = await openStage(server, places)
  try {
    const of_month = Math.round(sessions / customers / months)
    await writeInBulk(stage.raw)
    // The room on the disk is for the sessions.
    await stage.raw.query(`alter system set max_wal_size = '4GB'`)
    await stage.raw.query('select pg_reload_conf()')
    const large = await chainOf(stage, stage.customers.large.id)
    await timed('the first month', () => packFirstMonth(stage, large, of_month))
    await fill(stage, [large], large, of_month)
    const subjects = await subjectsOf(stage, ofPacked)
    const before = await measured(stage, server, subjects, sessions / customers)
    const others: Chain[] = []
    for (let nth = 1; nth < customers; nth++) others.push(await another(stage, nth))
    await fill(stage, others, large, of_month)
    const after = await measured(stage, server, subjects, sessions)
    console.table(
      before.map(({ work, ms }, at) => {
        const then = after[at]?.ms ?? 0
        return { work, ms: ms.toFixed(1), 'of ten times as many': then.toFixed(1), times: (then / ms).toFixed(2) }
      }),
    )
  } finally {
    await stage.close()
  }
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began_at = performance.now()
  const result = await work()
  console.log(`${what}: ${((performance.now() - began_at) / 1000).toFixed(0)} s`)
  return result
}

/** Where an address was in the middle of what is packed. */
const ofPacked = `
  select host(k.addresses[1]) as address, k.property_id as property,
    k.started_ats[array_position(k.session_ids, k.address_session_ids[1])]
      + k.address_since_after[1] * interval '1 microsecond' as at
  from packed_sessions k where k.customer_id = $1 and k.began_at > now() - interval '300 days' order by k.began_at limit 1`

async function another(stage: Stage, nth: number): Promise<Chain> {
  const { raw } = stage
  const { rows } = await raw.query<{ id: number }>(
    `insert into customers (name) values ('Chain ' || $1) returning id`,
    [nth],
  )
  const id = rows[0]?.id ?? 0
  await raw.query(
    `insert into properties (customer_id, name) select $1, 'Hotel ' || i from generate_series(1, ${places}) as i order by i`,
    [id],
  )
  return chainOf(stage, id)
}

async function chainOf({ raw }: Stage, id: number): Promise<Chain> {
  await raw.query(
    `insert into gateways (customer_id, property_id, name, nas_identifier, gateway_type_id)
     select customer_id, id, name, name || ' ' || id, 1 from properties where customer_id = $1 order by id`,
    [id],
  )
  await raw.query(
    `insert into guests (customer_id, property_id, email)
     select $1, min(id), 'guest' || i || '@example.com' from properties, generate_series(1, ${guests}) as i
     where customer_id = $1 group by i order by i`,
    [id],
  )
  const { rows } = await raw.query<Chain>(
    `select $1::integer as id, (select min(id) from properties where customer_id = $1) as property,
       (select min(id) from gateways where customer_id = $1) as gateway,
       (select min(id) from guests where customer_id = $1)::integer as guest`,
    [id],
  )
  const [chain] = rows
  if (!chain) throw new Error('nothing was answered')
  return chain
}

/** When what is not packed begins. */
const hot_from = `date_trunc('month', now() - interval '${hot_s} seconds', 'UTC')`

/** `count` sessions of a customer between two moments, half of them of guests, a fifth of vouchers, the others of accounts and devices. */
const makeSessions = (from: string, until: string) => `
  insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, auth_method_id, package_id, guest_id,
    voucher_id, account_id, device_id, authorisation_id, identifier, username, mac_address, calling_station, ip, started_at, last_seen_at,
    stopped_at, seconds, bytes_up, bytes_down, termination_cause, ends_at, accepted_at, created_at, days)
  select $1, $3::integer + place, $2::integer + place, acct || chr(31) || 'gateway-' || place, acct, 1 + i % 4, 1 + i % 5,
    case when i % 10 < 5 then $4::integer + who end, case when i % 10 in (5, 6) then i end,
    case when i % 10 in (7, 8) then who % 3000 end, case when i % 10 = 9 then who % 500 end, i, name, name, mac,
    upper(replace(mac::text, ':', '-')), ('10.' || place % 250 || '.' || i / 250 % 250 || '.' || i % 250)::inet, at, at + lasts, at + lasts,
    extract(epoch from lasts), up, down, 'User-Request', at + interval '1 day', at, at,
    jsonb_build_object((at at time zone 'UTC')::date, jsonb_build_array(extract(epoch from lasts)::integer, up, down))
  from generate_series(1, $5::integer) as i
  cross join lateral (select (i * 7919::bigint % ${places})::integer as place, (i * 48271::bigint % ${guests})::integer as who,
    ${from} + (i - 1)::float8 / $5 * (${until} - interval '3 hours' - ${from}) as at,
    (60 + i * 69621::bigint % 9000) * interval '1 second' as lasts, i * 16807::bigint % 100000000 as up,
    i * 630360016::bigint % 900000000 as down,
    upper(lpad(to_hex(i::bigint * 2654435761 % 4294967296), 8, '0')) as acct) as there
  cross join lateral (select case when i % 10 < 5 then 'guest' || who || '@example.com' when i % 10 < 7 then 'ABCD-' || i
    else 'user' || who end as name, ('a483' || lpad(to_hex(who * 1000003::bigint % 4294967296), 8, '0'))::macaddr as mac) as names
  order by at`
const addresses = `
  insert into session_addresses (customer_id, property_id, radius_session_id, address, since)
  select customer_id, property_id, id, ip, started_at from radius_sessions where customer_id = any ($1::integer[]) order by id`
const valuesOf = ({ id, property, gateway, guest }: Chain, count: number) => [id, property, gateway, guest, count]

/** Its sessions begin in 28 days, which fit into any month. */
async function packFirstMonth({ raw }: Stage, large: Chain, count: number) {
  const first = `${hot_from} - interval '${packed_months} months'`
  // What vouchers, accounts and devices there are makes no difference here.
  await raw.query('set session_replication_role = replica')
  await raw.query(makeSessions(`(${first})`, `(${first} + interval '28 days')`), valuesOf(large, count))
  await raw.query(addresses, [[large.id]])
  await raw.query('reset session_replication_role')
  await raw.query('vacuum analyze radius_sessions')
  await raw.query('vacuum analyze session_addresses')
  const taken_ms = await packAll(raw)
  console.log(`packed in ${((1000 * taken_ms) / count).toFixed(0)} µs a session`)
  await raw.query('vacuum radius_sessions')
  await raw.query('vacuum session_addresses')
}

/** The other months of the customers: those before, as copies of the first of `large`, and what is not packed. */
async function fill(stage: Stage, chains: Chain[], large: Chain, of_month: number) {
  const { raw } = stage
  await timed('packed months', async () => {
    for (const chain of chains)
      for (let month = chain === large ? 1 : 0; month < packed_months; month++)
        await copyMonth(stage, { large, chain, month, of_month })
    await raw.query('vacuum analyze packed_sessions')
  })
  const count = of_month * (months - packed_months)
  await timed('months that are not packed', async () => {
    await fillWithoutIndexes(raw, 'radius_sessions', async () => {
      for (const chain of chains) await raw.query(makeSessions(hot_from, 'now()'), valuesOf(chain, count))
    })
    await fillWithoutIndexes(raw, 'session_addresses', async () => {
      await raw.query(addresses, [chains.map(({ id }) => id)])
    })
  })
  await raw.query(`update customers set sessions_packed_before = ${hot_from} where id = any($1)`, [
    chains.map(({ id }) => id),
  ])
  // A property's sums of each day; who was there on it is counted by another bench.
  await raw.query(
    `insert into session_days (customer_id, property_id, day, auth_method_id, sessions, seconds, bytes_up, bytes_down)
     select p.customer_id, p.id, day::date, 1, $2::integer, $2::integer * 4500::bigint, $2::integer * 50000000::bigint,
       $2::integer * 450000000::bigint
     from properties p, generate_series(${hot_from} - interval '${packed_months} months', now(), interval '1 day') as day
     where p.customer_id = any($1)`,
    [chains.map(({ id }) => id), Math.max(1, Math.round(of_month / places / 30))],
  )
  await raw.query('vacuum analyze session_days')
}

interface Copy {
  large: Chain
  chain: Chain
  month: number
  of_month: number
}

/** What differs in a copy, by column; all else is taken as it is. */
const changed: Record<string, string> = {
  customer_id: '$1',
  property_id: 'k.property_id + $2',
  began_at: 'k.began_at + s.shift',
  over_at: 'k.over_at + s.shift',
  first_over_at: 'k.first_over_at + s.shift',
  gateway_ids: 'array(select i + $3::integer from unnest(k.gateway_ids) as i)',
  guest_ids: 'array(select i + $4::integer from unnest(k.guest_ids) as i)',
  session_ids: 'array(select i + $6::bigint from unnest(k.session_ids) as i)',
  address_session_ids: 'array(select i + $6::bigint from unnest(k.address_session_ids) as i)',
  started_ats: 'array(select i + s.shift from unnest(k.started_ats) as i)',
  only_days: 'array(select (i + s.shift)::date from unnest(k.only_days) as i)',
}

async function copyMonth({ raw }: Stage, { large, chain, month, of_month }: Copy) {
  const { rows } = await raw.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'packed_sessions'::regclass and attnum > 0 and not attisdropped
       and attname <> 'id' order by attnum`,
  )
  const names = rows.map(({ name }) => name)
  await raw.query(
    `insert into packed_sessions (${names.join(', ')})
     select ${names.map((name) => changed[name] ?? `k.${name}`).join(', ')}
     from packed_sessions k cross join (select ${hot_from} - interval '${packed_months} months' + $5::integer * interval '1 month'
       - (${hot_from} - interval '${packed_months} months') as shift) as s
     where k.customer_id = ${large.id} and k.began_at < ${hot_from} - interval '${packed_months} months' + interval '28 days'
     order by k.id`,
    [
      chain.id,
      chain.property - large.property,
      chain.gateway - large.gateway,
      chain.guest - large.guest,
      month,
      (chain.id * packed_months + month) * of_month,
    ],
  )
}

type Subjects = Awaited<ReturnType<typeof subjectsOf>>
interface Line {
  work: string
  ms: number
}

async function measured(stage: Stage, server: Server, subjects: Subjects, sessions: number): Promise<Line[]> {
  const { raw } = stage
  await raw.query('checkpoint')
  const { rows } = await raw.query<{ table: string; gb: number; rows: number }>(
    `select c.relname as "table", pg_total_relation_size(c.oid) / 1e9 as gb, c.reltuples::float8 as "rows" from pg_class c
     where c.relname in ('radius_sessions', 'session_addresses', 'packed_sessions', 'session_days', 'guests') and c.relkind = 'r'`,
  )
  console.log(`${sessions.toLocaleString('en')} sessions:`)
  console.table(rows.map((row) => ({ ...row, 'bytes of a row': Math.round((row.gb * 1e9) / row.rows) })))
  const asked = await askOfHistory(stage, subjects, `of ${sessions.toLocaleString('en')}`)
  return [
    ...asked,
    ...(await upgraded(stage, server)),
    await forgotten(stage, packed_days),
    await forgotten(stage, hot_day),
  ]
}

/** An index of sessions that an upgrade builds while nodes serve, by the file of server/db/backfills that says how. */
const built_by_upgrade = { index: 'radius_sessions_counted', backfill: '0661-counts-of-radius-sessions' }

/** A further program starts on the same database, as after an upgrade, and what the upgrade builds of sessions is built beside it. */
async function upgraded({ raw, url, customers: { large } }: Stage, { scratch }: Server): Promise<Line[]> {
  const { index, backfill } = built_by_upgrade
  await raw.query(`drop index ${index}`)
  await raw.query('delete from upgrade_backfills where name = $1', [backfill])
  const { rows } = await raw.query<{ millions: number }>(
    'select count(*) / 1e6::float8 as millions from radius_sessions',
  )
  let began_at = performance.now()
  const { server } = await startFoyer(url, fs.mkdtempSync(path.join(scratch, 'node-')))
  const ready_ms = performance.now() - began_at
  server.kill('SIGTERM')
  await new Promise((resolve) => server.once('exit', resolve))

  const owner = new Client({ connectionString: url })
  await owner.connect()
  const listed: number[] = []
  const building = { signal: new AbortController().signal, progress() {}, rest: 0.5 }
  const over = new AbortController()
  began_at = performance.now()
  const built = runBackfills(owner, building).finally(() => over.abort())
  do {
    const asked_at = performance.now()
    await large.ask('/sessions', {})
    listed.push(performance.now() - asked_at)
  } while (!over.signal.aborted)
  await built
  const built_ms = performance.now() - began_at
  await owner.end()
  const { rows: there } = await raw.query('select from pg_class where relname = $1', [index])
  if (there.length === 0) throw new Error(`${backfill} did not build ${index}`)
  console.log(`an index was built in ${(built_ms / 1000).toFixed(1)} s, while ${listed.length} lists were asked`)
  return [
    { work: 'a program starts', ms: ready_ms },
    { work: 'the newest sessions while an upgrade builds an index', ms: median(listed) },
    { work: 'the index of a million sessions that are not packed', ms: built_ms / (rows[0]?.millions ?? 0) },
  ]
}

interface Forgotten {
  what: string
  /** Answers how many there are, and the age in seconds from which on those of the oldest days are forgotten. */
  left: string
  /** Forgets a part of what is older than `$1` seconds; answers whether more is left. */
  step: string
}

/** Two more days of the first month, of all customers. */
const packed_days: Forgotten = {
  what: 'packed sessions',
  left: `select sum(cardinality(session_ids))::float8 as sessions, extract(epoch from now() - min(began_at))::integer - 2 * 86400 as kept_s
    from packed_sessions where began_at < ${hot_from} - interval '${packed_months - 1} months'`,
  step: 'select door_forget_packed_sessions($1, 20) as more',
}
/** One more day of those that are not packed, of all customers. */
const hot_day: Forgotten = {
  what: 'sessions that are not packed',
  left: 'select count(*)::float8 as sessions, extract(epoch from now() - min(started_at))::integer - 86400 as kept_s from radius_sessions',
  step: 'select door_forget_guests_data($1, $1, 1000) as more',
}

async function forgotten({ raw }: Stage, { what, left, step }: Forgotten): Promise<Line> {
  const counted = async () => {
    const { rows } = await raw.query<{ sessions: number; kept_s: number }>(left)
    if (!rows[0]) throw new Error('nothing was answered')
    return rows[0]
  }
  const before = await counted()
  const began_at = performance.now()
  for (let more = true; more;) {
    const { rows } = await raw.query<{ more: boolean }>(step, [before.kept_s])
    more = rows[0]?.more ?? false
  }
  const ms = performance.now() - began_at
  const sessions = before.sessions - (await counted()).sessions
  console.log(`${sessions.toLocaleString('en')} ${what} forgotten in ${ms.toFixed(0)} ms`)
  return { work: `a thousand ${what} are forgotten`, ms: (1000 * ms) / sessions }
}
