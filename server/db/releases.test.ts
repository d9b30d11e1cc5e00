// Releases: nodes of the release before go on, and start again, on a database that a newer one has upgraded; others are refused.
import fs from 'node:fs'
import path from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queues } from '#server/apps/jobs.ts'
import { migrations_folder } from '#server/db/apply-migrations.ts'
import { connect } from '#server/db/logins.ts'
import { checkMigrated, migrate } from '#server/db/migrate.ts'
import { compareVersions, fitOf, leavesAtWork, serves_since, type Release } from '#server/db/releases.ts'
import { version } from '#server/start/version.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'
import { openFoyer } from '#test/foyer.ts'

const own: Release = { version: '1.9.0', serves_since: '1.8.2' }
const known = ['0001-first', '0002-second']
const later = [...known, '0003-later']
const fit = (executed: string[], ...releases: Release[]) => fitOf({ executed, known, releases }, own)

test('an empty database, that of this release and that of the one before are ours', () => {
  expect(fit([])).toBe('ours')
  expect(fit(known, { version: '1.9.0', serves_since: '1.8.2' })).toBe('ours')
  expect(fit(['0001-first'], { version: '1.8.2', serves_since: '1.7.0' })).toBe('ours')
})

test('one that the next release has upgraded is served, but not changed', () => {
  const next = { version: '1.10.0', serves_since: '1.9.0' }
  expect(fit(later, { version: '1.9.0', serves_since: '1.8.2' }, next)).toBe('newer')
})

test('one upgraded by a release that brought no migration is left alone, too: its functions and jobs are others', () => {
  expect(fit(known, { version: '1.10.0', serves_since: '1.9.0' })).toBe('newer')
  expect(() => fit(known, { version: '1.11.0', serves_since: '1.10.0' })).toThrow(
    'on which nodes since 1.10.0 can work',
  )
})

test('one that a release after the next has upgraded is too new', () => {
  expect(() => fit(later, { version: '1.11.0', serves_since: '1.10.0' })).toThrow(
    'The database was upgraded to Foyer 1.11.0, on which nodes since 1.10.0 can work; this one is 1.9.0. ' +
      'Start the newer program, or restore the backup that was made before it.',
  )
})

test('one with changes of no known release is too new', () => {
  expect(() => fit(later)).toThrow('it has been through 0003-later, which this program does not have')
  expect(() => fit(later, own)).toThrow('The database is newer than this program, Foyer 1.9.0')
})

test('one of a release before the last is too old, as what its next release does in the background is not done', () => {
  expect(() => fit(['0001-first'], { version: '1.7.0', serves_since: '1.6.0' })).toThrow(
    'The database is of Foyer 1.7.0, and 1.9.0 upgrades those since 1.8.2. Upgrade to 1.8.2 first',
  )
})

test('the release before is the one that CHANGELOG.md names below this one', () => {
  const changes = fs.readFileSync(path.join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
  const listed = [...changes.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, release = '']) => release)
  expect(listed.slice(0, 2)).toEqual([version, serves_since])
  expect(listed).toEqual(listed.toSorted(compareVersions).toReversed())
})

let database: TestDatabase
let admin: Client
beforeAll(async () => {
  database = await freshDatabase()
  admin = await connect(database.adminUrl)
})
afterAll(async () => {
  await admin.end()
  await database.drop()
})
const ofLogin = async (login: string) =>
  (
    await admin.query<{ name: string }>(
      `select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace
         and has_function_privilege($1, oid, 'execute') order by 1`,
      [login],
    )
  ).rows
const queueNames = async () => (await admin.query('select name from pgboss.queue order by 1')).rows

test('nodes of the release before may be at work until the release after has come, and from the start not where there were none', () => {
  expect(leavesAtWork([], '1.9.0')).toBe(true)
  expect(leavesAtWork([own], '1.9.0')).toBe(true)
  expect(leavesAtWork([{ version: '1.10.0', serves_since: '1.9.0' }, own], '1.9.0')).toBe(false)
  expect(leavesAtWork([{ version: '1.9.0', serves_since: '1.9.0' }], '1.9.0')).toBe(false)
})

test('a database that this release has made names it as the oldest that may be at work', async () => {
  const { rows } = await admin.query('select version, serves_since from releases')
  expect(rows).toEqual([{ version, serves_since: version }])
})

test('a start of the release before leaves what the next one has made: functions, rights and queues', async () => {
  const guest = new URL(database.guestUrl).username
  await admin.query(`insert into kysely_migration values ('9001-next', '2027-01-01')`)
  await admin.query('insert into releases values ($1, $2)', ['99.0.0', version])
  await admin.query(`create function door_of_the_next() returns integer language sql as 'select 1'`)
  await admin.query(`grant execute on function door_of_the_next() to "${guest}"`)
  const before = { rights: await ofLogin(guest), queues: await queueNames() }
  expect(await migrate(database.ownerUrl, queues.slice(1), { folder: migrations_folder })).toEqual([])
  await checkMigrated(database.appUrl)
  expect({ rights: await ofLogin(guest), queues: await queueNames() }).toEqual(before)

  await admin.query(`insert into pgboss.schedule (name, cron) values ('cleanup', '1 2 3 4 *')`)
  const older = await openFoyer({ database: { ...database, drop: async () => {} }, env: { ROLES: 'jobs' } })
  const kept = async () => (await admin.query('select name, cron from pgboss.schedule')).rows
  expect(await kept()).toEqual([{ name: 'cleanup', cron: '1 2 3 4 *' }])
  await older.close()

  await admin.query(`update releases set serves_since = '99.0.0' where version = '99.0.0'`)
  const too_new = 'on which nodes since 99.0.0 can work'
  await expect(migrate(database.ownerUrl, queues)).rejects.toThrow(too_new)
  await expect(checkMigrated(database.appUrl)).rejects.toThrow(too_new)
})
