// Report runs: a long one is started, left, found again and cancelled.

import { connect } from '#server/db/logins.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'

// Without the role of jobs a run stays queued until it is cancelled; and every report counts as long.
test.use({ settings: { SIGNUP: 'first', ROLES: 'api,guest', REPORT_ROWS_AT_ONCE: '1' } })

test('a long report is started, left, found among the files, and cancelled', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Long Quay', draft: true }, token)
  const made = await ask(foyer, '/gateways-create', { gateway_type_id: 1, property_id: property['id'] }, token)
  const admin = await connect(foyer.database())
  await admin.query(
    `insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, started_at, last_seen_at)
     select customer_id, $2, id, n::text, n::text, now(), now() from properties, generate_series(1, 3) as n where id = $1`,
    [property['id'], made.data['id']],
  )
  await admin.end()
  await enter(page, token)
  await page.goto('/customer/reports/session')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /\(csv\)/ }).click()
  await expect(page.getByText('“Sessions” is long: waiting.')).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Progress' })).toBeVisible()

  await page.goto('/customer/dashboard')
  await page.goto('/customer/reports/files')
  const row = page.getByRole('row', { name: /Sessions/ })
  await expect(row).toContainText('Waiting')
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Cancel' }).click()
  await expect(page.getByText('“Sessions” was cancelled')).toBeVisible()
  await expect(row).toContainText('Cancelled')
  await page.reload()
  await expect(row).toContainText('Cancelled')
})
