// Vouchers: 100,000 made through the API, against the raw `insert … select` of the very same rows into the same table.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openNode } from '#server/node.ts'
import { readConfig } from '#server/start/config.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { connect, prepareDatabase } from '#server/db/logins.ts'
import { migrate } from '#server/db/migrate.ts'
import { report, type Measured } from './measured.ts'

const quantity = 100_000
const rounds = 3
/** Issue B: at most three times the raw insert. */
const ratio_max = 3

type Database = Awaited<ReturnType<typeof connect>>

/** Rounds of both, one after the other; the median of the rounds' ratios. On a database of its own, as safe as a real one. */
export async function benchVouchers(): Promise<Measured> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-bench-vouchers-'))
  const embedded = await startEmbedded({ directory })
  const secretKey = 'the secret key of a benchmark, long enough'
  const urls = await prepareDatabase({ url: embedded.url, secretKey })
  await migrate(urls.ownerUrl)
  const config = readConfig({ ROLES: 'api', SIGNUP: 'open' })
  const node = await openNode({ config, secretKey, appUrl: urls.appUrl, webRoot: null })
  const database = await connect(urls.ownerUrl)
  try {
    const make = await batchMaker(await node.app.listen({ port: 0, host: '127.0.0.1' }))
    await make(1000)
    const measured = []
    for (let round = 0; round < rounds; round++) measured.push(await measure(make, database))
    const { api_ms = 0, raw_ms = 1 } =
      measured.toSorted((a, b) => a.api_ms / a.raw_ms - b.api_ms / b.raw_ms)[Math.floor(rounds / 2)] ?? {}
    return { what: `${quantity} vouchers`, api_ms, raw_ms, ratio: api_ms / raw_ms, ratio_max }
  } finally {
    await database.end()
    await node.close()
    await embedded.stop()
    fs.rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  }
}

/** An editor of a new customer, who makes batches for its one property and answers their ids. */
async function batchMaker(url: string) {
  const headers: Record<string, string> = { 'content-type': 'application/json', 'app-context': 'customer' }
  const post = async (call: string, body: object) => {
    const response = await fetch(`${url}/api/v1${call}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${call} answered ${response.status}: ${await response.text()}`)
    return ((await response.json()) as { data: { id: number; access_token: string } }).data
  }
  const { access_token } = await post('/auth/signup', {
    company_name: 'Bench',
    name: 'Bench',
    email: 'bench@example.com',
    password: 'a long enough password',
  })
  headers['authorization'] = `Bearer ${access_token}`
  const property = await post('/properties-create', { name: 'Bench', draft: true })
  const wifi = await post('/packages-create', { name: 'Wi-Fi' })
  return async (quantity: number) =>
    (await post('/voucher-batches-create', { quantity, package_id: wifi.id, property_id: property.id })).id
}

async function measure(make: (quantity: number) => Promise<number>, database: Database) {
  const started = performance.now()
  const id = await make(quantity)
  const api_ms = performance.now() - started

  // The same rows again, once they are gone: from a table that the database has at hand, in one statement.
  await database.query(
    `create temp table codes as select customer_id, voucher_batch_id, code from vouchers where voucher_batch_id = ${id} order by id`,
  )
  const {
    rows: [found],
  } = await database.query<{ count: number }>('select count(distinct code)::integer as count from codes')
  if (found?.count !== quantity) throw new Error(`${quantity} codes were asked for, and ${found?.count} are there`)
  await database.query(`delete from vouchers where voucher_batch_id = ${id}`)
  await database.query('vacuum vouchers')
  await database.query('checkpoint').catch(() => undefined)
  const raw_started = performance.now()
  await database.query(
    'insert into vouchers (customer_id, voucher_batch_id, code) select customer_id, voucher_batch_id, code from codes',
  )
  const raw_ms = performance.now() - raw_started
  await database.query('drop table codes')
  return { api_ms, raw_ms }
}

if (import.meta.main) report(await benchVouchers())
