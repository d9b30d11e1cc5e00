// Imports: 50,000 accounts from a CSV through the API, against the raw `insert … select` of the very same rows into the same table.
import { openNode } from '#server/node.ts'
import { readConfig } from '#server/start/config.ts'
import { connect } from '#server/db/logins.ts'
import type { Measured } from './measurement.ts'
import { secretKey, type Server } from './server.ts'

const rounds = 3
/** At most five times the raw insert. */
const ratio_max = 5

type Database = Awaited<ReturnType<typeof connect>>

/** The median of the ratios of several rounds of both. The database has the durability settings of a real one. */
export async function benchImports({ database: open }: Server, quantity: number): Promise<Measured> {
  const urls = await open('imports')
  const config = readConfig({ ROLES: 'api', SIGNUP: 'open' })
  const node = await openNode({ config, secretKeys: () => [secretKey], ...urls, webRoot: null })
  const database = await connect(urls.ownerUrl)
  try {
    const { property_id, bring } = await importer(await node.app.listen({ port: 0, host: '127.0.0.1' }))
    await bring(1000)
    const measured = []
    for (let round = 0; round < rounds; round++)
      measured.push(await measure(database, property_id, () => bring(quantity), quantity))
    const { api_ms = 0, raw_ms = 1 } =
      measured.toSorted((a, b) => a.api_ms / a.raw_ms - b.api_ms / b.raw_ms)[Math.floor(rounds / 2)] ?? {}
    return { what: `an import of ${quantity} accounts`, api_ms, raw_ms, ratio: api_ms / raw_ms, ratio_max }
  } finally {
    await database.end()
    await node.close()
  }
}

/** Every column of a list of guests; 50,000 such rows are 5 MB. */
const guests = (count: number) =>
  'name,email,mobile_number,username,password,active\n' +
  Array.from(
    { length: count },
    (_, index) =>
      `Guest Number ${index},guest${index}@example.com,+44 7700 ${900_000 + index},guest${index},word-${index},true\n`,
  ).join('')

/** An editor of a new customer, who imports into its one property. */
async function importer(url: string) {
  const headers: Record<string, string> = { 'app-context': 'customer' }
  const post = async (call: string, body: object | FormData) => {
    const sent =
      body instanceof FormData
        ? { headers, body }
        : { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
    const response = await fetch(`${url}/api/v1${call}`, { method: 'POST', ...sent })
    if (!response.ok) throw new Error(`${call} answered ${response.status}: ${await response.text()}`)
    return ((await response.json()) as { data: { id: number; access_token: string; created: number } }).data
  }
  const { access_token } = await post('/auth/signup', {
    company_name: 'Bench',
    name: 'Bench',
    email: 'bench@example.com',
    password: 'a long enough password',
  })
  headers['authorization'] = `Bearer ${access_token}`
  const property_id = (await post('/properties-create', { name: 'Bench', draft: true })).id
  const bring = async (count: number) => {
    const form = new FormData()
    form.append('AccountImport', new Blob([guests(count)]), 'guests.csv')
    return (await post(`/import/accounts?property_id=${property_id}`, form)).created
  }
  return { property_id, bring }
}

const columns = 'customer_id, property_id, name, email, mobile_number, username, active'

async function measure(database: Database, property_id: number, bring: () => Promise<number>, quantity: number) {
  await empty(database, property_id)
  const started = performance.now()
  const created = await bring()
  const api_ms = performance.now() - started
  if (created !== quantity) throw new Error(`${quantity} accounts were sent, and ${created} were made`)

  // The same rows again, after deleting them: from a temporary table, in one statement.
  await database.query(
    `create temp table guests as select ${columns} from accounts where property_id = ${property_id} order by id`,
  )
  await empty(database, property_id)
  const raw_started = performance.now()
  await database.query(`insert into accounts (${columns}) select ${columns} from guests`)
  const raw_ms = performance.now() - raw_started
  await database.query('drop table guests')
  return { api_ms, raw_ms }
}

/** Gives both sides the same initial state of the table. */
async function empty(database: Database, property_id: number) {
  await database.query(`delete from accounts where property_id = ${property_id}`)
  await database.query('vacuum accounts')
  await database.query('vacuum account_passwords')
  await database.query('checkpoint').catch(() => undefined)
}
