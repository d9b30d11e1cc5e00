// Packed sessions: a list says since when it has all, below its rows and in place of them, and leads to the report of the month before.
import { connect } from '#server/db/logins.ts'
import { monthOf } from '#web/kit/display/months.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'

test.use({ settings: { SIGNUP: 'first', ROLES: 'api,guest' } })

/** In the middle of a month that is packed. */
const long_ago = new Date(Date.now() - 100 * 86_400_000)
long_ago.setUTCDate(15)

test('a list of sessions says what it leaves out, and opens the report of it', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Long Quay', draft: true }, token)
  const made = await ask(foyer, '/gateways-create', { gateway_type_id: 1, property_id: property['id'] }, token)
  const admin = await connect(foyer.database())
  await admin.query(
    `insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, identifier, started_at, last_seen_at,
       stopped_at)
     select customer_id, $2, id, n::text, n::text, 'Guest ' || n, at, at, at
     from properties, (values (1, now()), (2, $3::timestamptz)) as s(n, at) where id = $1`,
    [property['id'], made.data['id'], long_ago],
  )
  await enter(page, token)
  await page.goto('/customer/sessions')
  await expect(page.getByText('Guest 2')).toBeVisible()
  await expect(page.getByText(/are in reports/)).toBeHidden()
  await admin.query(`select door_pack_sessions(60 * 86400, 5000)`)
  await admin.end()

  await page.reload()
  await expect(page.getByText('Guest 1')).toBeVisible()
  await expect(page.getByText('Guest 2')).toBeHidden()
  await expect(page.getByText(/^Listed since .*\d{4}\. Sessions that ended earlier are in reports\.$/)).toBeVisible()
  await page.goto(`/customer/sessions?q=nobody`)
  await expect(page.getByText('Nothing matches “nobody”')).toBeVisible()
  await page.getByRole('link', { name: `Report of ${monthOf(long_ago.toISOString().slice(0, 10))}` }).click()
  await expect(page.getByRole('row', { name: /Guest 2/ })).toBeVisible()
})
