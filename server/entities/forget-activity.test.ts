// Forgetting lines of the activity log: by age alone, and nobody is taken for new because of it.
import fs from 'node:fs'
import path from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#server/db/logins.ts'
import { forgetActivity } from '#server/entities/forget-activity.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
let admin: Client
beforeAll(async () => {
  foyer = await openFoyer({ env: { ROLES: 'api' } })
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

const day_ms = 86_400_000

test('lines older than the setting go, and others stay', async () => {
  const editor = await foyer.customer()
  const { id } = editor.user.customer
  await foyer.group(editor)
  const line = (name: string, days: number) =>
    admin.query(
      `insert into activity (customer_id, principal_kind, action, object_type, object_name, created_at)
       values ($1, 'job', 'create', 'groups', $2, now() - interval '1 day' * $3)`,
      [id, name, days],
    )
  await line('old', 101)
  await line('recent', 99)
  await forgetActivity(foyer.services.tenancy, { activity_kept_ms: 100 * day_ms })
  const { rows } = await admin.query<{ object_name: string }>(
    `select object_name from activity where customer_id = $1 and principal_kind = 'job'`,
    [id],
  )
  expect(rows.map(({ object_name }) => object_name)).toEqual(['recent'])
  const { rows: kept } = await admin.query<{ days: number }>(
    `select round(extract(epoch from now() - activity_kept_since) / 86400)::integer as days from customers where id = $1`,
    [id],
  )
  expect(kept).toEqual([{ days: 100 }])
})

test('a step is as long as it may be for all customers together, and steps get to the end', async () => {
  const ids = await Promise.all([1, 2, 3].map(async () => (await foyer.customer()).user.customer.id))
  await admin.query(
    `insert into activity (customer_id, principal_kind, action, object_type, created_at)
     select id, 'job', 'create', 'groups', now() - interval '500 days' from unnest($1::integer[]) as id, generate_series(1, 4)`,
    [ids],
  )
  const left = async () => {
    const { rows } = await admin.query<{ left: number }>(
      `select count(*)::integer as left from activity where customer_id = any($1) and created_at < now() - interval '400 days'`,
      [ids],
    )
    return rows[0]?.left
  }
  const step = async () => {
    const { rows } = await admin.query<{ more: boolean }>(`select door_forget_activity($1, 5) as more`, [400 * 86_400])
    return rows[0]?.more
  }
  expect([await step(), await left()]).toEqual([true, 7])
  expect([await step(), await left()]).toEqual([true, 2])
  expect([await step(), await left()]).toEqual([false, 0])
})

test('no function that goes through all customers at once deletes without a limit for all of them', () => {
  const folder = path.join(import.meta.dirname, '../db/schema/functions')
  const through = fs
    .readdirSync(folder)
    .map((name) => ({ name, text: fs.readFileSync(path.join(folder, name), 'utf8') }))
    .filter(({ text }) => /for \w+ in select id from customers\b/.test(text) && text.includes('delete from'))
  expect(through.length).toBeGreaterThan(3)
  expect(
    through.filter(({ text }) => !/exit when total >= (?:rows|packs)_max/.test(text)).map(({ name }) => name),
  ).toEqual([])
})

test('a customer whose log is forgotten is not taken for one that made nothing', async () => {
  const [new_one, old_one] = [await foyer.customer(), await foyer.customer()]
  const ids = [new_one, old_one].map(({ user }) => user.customer.id)
  await admin.query('delete from activity where customer_id = any($1)', [ids])
  await admin.query(
    `insert into activity (customer_id, principal_kind, action, object_type, created_at)
     values ($1, 'job', 'create', 'groups', now() - interval '101 days')`,
    [ids[1]],
  )
  await forgetActivity(foyer.services.tenancy, { activity_kept_ms: 100 * day_ms })
  const { rows } = await admin.query<{ more: boolean }>(
    'select has_more_than_starters(c.id) as more from unnest($1::integer[]) with ordinality as c(id, place) order by c.place',
    [ids],
  )
  expect(rows.map(({ more }) => more)).toEqual([false, true])
})
