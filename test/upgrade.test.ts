// Upgrade: the present program migrates a database with the released schema and data in it. All data is kept, its people can sign in,
// every list answers, and records can be made and changed.
//
// A release updates `released` and, if its tables have new columns that matter, adds rows to the fixture.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as properties from '#contract/properties.ts'
import * as auth from '#contract/auth.ts'
import * as vouchers from '#contract/vouchers.ts'
import { endpointsOf, pathFields } from '#contract/endpoint.ts'
import { hashPassword } from '#server/access/passwords.ts'
import { resourcesOf } from '#server/apps/api.ts'
import { connect } from '#server/db/logins.ts'
import { queues } from '#server/apps/jobs.ts'
import { applyMigrations, prepareBookkeeping } from '#server/db/apply-migrations.ts'
import { migrate } from '#server/db/migrate.ts'
import { emptyDatabase, type TestDatabase } from '#test/database.ts'
import { aProperty, openFoyer, password, type Person, type TestFoyer } from '#test/foyer.ts'

/** The last migration of the released schema. */
const released = '0045-migrations-seen.sql'
const folder = path.join(import.meta.dirname, '../server/db/migrations')
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-upgrade-'))

/** The contents of a table, in the columns it had then. */
interface Kept {
  table: string
  columns: string[]
  rows: string
}

let database: TestDatabase
let foyer: TestFoyer
let ada: Person
let kept: Kept[]
let now: Kept[]
let ran: string[]

beforeAll(async () => {
  database = await emptyDatabase()
  const all = fs.readdirSync(folder).toSorted()
  for (const file of all.filter((name) => name <= released))
    fs.copyFileSync(path.join(folder, file), path.join(scratch, file))
  const owner = await connect(database.ownerUrl)
  await prepareBookkeeping(owner)
  await applyMigrations(owner, { folder: scratch, patience: { lock_ms: 1000, tries_ms: 0 } })
  await owner.end()
  const fixture = fs.readFileSync(path.join(import.meta.dirname, 'fixtures/released-schema.sql'), 'utf8')
  await asAdmin(fixture.replaceAll(':password_hash', `'${await hashPassword(password)}'`))
  kept = await filledTables()
  ran = await migrate(database.ownerUrl, queues)
  now = await contents(kept)
  foyer = await openFoyer({ database })
  ada = foyer.signedIn((await foyer.get(auth.login, { email: 'ada@harbour.example', password }, null)).data)
})
afterAll(async () => {
  await foyer.close()
  fs.rmSync(scratch, { recursive: true })
})

async function asAdmin(query: string): Promise<Record<string, unknown>[]> {
  const admin = await connect(database.adminUrl)
  try {
    return (await admin.query<Record<string, unknown>>(query)).rows
  } finally {
    await admin.end()
  }
}

const columns = `
  select table_name::text as table, array_agg(column_name::text order by column_name) as names
  from information_schema.columns join pg_tables on schemaname = table_schema and tablename = table_name
  where table_schema = 'public' and table_name !~ '^(kysely|upgrade)_' and is_generated = 'NEVER' group by 1`

/** A property now gets its country's values, which no call could set before. */
const of_the_country = ['currency', 'time_zone']
/** An amount with more decimal places is the same amount. */
const valueOf = (name: string) => (name === 'rate_per_unit' ? `trim_scale("${name}")` : `"${name}"`)

/** The number of rows in a table, and a hash of the given columns of all of them. */
async function hashOf(table: string, names: string[]): Promise<string> {
  const kept_names = table === 'properties' ? names.filter((name) => !of_the_country.includes(name)) : names
  const row = `row(${kept_names.map(valueOf).join()})::text`
  const [found] = await asAdmin(
    `select count(*) || ' ' || coalesce(md5(string_agg(md5(${row}), '' order by md5(${row}))), '') as hash from ${table}`,
  )
  return String(found?.['hash'])
}
async function contents(tables: Pick<Kept, 'table' | 'columns'>[]): Promise<Kept[]> {
  return Promise.all(
    tables.map(async ({ table, columns: names }) => ({ table, columns: names, rows: await hashOf(table, names) })),
  )
}
/** Tables of customers that have rows; look-ups come with the program. */
async function filledTables() {
  const tables = (await asAdmin(columns)).map(({ table, names }) => ({
    table: String(table),
    columns: names as string[],
  }))
  const owned = tables.filter(
    (one) => one.columns.includes('customer_id') || ['customers', 'logins'].includes(one.table),
  )
  return (await contents(owned)).filter(({ rows }) => !rows.startsWith('0 '))
}

test('the migrations since then run on a database with data in it', () => {
  expect(ran.length).toBeGreaterThan(0)
  expect(ran.every((name) => `${name}.sql` > released)).toBe(true)
})

test('every row is unchanged', () => {
  expect(kept.length).toBeGreaterThan(12)
  expect(now).toEqual(kept)
})

test('its people find their records, make new ones and change old ones', async () => {
  const { meta } = await foyer.get(properties.list, {}, ada)
  expect(meta.total).toBe(30)
  const { data: found } = await foyer.get(accounts.list, { searchValue: 'ällan 399' }, ada)
  expect(found.map(({ name }) => name)).toEqual(['Ällan 399'])
  const { data: voucher } = await foyer.get(vouchers.findByCode, { code: 'ABCDEFGHXXXY' }, ada)
  expect(voucher.state).toBe('valid')
  const { data: made } = await foyer.get(properties.create, aProperty(), ada)
  expect(made.id).toBeGreaterThan(32)
  const [old] = found
  const changed = await foyer.get(accounts.update, { id: old?.id ?? 0, name: 'Allan' }, ada)
  expect(changed.data.name).toBe('Allan')
})

test('every list and look-up answers', async () => {
  const answered: string[] = []
  for (const { contract } of resourcesOf(foyer.services))
    for (const [, endpoint] of endpointsOf(contract)) {
      if (endpoint.kind !== 'read' || endpoint.gives === 'file' || pathFields(endpoint.path).length > 0) continue
      const { status, text } = await foyer.send(endpoint, {}, ada)
      // Some need more than an empty input.
      expect([200, 422], `${endpoint.path}: ${text}`).toContain(status)
      if (status === 200) answered.push(endpoint.path)
    }
  expect(answered.length).toBeGreaterThan(20)
})
