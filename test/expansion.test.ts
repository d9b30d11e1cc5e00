// Expansion: migrations since the release take nothing away from its nodes, and change no table while these wait. What a later
// release may take away is named in scripts/release.ts.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  applyMigrations,
  migrationNames,
  migrations_folder,
  migrationText,
  prepareBookkeeping,
} from '#server/db/apply-migrations.ts'
import { applyFunctions } from '#server/db/apply-functions.ts'
import { connect } from '#server/db/logins.ts'
import { effectsOf, type Effects } from '#server/db/rehearsal.ts'
import { reliedOn, takenAway, type Relied } from '#scripts/expansion.ts'
import { contracted, long_work, released_migration } from '#scripts/release.ts'
import { emptyDatabase, type TestDatabase } from '#test/database.ts'

const names = migrationNames(migrations_folder)
let database: TestDatabase
let owner: Client
let before: Relied
beforeAll(async () => {
  database = await emptyDatabase()
  owner = await connect(database.ownerUrl)
  await prepareBookkeeping(owner)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-released-'))
  for (const name of names.filter((one) => one <= released_migration))
    fs.writeFileSync(path.join(folder, `${name}.sql`), migrationText(migrations_folder, name))
  await applyMigrations(owner, { folder, patience: { lock_ms: 1000, tries_ms: 0 } })
  fs.rmSync(folder, { recursive: true })
  before = await reliedOn(owner)
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

/** Small, and the same for every customer. */
const lookup = /_(types|methods|fonts|layouts)$|^(countries|installation|releases)$/
function longWork({ rewritten, indexed, read }: Effects): string[] {
  return [
    ...rewritten.map((table) => `rewrites ${table}`),
    ...indexed.map((table) => `builds an index of ${table}: in server/db/backfills, concurrently`),
    ...read.filter((table) => !lookup.test(table)).map((table) => `reads ${table}: in server/db/backfills, in chunks`),
  ]
}

async function tried<T>(work: () => Promise<T>): Promise<T> {
  await owner.query('begin')
  try {
    return await work()
  } finally {
    await owner.query('rollback')
  }
}

describe('the check', () => {
  test.each([
    ['alter table accounts drop column email cascade', /gone: column accounts\.email text/],
    ['alter table accounts rename column email to mail', /gone: column accounts\.email text/],
    [
      'alter table accounts alter column external_reference type varchar(80)',
      /gone: column accounts\.external_reference text/,
    ],
    ['alter table accounts rename to guests_accounts', /gone: table accounts/],
    ['drop table occupancy_nights cascade', /gone: table occupancy_nights/],
    ['alter table accounts alter column active drop default', /gone: default of accounts\.active/],
    ['alter table accounts add column must integer not null', /new: not null accounts\.must/],
    ['alter table accounts alter column email set not null', /new: not null accounts\.email/],
    ["alter table accounts add check (name <> 'x') not valid", /new: constraint .* on accounts/],
    ['create unique index on accounts (customer_id, name)', /new: unique .* accounts/],
    ['drop function door_session(bytea, timestamptz) ', /gone: function door_session/],
    ['revoke update on accounts from foyer_app', /gone: UPDATE on accounts for foyer_app/],
  ])('reports %s', async (statement, problem) => {
    const problems = await tried(async () => {
      const text = statement.includes('door_session(') ? await dropOf('door_session') : statement
      await owner.query(text)
      return takenAway(before, await reliedOn(owner))
    })
    expect(problems).toContainEqual(expect.stringMatching(problem))
  })
  const dropOf = async (name: string) =>
    (
      await owner.query<{ drop: string }>(
        `select format('drop function %s', oid::regprocedure) as drop from pg_proc where proname = $1`,
        [name],
      )
    ).rows[0]?.drop ?? ''

  test.each([
    ['alter table accounts alter column external_reference type varchar(80)', 'rewrites accounts'],
    ['alter table accounts add column made text generated always as (name) stored', 'rewrites accounts'],
    ['alter table accounts add column made float default random()', 'rewrites accounts'],
    ['update accounts set name = name', 'reads accounts'],
    ["do $$ begin if true then delete from accounts where name = 'x'; end if; end $$", 'reads accounts'],
    ['create table made as select * from accounts', 'reads accounts'],
    ['create index on accounts (email)', 'builds an index of accounts'],
    ["select make_list('accounts', 'email')", 'builds an index of accounts'],
  ])('reports the long work of %s', async (statement, problem) => {
    const effects = await tried(() => effectsOf(owner, () => owner.query(statement)))
    expect(longWork(effects)).toContainEqual(expect.stringContaining(problem))
  })

  test('lets what is new stand beside what is there', async () => {
    const { problems, effects } = await tried(async () => {
      const made = `alter table accounts add column made integer, add column since integer not null default 1;
        create table made (customer_id integer not null references customers, id integer unique, name text not null);
        create index on made (name); insert into made (customer_id, name) select 1, 'x' where false;
        create function door_session(made integer) returns integer language sql return 1;`
      const found = await effectsOf(owner, () => owner.query(made))
      return { problems: takenAway(before, await reliedOn(owner)), effects: found }
    })
    expect(problems).toEqual([])
    expect(longWork(effects)).toEqual([])
    expect(effects.locked).toContainEqual({ table: 'accounts', reads: true })
  })
})

test('each migration since the release takes milliseconds, however many rows there are', async () => {
  const found: string[] = []
  for (const name of names.filter((one) => one > released_migration)) {
    await owner.query('begin')
    const effects = await effectsOf(owner, () => owner.query(migrationText(migrations_folder, name)))
    await owner.query('commit')
    found.push(...longWork(effects).map((work) => `${name} ${work}`))
  }
  expect(found.filter((work) => !Object.hasOwn(long_work, work))).toEqual([])
})

test('nodes of the release find all that they rely on', async () => {
  await owner.query('begin')
  await applyFunctions(owner)
  await owner.query('commit')
  expect(takenAway(before, await reliedOn(owner))).toEqual(Object.keys(contracted))
})
