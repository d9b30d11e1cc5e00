// Reports: from the dashboard to a file, and to a saved report that is sent; a draft is left and continued.

import fs from 'node:fs'
import path from 'node:path'
import { messages } from '#contract/messages.ts'
import { connect } from '#server/db/logins.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { mouse } from '#test/journeys/hands.ts'
import { ask, enter, linkTo, operatorToken } from '#test/journeys/people.ts'

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

test('the report on the screen is saved with the wizard, run, sent and edited', async ({ page, foyer }) => {
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
  // A scheduled report needs recipients.
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
  for (const address of ['books@harbour.example', 'night@harbour.example'])
    await expect(page.getByText(address)).toBeVisible()
  await hand.press('Run and send now')
  const made = page.getByRole('row', { name: /Quay, month by month/ })
  await expect(made).toContainText('Ready')
  const sent = page.waitForResponse(/report-runs-send/)
  await hand.fromMenu(made, 'Send again')
  expect((await sent).status()).toBe(200)

  // An existing report is updated, and not offered to be created again.
  await hand.follow('Edit')
  await expect(page).toHaveURL(/step=4/)
  await expect(page.getByRole('heading', { name: 'Quay, month by month', level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Create/ })).toHaveCount(0)
  await hand.press(messages.portal.update)
  await expect(page).toHaveURL(/create\/success\?id=\d+$/)
})

test('a saved report opens with its own days, also after something else is changed', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const report = { name: 'Week by week', frequency: 3, start_date: '2031-01-06', recipients: ['books@harbour.example'] }
  const { data: saved } = await ask(foyer, '/scheduled-reports-create', report, token)
  const rangeOf = async (answer: Promise<{ json(): Promise<unknown> }>) =>
    ((await (await answer).json()) as { meta: { range: unknown } }).meta.range
  const own = await rangeOf(
    fetch(`${foyer.url}/api/v1/reports-run`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'App-Context': 'customer', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ id: saved['id'] }),
    }),
  )
  await enter(page, token)
  const shown = async (act: () => Promise<unknown>) => {
    const answer = page.waitForResponse(/reports-run/)
    await act()
    return rangeOf(answer)
  }
  const days = page.getByRole('combobox', { name: /^Days/ })
  expect(await shown(() => page.goto(`/customer/reports/session?report_id=${String(saved['id'])}`))).toEqual(own)
  await expect(days).toHaveValue('Since it was last sent')
  expect(await shown(() => mouse(page).pick('Unique'))).toEqual(own)
  await expect(page.getByRole('radio', { name: 'Unique' })).toBeChecked()
  await expect(days).toHaveValue('Since it was last sent')
  expect(await shown(() => mouse(page).choose('Days', 'Today'))).not.toEqual(own)
})

test('where single sessions are no longer kept, a report shows what they add up to and says so', async ({
  page,
  foyer,
}) => {
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Old Quay', draft: true }, token)
  const day = new Date(Date.now() - 400 * 86_400_000).toISOString().slice(0, 10)
  const admin = await connect(foyer.database())
  await admin.query(
    `insert into session_days (customer_id, property_id, day, sessions) select customer_id, id, $2, 3 from properties where id = $1`,
    [property['id'], day],
  )
  const keep = `update customers set sessions_kept_since = now() - $1::interval`
  await admin.query(keep, ['365 days'])
  await enter(page, token)
  await page.goto(`/customer/reports/session?date_range=custom&start_date=${day}&end_date=${day}`)
  await expect(page.getByText('Single sessions of these days are no longer kept')).toBeVisible()
  await expect(page.getByText('Nobody was online on these days')).toHaveCount(0)
  await admin.query(keep, [null])
  await admin.end()
})

test('a draft is left at any step, and continued there from the list', async ({ page, foyer }) => {
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

test('statements are scheduled from the list of bills', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  await page.goto('/customer/reports/billing')
  const hand = mouse(page)
  await page.getByRole('link', { name: 'Send statements' }).click()
  await hand.type('Name', 'Statements for the books')
  await expect(page.getByLabel('About').first()).toHaveValue('Billing')
  await hand.press(messages.portal.continue)
  await expect(page).toHaveURL(/step=2/)
  // A bill covers whole properties.
  await expect(page.getByText('Who and how')).toHaveCount(0)
  await hand.press(messages.portal.continue)
  await expect(page).toHaveURL(/step=3/)
  await hand.press(messages.portal.continue)
  await expect(page).toHaveURL(/step=4/)
  await hand.choose('How often', 'Monthly')
  await page.getByLabel('First day').fill('2031-01-02')
  await hand.type('Recipients', 'books@harbour.example')
  await hand.press(messages.portal.continue)
  await expect(page.getByText('Last month')).toBeVisible()
  await hand.press(messages.portal.create)
  await expect(page).toHaveURL(/create\/success\?id=\d+$/)
  await page.getByRole('link', { name: /See last month/ }).click()
  await expect(page.getByRole('heading', { name: 'New bill' })).toBeVisible()

  await page.goto('/customer/reports')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Actions for Statements for the books' }).click()
  await page.getByRole('menuitem', { name: 'Statement' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^Statements-for-the-books-.*\.xls$/)

  // Its schedule links to a bill, not to itself.
  await page.getByRole('link', { name: 'Statements for the books' }).click()
  await expect(page).toHaveURL(/reports\/scheduled\?report_id=\d+$/)
  await page.getByRole('link', { name: 'See last month' }).click()
  await expect(page.getByRole('heading', { name: 'New bill' })).toBeVisible()
})

test('a scheduled report arrives, and no longer after the recipient has stopped it by its link', async ({
  page,
  foyer,
}) => {
  const token = await operatorToken(foyer)
  const [stopping, staying] = ['stopping@books.example', 'staying@books.example']
  const fields = { frequency: 3, start_date: '2026-01-05', format: 'csv', recipients: [stopping, staying] }
  await ask(foyer, '/scheduled-reports-create', { name: 'Usage for the books', ...fields }, token)
  const outbox = path.join(foyer.dataDir, 'outbox')
  const mailsTo = (address: string) =>
    fs
      .readdirSync(outbox)
      .filter((name) => fs.readFileSync(path.join(outbox, name), 'utf8').startsWith(`To: ${address}\n`)).length
  await enter(page, token)
  const sendNow = async () => {
    await page.goto('/customer/reports/scheduled')
    await page.getByRole('button', { name: 'Actions for Usage for the books' }).click()
    await page.getByRole('menuitem', { name: 'Run and send now' }).click()
    await expect(page.getByText('“Usage for the books” is being made')).toBeVisible()
  }
  // They are no users here, so that they are asked first, by a mail of its own.
  for (const address of [stopping, staying]) {
    await page.goto(await linkTo(foyer, address))
    await page.getByRole('button', { name: 'Yes, send them' }).click()
    await expect(page.getByRole('heading', { name: 'You get these reports' })).toBeVisible()
  }
  await sendNow()
  await expect.poll(() => [mailsTo(stopping), mailsTo(staying)], { timeout: 20_000 }).toEqual([2, 2])

  await page.goto(await linkTo(foyer, stopping))
  // Mail scanners open links, so that only the button stops the reports.
  await page.getByRole('button', { name: 'Send no more' }).click()
  await expect(page.getByRole('heading', { name: 'No more reports' })).toBeVisible()
  await sendNow()
  await expect.poll(() => mailsTo(staying), { timeout: 20_000 }).toBe(3)
  expect(mailsTo(stopping)).toBe(2)
  await page.getByRole('link', { name: 'Usage for the books', exact: true }).click()
  await expect(page.getByText(stopping)).toContainText('(wants no reports')
})
