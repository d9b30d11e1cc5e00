// Forgetting lines of the activity log: by age alone, and nobody is taken for new because of it.
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
