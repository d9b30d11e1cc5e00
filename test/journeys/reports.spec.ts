// Reports: from the dashboard to a file and back to a saved report that is sent; a draft that is left and taken up.

import fs from 'node:fs'
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { mouse } from '#test/journeys/hands.ts'
import { enter, operatorToken } from '#test/journeys/people.ts'

const clicks_max = 6

test('from the dashboard to a session report and its file, in at most six clicks', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  await page.goto('/customer/dashboard')
  let clicks = 0
  const press = async (role: 'link' | 'button' | 'menuitem', name: string | RegExp) => {
    clicks++
    await page.getByRole(role, { name }).first().click()
  }
  await press('link', 'Reports')
  clicks++
  await page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: 'Sessions' }).click()
  await expect(page).toHaveURL('/customer/reports/session')
  await expect(page.getByRole('heading', { name: 'Session report' })).toBeVisible()
  await expect(page.getByText('Time online')).toBeVisible()

  const saved = page.waitForEvent('download')
  await press('button', 'Export')
  await press('menuitem', /\(csv\)/)
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
  expect(fs.statSync(await file.path()).size).toBeGreaterThan(0)
  expect(clicks).toBeLessThanOrEqual(clicks_max)
})

test('what is on the screen is saved as a report, through the wizard to what one does next', async ({
  page,
  foyer,
}) => {
  await enter(page, await operatorToken(foyer))
  await page.goto('/customer/reports/session?date_range=last_month&view_as=unique')
  const hand = mouse(page)
  await page.getByRole('link', { name: 'Save as report' }).click()
  await hand.press(messages.portal.continue)
  await expect(page.getByText(messages.fields.required)).toBeVisible()
  await hand.type('Name', 'Quay, month by month')
  for (let step = 1; step < 4; step++) {
    await hand.press(messages.portal.continue)
    await expect(page).toHaveURL(new RegExp(`step=${step + 1}`))
  }
  await hand.choose('How often', 'Monthly')
  await hand.press(messages.portal.continue)
  // Whom it is sent to must be known.
  await expect(page.getByRole('textbox', { name: /^Recipients/ })).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('First day').fill('2031-01-31')
  await hand.type('Recipients', 'books@harbour.example, night@harbour.example')
  await hand.press(messages.portal.continue)
  await expect(page.getByText('Last month')).toBeVisible()
  await hand.press(messages.portal.create)

  await expect(page).toHaveURL(/create\/success\?id=\d+$/)
  await hand.follow('See it Totals, a chart and every row, and as a file.')
  await expect(page.getByRole('heading', { name: 'Quay, month by month' })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Unique' })).toBeChecked()
  await page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: 'Scheduled' }).click()
  await page.getByRole('link', { name: 'Quay, month by month' }).click()

  await expect(page).toHaveURL(/reports\/scheduled\?report_id=\d+$/)
  await expect(page.getByText('books@harbour.example, night@harbour.example')).toBeVisible()
  await hand.press('Run and send now')
  const made = page.getByRole('row', { name: /Quay, month by month/ })
  await expect(made).toContainText('Ready')
  const sent = page.waitForResponse(/report-runs-send/)
  await hand.fromMenu(made, 'Send again')
  expect((await sent).status()).toBe(200)
})

test('a draft is left at any step, and taken up there from the list', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  const hand = mouse(page)
  await page.goto('/customer/reports/create')
  await hand.type('Name', 'Half a report')
  await hand.press(messages.portal.continue)
  await hand.press(messages.portal.continue)
  await expect(page).toHaveURL(/step=3/)
  await hand.choose('Days', 'Last quarter')
  await hand.press('Save as draft')
  await expect(page).toHaveURL('/customer/reports')

  await page.getByRole('link', { name: 'Half a report' }).click()
  await expect(page).toHaveURL(/create\?id=\d+&step=3$/)
  await expect(page.getByRole('combobox', { name: /^Days/ })).toHaveValue('Last quarter')
  await hand.press(messages.portal.continue)
  await hand.press(messages.portal.continue)
  await hand.press(messages.portal.create)
  await expect(page).toHaveURL(/create\/success\?id=\d+$/)
  await hand.follow('All reports')
  await expect(page.getByRole('row', { name: /Half a report/ })).toContainText(messages.status.active)
})
