// Limit: the list of accounts, at 10,000, 100,000 and 1,000,000 of them, against the bare server on the same database.
//
// Alternating rounds within one run, 20 connections each. Compares the processor time of a request, of server and database together,
// as that hardly depends on other load on the machine.
import { Client } from 'pg'
import { load, type Load, type Target } from './load.ts'
import { median } from './measurement.ts'
import { secretKey, type Server } from './server.ts'
import { startProgram } from './start-program.ts'
import { makeTokenTable, tokensOf } from './tokens.ts'

const all_sizes = [10_000, 100_000, 1_000_000]
/** With seven rounds, runs of the same code differed by a twentieth. */
const rounds = 15
const round_ms = 1500
/** The run fails above this; the aim is 1.7. */
const ratio_max = 2.2
const growth_max = 1.25
const search_ratio_max = 1.5

/** A customer with `accounts` accounts in 100 properties; returns the tokens of its editor, which both servers accept. */
async function fill(admin: Client, accounts: number): Promise<string[]> {
  const { rows } = await admin.query<{ id: number }>(`insert into customers (name) values ($1) returning id`, [
    `Customer of ${accounts}`,
  ])
  const customer_id = rows[0]?.id
  await admin.query(
    `with package as (insert into packages (customer_id, name) values ($1, 'Basic') returning id)
     insert into properties (customer_id, name, package_id)
     select $1, 'Property ' || i, package.id from generate_series(1, 100) as i, package`,
    [customer_id],
  )
  await admin.query(
    `insert into rooms (customer_id, property_id, number)
     select $1, id, i::text from properties, generate_series(1, 10) as i where customer_id = $1`,
    [customer_id],
  )
  await admin.query(
    `with places as (select row_number() over (order by id) as n, id as room_id, property_id from rooms where customer_id = $1)
     insert into accounts (customer_id, property_id, room_id, package_id, name, email, mobile_number, username, created_at)
     select $1, places.property_id, places.room_id, case when i % 2 = 0 then (select id from packages where customer_id = $1) end,
       'Guest ' || i, 'guest' || i || '@example.com', '+44 7700 ' || lpad((i % 1000000)::text, 6, '0'), 'guest' || i,
       now() - i * interval '1 second'
     from generate_series(1, $2) as i join places on places.n = i % 1000 + 1`,
    [customer_id, accounts],
  )
  const email = `editor${accounts}@example.com`
  const login = await admin.query<{ id: number }>(
    `insert into logins (email, name, password_hash) values ($1, 'Editor', 'none') returning id`,
    [email],
  )
  await admin.query(
    `insert into users (customer_id, login_id, user_type_id, name, email, draft) values ($1, $2, 2, 'Editor', $3, false)`,
    [customer_id, login.rows[0]?.id, email],
  )
  return tokensOf(admin, customer_id ?? 0)
}

/** @param rows the largest size to measure */
export async function benchLimit({ database, postmaster, scratch }: Server, rows: number) {
  const sizes = all_sizes.filter((size) => size <= rows)
  const { url, appUrl } = await database('limit')
  const admin = new Client({ connectionString: url })
  await admin.connect()
  await makeTokenTable(admin)
  await admin.query('alter system set autovacuum = off')
  await admin.query('select pg_reload_conf()')
  const tokens = []
  // Inserting this many takes a quarter of the time without the trigram index, which is rebuilt afterwards.
  const { rows: words } = await admin.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes where tablename = 'accounts' and indexdef like '%gin_trgm_ops%'`,
  )
  for (const { indexname } of words) await admin.query(`drop index ${indexname}`)
  for (const size of sizes) tokens.push(await fill(admin, size))
  await admin.query(`set maintenance_work_mem = '256MB'`)
  for (const { indexdef } of words) await admin.query(indexdef)
  await admin.query('vacuum analyze')

  const foyer = await startProgram('server/main.ts', {
    DATABASE_URL: url,
    SECRET_KEY: secretKey,
    DATA_DIR: scratch,
    PORT: '0',
    ROLES: 'api',
    SIGNUP: 'open',
  })
  const bare = await startProgram('bench/bare.ts', { DATABASE_URL: appUrl })
  try {
    await compare(admin, { foyer, bare, postmaster, sizes, tokens })
  } finally {
    await foyer.stop()
    await bare.stop()
    await admin.end()
  }
}

interface Compared {
  foyer: Awaited<ReturnType<typeof startProgram>>
  bare: Awaited<ReturnType<typeof startProgram>>
  postmaster: number
  sizes: number[]
  tokens: string[][]
}
async function compare(admin: Client, { foyer, bare, postmaster, sizes, tokens }: Compared) {
  const target = (server: typeof foyer, index: number): Target => ({
    ...server,
    call: '/api/v1/accounts',
    body: {},
    tokens: tokens[index] ?? [],
  })
  const measured = sizes.map(() => ({ foyer: [] as Load[], bare: [] as Load[], per_s: [] as number[] }))
  for (let round = 0; round <= rounds; round++)
    for (const [index, taken] of measured.entries()) {
      const product = await load(target(foyer, index), postmaster, round_ms)
      const least = await load(target(bare, index), postmaster, round_ms)
      // The first round warms up.
      if (round === 0) continue
      taken.foyer.push(product)
      taken.bare.push(least)
      taken.per_s.push(product.answered / (round_ms / 1000))
    }
  const shown = (loads: Load[]) =>
    `${median(loads.map((one) => one.cpu_ms)).toFixed(2)} (${median(loads.map((one) => one.database_ms)).toFixed(2)})`
  const ratios = measured.map(({ foyer: product, bare: least }) =>
    median(product.map(({ cpu_ms }, round) => cpu_ms / (least[round]?.cpu_ms ?? Number.NaN))),
  )
  console.table(
    measured.map((taken, index) => ({
      accounts: sizes[index]?.toLocaleString('en'),
      'Foyer, CPU ms (database)': shown(taken.foyer),
      'bare, CPU ms (database)': shown(taken.bare),
      ratio: ratios[index]?.toFixed(2),
      'requests a second': median(taken.per_s).toFixed(0),
    })),
  )
  const of = (index: number) => median((measured[index]?.foyer ?? []).map(({ cpu_ms }) => cpu_ms))
  const growth = of(sizes.length - 1) / of(0)
  console.log(
    `A list of ${sizes.at(-1)?.toLocaleString('en')} takes ${growth.toFixed(2)} times the processor time of one of 10,000.`,
  )
  // Only for the largest size: with few rows the request overhead exceeds the query.
  const search = await searchOneOfAll(admin, target(foyer, sizes.length - 1), sizes.at(-1) ?? 0)
  if (Math.max(...ratios) > ratio_max || growth > growth_max || search > search_ratio_max) process.exitCode = 1
}

/** A search with one hit in a million, sequential requests, against the plain query by the same index. */
async function searchOneOfAll(admin: Client, { origin, call, tokens = [] }: Target, accounts: number): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'app-context': 'customer',
    authorization: `Bearer ${tokens[0] ?? ''}`,
  }
  const times = { product: [] as number[], raw: [] as number[] }
  for (let round = 0; round < 25; round++) {
    const searchValue = `guest ${accounts * 0.8 + round * 7}`
    const started_at = performance.now()
    const response = await fetch(`${origin}${call}`, { method: 'POST', headers, body: JSON.stringify({ searchValue }) })
    const { data } = (await response.json()) as { data: unknown[] }
    const between = performance.now()
    const { rows } = await admin.query({
      name: 'raw search',
      text: `select t.id, t.name, t.email, t.status, t.created_at from accounts t
        where t.customer_id = (select max(id) from customers) and t.deleted_at is null and t.search like '%' || $1 || '%'
        order by t.created_at desc, t.id desc limit 50`,
      values: [searchValue],
    })
    const ended_at = performance.now()
    if (data.length !== 1 || rows.length !== 1)
      throw new Error(`${searchValue}: ${data.length} and ${rows.length} rows, not 1`)
    // The first ones warm up.
    if (round < 5) continue
    times.product.push(between - started_at)
    times.raw.push(ended_at - between)
  }
  const [product, raw] = [median(times.product), median(times.raw)]
  const ratio = product / raw
  console.log(
    `One hit among ${accounts.toLocaleString('en')}: ${product.toFixed(1)} ms, ` +
      `the query alone ${raw.toFixed(1)} ms: ${ratio.toFixed(2)} times.`,
  )
  return ratio
}
