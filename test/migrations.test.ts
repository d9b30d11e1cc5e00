// Migrations beside nodes that serve: each is a transaction of its own that gives up a lock which is not free, and is tried again.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { queues } from '#server/apps/jobs.ts'
import { applyFunctions } from '#server/db/apply-functions.ts'
import { inTransaction, migrations_folder, type Progress } from '#server/db/apply-migrations.ts'
import { connect } from '#server/db/logins.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { releasesOf } from '#server/db/releases.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { version } from '#server/start/version.ts'
import { emptyDatabase, freshDatabase, type TestDatabase } from '#test/database.ts'

let database: TestDatabase
/** Another node's connection. */
let node: Client
let folder: string
beforeAll(async () => void (database = await freshDatabase()))
afterAll(() => database.drop())
beforeEach(async () => {
  node = await connect(database.adminUrl)
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-migrations-'))
  fs.cpSync(migrations_folder, folder, { recursive: true })
})
afterEach(async () => {
  await node.end()
  fs.rmSync(folder, { recursive: true })
})

/** Of all tests so far, as a database that has been through more than the program knows is refused. */
const migrations: Record<string, string> = {}
function add(more: Record<string, string>) {
  Object.assign(migrations, more)
  for (const [name, text] of Object.entries(migrations)) fs.writeFileSync(path.join(folder, `${name}.sql`), text)
}
const hasTable = async (name: string) =>
  (await node.query<{ there: boolean }>('select to_regclass($1) is not null as there', [name])).rows[0]?.there
const limits = { others_ms: 300, lock_ms: 100, tries_ms: 300 }

test('one whose table is locked is not half done, says so, and the next start goes on with it', async () => {
  add({
    '9001-made': 'create table made_before (id integer)',
    '9002-locked': 'create table half_made (id integer); alter table customers add column made_by_a_test integer',
  })
  await node.query('begin; lock table customers in access share mode')
  const refusal: unknown = await migrate(database.ownerUrl, queues, { folder, limits }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(CannotStart)
  expect(String(refusal)).toMatch(/could not be upgraded.*No migration is half done/)
  expect([await hasTable('made_before'), await hasTable('half_made')]).toEqual([true, false])

  // With more patience it waits until the lock is free.
  const seen: Parameters<Progress>[0][] = []
  const progress: Progress = (at) => seen.push(at)
  const goingOn = migrate(database.ownerUrl, queues, { folder, limits: { ...limits, tries_ms: 60_000 }, progress })
  await expect.poll(() => seen.length, { timeout: 60_000 }).toBeGreaterThan(2)
  await node.query('rollback')
  expect(await goingOn).toEqual(['9002-locked'])
  expect([seen.at(0), seen.at(-1)]).toEqual([
    { done: 0, total: 1, name: '9002-locked' },
    { done: 1, total: 1, name: null },
  ])
})

test('of a deadlock with a node, the node goes on and the migration is tried again', async () => {
  add({
    '9003-deadlock': 'alter table properties add column made integer; alter table gateways add column made integer',
  })
  await node.query('begin; select from gateways')
  const migrating = migrate(database.ownerUrl, queues, { folder })
  const observer = await connect(database.adminUrl)
  const waiting = `select count(*)::int as n from pg_locks where not granted and relation = 'gateways'::regclass`
  await expect
    .poll(async () => (await observer.query(waiting)).rows, { timeout: 60_000, interval: 20 })
    .toEqual([{ n: 1 }])
  await observer.end()
  await node.query('select from properties')
  await node.query('commit')
  expect(await migrating).toEqual(['9003-deadlock'])
})

test('one that fails is named, those before it stay, and what asks to stop is heard between two', async () => {
  add({
    '9004-made': 'create table made_then (id integer)',
    '9005-wrong': 'create table half (id integer); select 1 / 0',
  })
  await expect(migrate(database.ownerUrl, queues, { folder })).rejects.toMatchObject({
    message: 'The migration 9005-wrong failed, and it is not half done: those before it are',
    cause: { message: 'division by zero' },
  })
  expect([await hasTable('made_then'), await hasTable('half')]).toEqual([true, false])
  add({ '9005-wrong': '', '9006-more': 'create table made_later (id integer)' })
  const stop = new Error('asked to stop')
  const progress: Progress = ({ name }) => {
    if (name === '9006-more') throw stop
  }
  await expect(migrate(database.ownerUrl, queues, { folder, progress })).rejects.toBe(stop)
  expect(await migrate(database.ownerUrl, queues, { folder })).toEqual(['9006-more'])
})

test('an empty database gets all of them or nothing', async () => {
  add({ '9005-wrong': 'select 1 / 0' })
  const empty = await emptyDatabase()
  try {
    await expect(migrate(empty.ownerUrl, queues, { folder })).rejects.toThrow('and nothing was changed')
    const owner = await connect(empty.ownerUrl)
    const { rows } = await owner.query(`select to_regclass('customers') as made`)
    await owner.end()
    expect(rows).toEqual([{ made: null }])
  } finally {
    await empty.drop()
  }
})

test('a database whose first start ended after its migrations is one that this release has made', async () => {
  const empty = await emptyDatabase()
  try {
    const stop = new Error('the node was asked to stop')
    const progress: Progress = ({ name }) => {
      if (name === null) throw stop
    }
    await expect(migrate(empty.ownerUrl, queues, { folder: migrations_folder, progress })).rejects.toBe(stop)
    expect(await migrate(empty.ownerUrl, queues)).toEqual([])
    const owner = await connect(empty.ownerUrl)
    expect(await releasesOf(owner)).toEqual([{ version, serves_since: version }])
    await owner.end()
  } finally {
    await empty.drop()
  }
})

test('roles that nobody has made are asked for before anything is, and are not needed where one login serves all', async () => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-roles-'))
  const server = await startEmbedded({ directory, fast: true })
  try {
    const admin = await connect(server.url)
    await admin.query(`create role foyer_owner login password 'owner'; create role foyer_app login password 'app'`)
    await admin.query(`create database foyer owner foyer_owner template template0 locale_provider icu icu_locale 'und'`)
    await admin.end()
    const url = new URL('/foyer', server.url)
    Object.assign(url, { username: 'foyer_owner', password: 'owner' })
    const made = async () => {
      const owner = await connect(url.href)
      const { rows } = await owner.query(
        `select from pg_tables where schemaname = 'public' and tablename = 'customers'`,
      )
      await owner.end()
      return rows.length === 1
    }
    await expect(migrate(url.href, queues)).rejects.toThrow('need the roles foyer_auth and foyer_guest')
    expect(await made()).toBe(false)
    await migrate(url.href, queues, { one_login: true })
    expect(await made()).toBe(true)
  } finally {
    await server.stop()
    fs.rmSync(directory, { recursive: true })
  }
})

describe('functions', () => {
  const file = (text: string) => fs.writeFileSync(path.join(folder, 'made_by_a_test.sql'), text)
  const returning = (value: number) =>
    `create or replace function made_by_a_test() returns integer language sql return ${value};`
  const apply = async () => {
    const owner = await connect(database.ownerUrl)
    try {
      return await inTransaction(owner, () => applyFunctions(owner, folder))
    } finally {
      await owner.end()
    }
  }
  const value = async () => (await node.query('select made_by_a_test() as value')).rows
  beforeEach(() => {
    for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name))
  })

  test('are replaced when their text has changed, and only then', async () => {
    file(returning(1))
    expect(await apply()).toEqual(['made_by_a_test'])
    expect(await apply()).toEqual([])
    file(returning(2))
    expect(await apply()).toEqual(['made_by_a_test'])
    expect(await value()).toEqual([{ value: 2 }])
  })

  test('say what they do by the comment above them, in one line; another one is put in its place', async () => {
    const comment = async () =>
      (await node.query(`select obj_description('made_by_a_test()'::regprocedure, 'pg_proc') as said`)).rows[0]
    file(`-- Answers one.\n-- Nobody's customer calls it.\n\n${returning(1)}`)
    await apply()
    expect(await comment()).toEqual({ said: `Answers one. Nobody's customer calls it.` })
    file(`-- Answers two.\n\n${returning(2)}`)
    await apply()
    expect(await comment()).toEqual({ said: 'Answers two.' })
    file(returning(2))
    await apply()
    expect(await comment()).toEqual({ said: null })
  })

  test('may need each other, whatever their names', async () => {
    fs.writeFileSync(
      path.join(folder, 'a_test.sql'),
      'create function a_test() returns integer language sql return z_test();',
    )
    fs.writeFileSync(path.join(folder, 'z_test.sql'), 'create function z_test() returns integer language sql return 5;')
    expect((await apply()).toSorted()).toEqual(['a_test', 'z_test'])
    fs.writeFileSync(
      path.join(folder, 'wrong.sql'),
      'create function wrong() returns nothing_known language sql return 5;',
    )
    await expect(apply()).rejects.toThrow('The function wrong could not be applied')
  })
})
