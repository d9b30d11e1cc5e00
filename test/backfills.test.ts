// Backfills: rows are filled in chunks while the table is written, a killed node's are gone on with, and one node does so at a time.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBackfills, pendingBackfills, runBackfills } from '#server/db/backfills.ts'
import { connect } from '#server/db/logins.ts'
import { noLog, openLog } from '#server/watch/log.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'

let database: TestDatabase
let owner: Client
let folder: string
beforeAll(async () => {
  database = await freshDatabase()
  owner = await connect(database.ownerUrl)
  await owner.query(`insert into customers (name) values ('A'), ('B'), ('C')`)
  // Not one after the other, as customers' records are made at the same time.
  await owner.query(
    `insert into groups (customer_id, name) select c.id, 'Group ' || i from generate_series(1, 250) as i, customers as c
     where c.name <> 'B' order by i, c.id`,
  )
  await owner.query('alter table groups add column filled text')
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})
beforeEach(() => void (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-backfills-'))))
afterEach(async () => {
  fs.rmSync(folder, { recursive: true })
  await owner.query('select pg_advisory_unlock_all(); update groups set filled = null')
})

const fills = `-- Fills for a test.
-- table: groups
update groups set filled = coalesce(filled, '') || 'x' where customer_id = $1 and id > $2 and id <= $3;`
const add = (name: string, text: string) => fs.writeFileSync(path.join(folder, `${name}.sql`), text)
const filled = async () => (await owner.query('select filled, count(*)::int as n from groups group by 1')).rows
const running = { progress: () => {}, rest: 0, signal: new AbortController().signal }

test('every row is filled once, in chunks, and it is done', async () => {
  add('9001-filled', fills)
  const seen: number[] = []
  const progress = (_name: string, rows: number) => void seen.push(rows)
  expect(await runBackfills(owner, { ...running, folder, progress, chunk_rows: 60 })).toBe(true)
  expect(await filled()).toEqual([{ filled: 'x', n: 500 }])
  // Of a customer without rows there is no chunk.
  expect(seen.filter((rows, index) => rows !== (seen[index - 1] ?? 0))).toEqual([
    60, 120, 180, 240, 250, 310, 370, 430, 490, 500,
  ])
  expect(await pendingBackfills(owner, folder)).toEqual([])
})

test('what is ended in the middle is gone on with by another node, and no row is changed twice', async () => {
  add('9002-ended', fills)
  const ending = new AbortController()
  const first = await connect(database.ownerUrl)
  const progress = (_name: string, rows: number) => void (rows >= 300 && ending.abort())
  await runBackfills(first, { ...running, folder, progress, signal: ending.signal, chunk_rows: 50 })
  expect(await filled()).toContainEqual({ filled: 'x', n: 300 })
  // Its connection still holds the right to fill.
  expect(await runBackfills(owner, { ...running, folder })).toBe(false)
  await first.end()
  await expect.poll(() => runBackfills(owner, { ...running, folder }), { timeout: 30_000 }).toBe(true)
  expect(await filled()).toEqual([{ filled: 'x', n: 500 }])
})

test('a chunk whose rows are locked gives way, and is tried again', async () => {
  add('9003-locked', fills)
  const node = await connect(database.ownerUrl)
  // A transaction would see the same activity until its end.
  const observer = await connect(database.ownerUrl)
  await node.query('begin; update groups set name = name where id = (select max(id) from groups)')
  const filling = runBackfills(owner, { ...running, folder })
  const gaveWay = `select wait_event_type = 'Lock' as waits from pg_stat_activity where query like '%update groups set filled%'
    and pid <> pg_backend_pid()`
  await expect
    .poll(async () => (await observer.query(gaveWay)).rows, { timeout: 30_000, interval: 20 })
    .toEqual([{ waits: true }])
  await expect.poll(async () => (await observer.query(gaveWay)).rows, { timeout: 30_000, interval: 20 }).toEqual([])
  await node.query('commit')
  await node.end()
  await observer.end()
  expect(await filling).toBe(true)
  expect(await filled()).toEqual([{ filled: 'x', n: 500 }])
})

test('an index is built without a lock, anew if half of one is left, by the node that serves', async () => {
  // What a node leaves that is killed while it builds one.
  await owner.query(`create unique index groups_filled on groups (name)`).catch(() => {})
  await expect(owner.query('create unique index concurrently groups_filled on groups (name)')).rejects.toThrow()
  add(
    '9004-index',
    '-- Finds by what is filled.\n-- once\ncreate index concurrently if not exists groups_filled on groups (filled);',
  )
  const { close } = openBackfills({ ownerUrl: database.ownerUrl, log: noLog, folder })
  await expect.poll(() => pendingBackfills(owner, folder), { timeout: 30_000 }).toEqual([])
  await close()
  const { rows } = await owner.query(
    `select indisvalid as valid, pg_get_indexdef(indexrelid) as is from pg_index where indexrelid = 'groups_filled'::regclass`,
  )
  expect(rows).toEqual([{ valid: true, is: expect.stringContaining('(filled)') }])
})

test('a node that stops does not wait for what it has the database build', async () => {
  add('9005-long', '-- Takes long.\n-- once\nselect pg_sleep(3600);\nupdate groups set filled = 1;')
  const lines: string[] = []
  const log = openLog({ format: 'json', level: 'warn' }, { write: (line) => void lines.push(line) })
  const { close } = openBackfills({ ownerUrl: database.ownerUrl, log, folder })
  const builds = async () =>
    (
      await owner.query(
        `select pid from pg_stat_activity where query like '%pg_sleep(3600)%' and pid <> pg_backend_pid()`,
      )
    ).rows
  await expect.poll(builds, { timeout: 30_000 }).toHaveLength(1)
  await close()
  expect(await builds()).toHaveLength(1)
  expect(lines).toEqual([])
  // Nobody else is at it meanwhile; afterwards the next node is.
  expect(await runBackfills(owner, { ...running, folder })).toBe(false)
  await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(3600)%'
    and pid <> pg_backend_pid()`)
  await expect.poll(builds, { timeout: 30_000 }).toEqual([])
  expect(await filled()).toEqual([{ filled: null, n: 500 }])
  expect(await pendingBackfills(owner, folder)).toHaveLength(1)
})
