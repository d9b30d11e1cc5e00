// Vouchers: 100,000 made through the API, against the raw `insert … select` of the very same rows into the same tables.
import { openNode } from '#server/node.ts'
import { readConfig } from '#server/start/config.ts'
import { connect } from '#server/db/logins.ts'
import type { Measured } from './measurement.ts'
import { secretKey, type Server } from './server.ts'

const rounds = 3
/** At most three times the raw insert: codes are sealed while others are written, but not where the machine has other work. */
const ratio_max = 3

type Database = Awaited<ReturnType<typeof connect>>

/** The median of the ratios of several rounds of both. The database has the durability settings of a real one. */
export async function benchVouchers({ database: open }: Server, quantity: number): Promise<Measured> {
  const urls = await open('vouchers')
  const config = readConfig({ ROLES: 'api', SIGNUP: 'open' })
  const node = await openNode({ config, secretKeys: () => [secretKey], ...urls, webRoot: null })
  const database = await connect(urls.ownerUrl)
  try {
    const make = await batchMaker(await node.app.listen({ port: 0, host: '127.0.0.1' }))
    await make(1000)
    const measured = []
    for (let round = 0; round < rounds; round++) measured.push(await measure(make, database, quantity))
    const { api_ms = 0, raw_ms = 1 } =
      measured.toSorted((a, b) => a.api_ms / a.raw_ms - b.api_ms / b.raw_ms)[Math.floor(rounds / 2)] ?? {}
    return { what: `${quantity} vouchers`, api_ms, raw_ms, ratio: api_ms / raw_ms, ratio_max }
  } finally {
    await database.end()
    await node.close()
  }
}

/** Signs up a customer; returns a function that makes a batch for its one property and returns the batch's id. */
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

async function measure(make: (quantity: number) => Promise<number>, database: Database, quantity: number) {
  const started = performance.now()
  const id = await make(quantity)
  const api_ms = performance.now() - started

  // The same rows again, after deleting them: from a temporary table, in one statement.
  await database.query(
    `create temp table codes as select v.customer_id, v.id, v.voucher_batch_id, k.fingerprint, k.sealed_code, k.last_four
     from vouchers v join voucher_codes k on k.voucher_id = v.id where v.voucher_batch_id = ${id} order by v.id`,
  )
  const {
    rows: [found],
  } = await database.query<{ count: number }>('select count(distinct fingerprint)::integer as count from codes')
  if (found?.count !== quantity) throw new Error(`${quantity} codes were asked for, and ${found?.count} are there`)
  await database.query(`delete from vouchers where voucher_batch_id = ${id}`)
  await database.query('vacuum vouchers, voucher_codes')
  await database.query('checkpoint').catch(() => undefined)
  const raw_started = performance.now()
  await database.query(
    `with made as (insert into vouchers (customer_id, id, voucher_batch_id) overriding system value
       select customer_id, id, voucher_batch_id from codes)
     insert into voucher_codes (customer_id, voucher_id, fingerprint, sealed_code, last_four)
     select customer_id, id, fingerprint, sealed_code, last_four from codes`,
  )
  const raw_ms = performance.now() - raw_started
  await database.query('drop table codes')
  return { api_ms, raw_ms }
}
