// Database: what every test file gets, and the two logins that Foyer makes itself.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLogins } from '#server/db/check-logins.ts'
import { connect, prepareDatabase } from '#server/db/logins.ts'
import { queues } from '#server/apps/jobs.ts'
import { migrate } from '#server/db/migrate.ts'
import { databaseUrl, dropDatabase, freshDatabase, type TestDatabase } from '#test/database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

async function ask(url: string, query: string): Promise<unknown[]> {
  const client = await connect(url)
  try {
    return (await client.query<Record<string, unknown>>(query)).rows
  } finally {
    await client.end()
  }
}

test('the tables exist and belong to foyer_owner', async () => {
  const owners = await ask(database.ownerUrl, `select distinct tableowner from pg_tables where schemaname = 'public'`)
  expect(owners).toEqual([{ tableowner: 'foyer_owner' }])
})

test('no table of a new database counts as empty, so that its first rows are looked for by their indexes', async () => {
  const empty = `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and reltuples = 0`
  expect(await ask(database.ownerUrl, empty)).toEqual([])
})

test('foyer_app may use them and owns nothing', async () => {
  await expect(checkLogins(database)).resolves.toBeUndefined()
  await expect(ask(database.appUrl, 'create table mine ()')).rejects.toThrow('permission denied for schema public')
  await expect(ask(database.appUrl, 'create temporary table mine ()')).rejects.toThrow(
    'permission denied to create temporary',
  )
})

test.each([
  ['a superuser', () => database.adminUrl, 'is a superuser or bypasses row security'],
  ['the owner of the tables', () => database.ownerUrl, 'owns tables'],
])('the app refuses to run as %s', async (_who, url, reason) => {
  await expect(checkLogins({ ...database, appUrl: url() })).rejects.toThrow(reason)
})

test('every language is folded and sorted', async () => {
  expect(await ask(database.appUrl, `select 'École' ilike 'école' as folded, 'a' < 'Z' as sorted`)).toEqual([
    { folded: true, sorted: true },
  ])
})

test('another secret key is refused, because it would lock the first installation out', async () => {
  const other = prepareDatabase({ url: database.adminUrl, secretKeys: () => ['the key of another installation'] })
  await expect(other).rejects.toThrow('SECRET_KEY is not the one')
})

test('a login that may not create logins gets instructions', async () => {
  await expect(prepareDatabase({ url: database.appUrl, secretKeys: database.secretKeys })).rejects.toThrow(
    'may not create logins',
  )
})

test('with DATABASE_OWNER_URL both logins are used unchanged', async () => {
  const given = { url: database.appUrl, ownerUrl: database.ownerUrl, secretKeys: database.secretKeys }
  expect(await prepareDatabase(given)).toEqual({
    adminUrl: null,
    appUrl: database.appUrl,
    authUrl: database.appUrl,
    guestUrl: database.appUrl,
    directUrl: null,
    readUrl: null,
    ownerUrl: database.ownerUrl,
  })
  await expect(prepareDatabase({ ...given, ownerUrl: database.appUrl })).rejects.toThrow(
    'must be foyer_owner or belong to it',
  )
})

test('an administrator who is not a superuser can set Foyer up', async () => {
  const login = `foyer_test_admin_${process.pid}`
  await ask(database.adminUrl, `create role ${login} login createrole createdb password 'managed'`)
  await ask(database.adminUrl, `grant foyer_owner, foyer_app to ${login} with admin option`)
  const url = new URL(databaseUrl(database.adminUrl, `foyer_test_managed_${process.pid}`))
  url.username = login
  url.password = 'managed'
  try {
    const { ownerUrl, ...logins } = await prepareDatabase({ url: url.href, secretKeys: database.secretKeys })
    expect(await migrate(ownerUrl, queues)).not.toEqual([])
    await expect(checkLogins(logins)).resolves.toBeUndefined()
  } finally {
    await dropDatabase(databaseUrl(database.adminUrl, url.pathname.slice(1)))
    await ask(database.adminUrl, `drop owned by ${login}; drop role ${login}`)
  }
})
