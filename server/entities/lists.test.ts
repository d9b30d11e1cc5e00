// Lists: paging through a long list gives every row once, in any order, and the totals are right.
import type { Client } from 'pg'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as devices from '#contract/devices.ts'
import * as properties from '#contract/properties.ts'
import * as attempts from '#contract/sign-in-attempts.ts'
import { fieldUnknown } from '#contract/unknown-fields.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { openTenancy } from '#server/access/tenancy.ts'
import { connect } from '#server/db/logins.ts'
import { invalid } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

const rows = 12_000
let foyer: TestFoyer
let admin: Client
let editor: Person
let group_id: number

beforeAll(async () => {
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
  editor = await foyer.customer()
  group_id = (await foyer.group(editor)).id
  // Every second one is a Grand, every hundredth is in the group; many have the same creation time.
  await admin.query(
    `insert into properties (customer_id, name, group_id, active, created_at)
     select $1, case when i % 2 = 0 then 'Grand ' else 'Plain ' end || i % 1000,
       case when i % 100 = 0 then $2::integer end, i % 2 = 0, now() - (i / 7) * interval '1 second'
     from generate_series(1, $3) as i`,
    [editor.user.customer.id, group_id, rows],
  )
  await admin.query('analyze properties')
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

type Ask = Parameters<typeof foyer.get<typeof properties.list>>[1]
const page = (ask: Ask) => foyer.get(properties.list, ask, editor)

/** Reads page by page to the end; returns the ids in their order. */
async function walk(ask: Ask): Promise<number[]> {
  const ids: number[] = []
  let cursor: string | null = null
  do {
    const { data, meta }: Awaited<ReturnType<typeof page>> = await page({ ...ask, per_page: 200, cursor })
    ids.push(...data.map((row) => row.id))
    cursor = meta.next_cursor
  } while (cursor !== null)
  return ids
}
const stored = async (where: string, order: string) =>
  (
    await admin.query<{ id: number }>(
      `select id from properties where customer_id = $1 and ${where} order by ${order}`,
      [editor.user.customer.id],
    )
  ).rows.map((row) => row.id)

test.each([
  ['newest first', {}, 'true', 'created_at desc, id desc'],
  ['by name, though names repeat', { sort: 'name' }, 'true', 'name, id'],
  ['by name backwards', { sort: '-name' }, 'true', 'name desc, id desc'],
  ['of no group', { filters: { group_id: null } }, 'group_id is null', 'created_at desc, id desc'],
  ['of one status', { filters: { status: 'active' } }, 'active', 'created_at desc, id desc'],
  ['of two statuses', { filters: { status: ['active', 'draft'] } }, 'active', 'created_at desc, id desc'],
  ['with a common word', { searchValue: 'gRand' }, `name like 'Grand%'`, 'created_at desc, id desc'],
  ['with a common word, by name', { searchValue: 'grand', sort: 'name' }, `name like 'Grand%'`, 'name, id'],
  ['with a rare word', { searchValue: 'grand 777' }, 'false', 'id'],
  ['with a rarer word', { searchValue: 'plain 777' }, `name = 'Plain 777'`, 'created_at desc, id desc'],
] as const)('a list %s is paged to its end without gaps or duplicates', async (_, ask, where, order) => {
  expect(await walk(ask as Ask)).toEqual(await stored(where, order))
})

test('the total is counted up to 1,000, without what is excluded or before the cursor', async () => {
  const first = await page({ per_page: 200 })
  expect(first.meta).toMatchObject({ total: 1000, more: true, to: 200 })
  const ids = await walk({})
  const excludeIds = ids.slice(0, 5000)
  const rest = await page({ excludeIds })
  expect(rest.meta).toMatchObject({ total: 1000, more: true, to: 50 })
  expect(rest.data[0]?.id).toBe(ids[5000])
  const last = await page({ excludeIds, filters: { group_id }, per_page: 200 })
  expect(last.meta.total).toBe(last.meta.to)
})

test('a total that is requested by itself is exact, whatever is searched, filtered or excluded', async () => {
  const count = async (ask: Ask) => (await page({ ...ask, per_page: 0, count: true })).meta
  expect(await count({})).toMatchObject({ total: rows, from: 0, to: 0, per_page: 0, next_cursor: null })
  expect((await count({})).more).toBeUndefined()
  expect((await count({ searchValue: 'grand' })).total).toBe(rows / 2)
  expect((await count({ filters: { status: 'active' } })).total).toBe((await stored('active', 'id')).length)
  const ids = (await page({ per_page: 200 })).data.map((row) => row.id)
  expect((await count({ excludeIds: ids })).total).toBe(rows - 200)
  const refused = await foyer.ask(properties.list, { count: true }, editor)
  expectRefused(refused, invalid({ count: ['Counting takes per_page 0'] }))
})

test('without rows, the total is counted like a page’s', async () => {
  expect((await page({ per_page: 0 })).meta).toMatchObject({ total: 1000, more: true, to: 0, next_cursor: null })
})

test('a parent outside params is refused, not ignored', async () => {
  const outside = await foyer.send(properties.list, { group_id, sort: 'name' }, editor)
  expectRefused(outside, invalid({ group_id: ['Lists do not have this field; parents belong in params'] }))
  const inParams = await foyer.send(properties.list, { params: { room_id: 1 } }, editor)
  expectRefused(inParams, invalid({ 'params.room_id': [fieldUnknown] }))
})

test('the total of a common word is a lower bound', async () => {
  const { meta } = await page({ searchValue: 'grand' })
  expect(meta).toMatchObject({ to: 50, more: true })
  expect(meta.total).toBeGreaterThan(50)
  expect(meta.total).toBeLessThanOrEqual(rows / 2)
  const few = await page({ searchValue: 'grand', params: { group_id } })
  expect(few.meta).toMatchObject({ total: rows / 100, to: 50 })
  expect(few.meta.more).toBeUndefined()
})

test('a filter and a parent of the same name both apply', async () => {
  const other = await foyer.group(editor)
  expect((await page({ filters: { group_id }, params: { group_id: other.id } })).data).toEqual([])
  expect((await page({ filters: { group_id: [group_id, other.id] }, params: { group_id } })).meta.total).toBe(
    rows / 100,
  )
})

test('a search text is literal: wildcards have no meaning', async () => {
  for (const searchValue of ['%', '_', '%grand%', 'gra_d', '\\']) expect((await page({ searchValue })).data).toEqual([])
})

test('names for a dropdown are searched by word, parent and status, in order of name, with the parent in each row', async () => {
  const ask = { searchValue: 'plain', params: { group_id }, sort: 'name', per_page: 5 } as const
  expect((await foyer.get(properties.nameList, ask, editor)).data).toEqual([])
  const { data, meta } = await foyer.get(properties.nameList, { ...ask, searchValue: 'grand 1' }, editor)
  const names = data.map((row) => row.name)
  expect(names).toEqual(names.toSorted())
  expect(data.every((row) => row.group_id === group_id && row.name.startsWith('Grand 1'))).toBe(true)
  expect(meta.to).toBe(5)
  const drafts = await foyer.get(properties.nameList, { filters: { status: 'draft' } }, editor)
  expect(drafts.meta.total).toBe(0)
})

/** One each minute, the newest first. */
async function manyDevices(of: Person, many: number) {
  const property_id = (await foyer.property(of)).id
  await admin.query(
    `insert into devices (customer_id, property_id, name, mac_address, created_at)
     select $1, $2, 'Device ' || i,
       ('02:00:' || $4::text || ':00:' || lpad(to_hex(i / 256), 2, '0') || ':' || lpad(to_hex(i % 256), 2, '0'))::macaddr,
       now() - i * interval '1 minute' from generate_series(1, $3) as i`,
    [of.user.customer.id, property_id, many, String(of.user.customer.id % 100).padStart(2, '0')],
  )
}

test('a page of many records of one property is read from its index, without sorting all of them', async () => {
  await manyDevices(editor, 20_000)
  await admin.query('analyze devices')
  const tenancy = openTenancy(foyer.database)
  const plan = await tenancy.enter(callerOfJob(editor.user.customer.id, 'test'), 'read', (scope) =>
    scope.run(sql<{ 'QUERY PLAN': string }>`
      explain select t.id from devices as t where ${scope.inReach('devices', 't')}
      order by t.created_at desc, t.id desc limit 50`),
  )
  await tenancy.close()
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).not.toContain('Sort')
})

test('a customer with few rows does not scan a table whose rows are mostly another’s', async () => {
  const large = await foyer.customer()
  const small = await foyer.customer()
  await manyDevices(large, 20_000)
  await manyDevices(small, 1500)
  await admin.query('analyze devices')
  const read = async () => {
    const { rows } = await admin.query<{ from_beginning: number; by_index: number }>(
      `select seq_tup_read as from_beginning, idx_tup_fetch as by_index from pg_stat_user_tables where relname = 'devices'`,
    )
    if (!rows[0]) throw new Error('there is no table of devices')
    return rows[0]
  }
  const before = await read()
  // Often enough for PostgreSQL to plan it once for all customers.
  for (let asked = 0; asked < 12; asked++) {
    const { data } = await foyer.get(devices.list, { filters: { status: ['active'] } }, small)
    expect(data).toHaveLength(50)
  }
  // The statistics are reported some seconds later.
  await vi.waitFor(async () => expect((await read()).by_index).toBeGreaterThan(before.by_index), { timeout: 60_000 })
  expect((await read()).from_beginning).toBe(before.from_beginning)
})

test('a rare word is found for a customer with most of the rows, and for one with few', async () => {
  const large = await foyer.customer()
  const small = await foyer.customer()
  await manyDevices(large, 20_000)
  await manyDevices(small, 1500)
  await admin.query('analyze devices')
  // Beyond the newest thousand, which are searched first.
  const search = async (who: Person) =>
    (await foyer.get(devices.list, { searchValue: 'device 1444' }, who)).data.map(({ name }) => name)
  // The last is found by its MAC, which ends in 14:44.
  expect((await search(large)).toSorted()).toEqual([
    'Device 11444',
    'Device 1444',
    ...Array.from({ length: 10 }, (_, n) => `Device 1444${n}`),
    'Device 5188',
  ])
  expect(await search(small)).toEqual(['Device 1444'])
})

test('totals of what row security keeps trials out of are read from an index that has none of theirs', async () => {
  const { rows: without } = await admin.query<{ name: string }>(`
    select p.tablename as name from pg_policies p where p.policyname = 'trials_stand_apart' and p.roles = '{foyer_app}'
      and not exists (select from pg_indexes i where i.tablename = p.tablename and i.indexname = p.tablename || '_counted'
        and i.indexdef like '%(customer_id, property_id) WHERE%(trial_id IS NULL)%')`)
  expect(without).toEqual([])
  const { id: gateway_id } = await foyer.gateway(editor, { property_id: (await foyer.property(editor)).id })
  await admin.query(
    `insert into radius_authorisations (customer_id, property_id, gateway_id, identifier, accepted, reason)
     select customer_id, property_id, id, 'guest ' || i, true, 'accepted' from gateways, generate_series(1, 5000) as i where id = $1`,
    [gateway_id],
  )
  // Rows whose commit has not reached the disk are not visible to all yet.
  const visible = async () => {
    await admin.query('vacuum analyze radius_authorisations')
    const { rows: tables } = await admin.query<{ pages: number }>(
      `select relallvisible as pages from pg_class where oid = 'radius_authorisations'::regclass`,
    )
    return tables[0]?.pages
  }
  await expect.poll(visible, { timeout: 30_000 }).toBeGreaterThan(0)
  const read = async () =>
    (
      await admin.query<{ rows: number }>(
        `select idx_tup_read::integer as rows from pg_stat_user_indexes where indexrelname = 'radius_authorisations_counted'`,
      )
    ).rows[0]?.rows
  const before = await read()
  const { meta } = await foyer.get(attempts.list, { count: true, per_page: 0 }, editor)
  expect(meta.total).toBe(5000)
  // The statistics are reported some seconds later.
  await expect.poll(read, { timeout: 60_000 }).toBe((before ?? 0) + 5000)
})
