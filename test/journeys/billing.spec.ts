// Billing: from the dashboard to the first bill: choose a period, open one night, approve, download the statement; and nights with
// unknown figures.

import fs from 'node:fs'
import { addDays, firstOfMonth, lastOfMonth } from '#contract/days.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { mouse } from '#test/journeys/hands.ts'
import { aLedger } from '#test/journeys/ledgers.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'

const biller = { email: 'bea@ledger.example', name: 'Bea Ledger', company_name: 'Ledger Inns' }

test('from the dashboard the first bill is made, opened down to one night, approved, and its statement downloaded', async ({
  page,
  foyer,
}) => {
  const token = await operatorToken(foyer, biller)
  await aLedger(foyer, token, 'Quay House', 0)
  await enter(page, token)
  await page.goto('/customer/dashboard')
  await page.getByRole('link', { name: 'Reports' }).first().click()
  await page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: 'Billing' }).click()
  await expect(page.getByText('No bills yet')).toBeVisible()
  await page.getByRole('link', { name: 'New bill' }).first().click()

  // The last month is calculated: 6 of 10 units at 31.00.
  const lines = page.getByRole('table', { name: /^What is owed for/ })
  await expect(lines.getByText('GBP 186.00').first()).toBeVisible()
  await lines.getByRole('button', { name: /Quay House/ }).click()
  const nights = page.getByRole('table', { name: /^Nights of Quay House/ })
  await expect(nights.getByRole('row').nth(1)).toContainText('Minimum')
  await expect(nights.getByRole('row').nth(1)).toContainText('6 of 10')

  await page.getByRole('button', { name: 'Save as draft' }).click()
  await expect(page).toHaveURL(/billing\?run_id=\d+$/)
  await expect(page.getByText('Draft', { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText(/, Bea Ledger$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Delete draft' })).toHaveCount(0)

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Statement' }).click()
  await page.getByRole('menuitem', { name: /\(csv\)/ }).click()
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
  expect(fs.readFileSync(await file.path(), 'utf8')).toContain('186.00')

  // Its nights are not offered again.
  await page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: 'Billing' }).click()
  await expect(page.getByText('Approved').first()).toBeVisible()
  await page.getByRole('link', { name: 'New bill' }).first().click()
  await expect(page.getByText('There is nothing to bill')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save as draft' })).toBeDisabled()
})

test('nights with unknown figures are listed, filled in there, and then billed', async ({ page, foyer }) => {
  const token = await operatorToken(foyer, { ...biller, email: 'una@ledger.example', company_name: 'Una Inns' })
  await aLedger(foyer, token, 'Mill House', 3)
  await enter(page, token)
  await page.goto('/customer/reports/billing')
  await page.getByRole('link', { name: 'New bill' }).first().click()
  await expect(page.getByText(/Mill House: .+ \(3 nights\)/)).toBeVisible()
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await expect(page).toHaveURL(/run_id=/)
  await expect(page.getByRole('button', { name: 'Approve' })).toBeDisabled()

  await page.getByRole('button', { name: /^Enter figures/ }).click()
  const hand = mouse(page)
  await hand.type('Rooms let each night', '9')
  await hand.type('Where the figure comes from', 'The paper book')
  await page.getByRole('button', { name: 'Record' }).click()
  await expect(page.getByText(/Mill House: .+ \(3 nights\)/)).toHaveCount(0)
  await page.getByRole('button', { name: 'Recalculate' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText(/, Bea Ledger$/)).toBeVisible()
})

test('the form of a property shows the amount of last month under changed terms, before they are saved', async ({
  page,
  foyer,
}) => {
  const token = await operatorToken(foyer, { ...biller, email: 'wim@ledger.example', company_name: 'Wim Inns' })
  const id = await aLedger(foyer, token, 'Weir House', 0)
  await enter(page, token)
  await page.goto(`/customer/properties/update?id=${id}&tab=details`)
  await page.getByLabel('Rate per unit').fill('62')
  await expect(page.getByText(/would have come to GBP 372\.00 instead of GBP 186\.00/)).toBeVisible()
  await page.getByLabel('Rate per unit').fill('31')
  await expect(page.getByText(/would have come to/)).toHaveCount(0)
})

test('a night is corrected in its bill, before the approval and afterwards', async ({ page, foyer }) => {
  const token = await operatorToken(foyer, { ...biller, email: 'cor@ledger.example', company_name: 'Cor Inns' })
  await aLedger(foyer, token, 'Lock House', 0)
  await enter(page, token)
  await page.goto('/customer/reports/billing')
  await page.getByRole('link', { name: 'New bill' }).first().click()
  await page.getByRole('button', { name: /Lock House/ }).click()
  const first = page
    .getByRole('table', { name: /^Nights of Lock House/ })
    .getByRole('row')
    .nth(1)
  await expect(first).toContainText('6 of 10')
  await first.getByRole('button', { name: /^Correct/ }).click()
  const hand = mouse(page)
  const rooms = page.getByRole('textbox', { name: /^Rooms let in this night/ })
  await expect(rooms).toHaveValue('0')
  await expect(rooms).toBeFocused()
  await hand.type('Rooms let in this night', '9')
  await hand.type('Where the figure comes from', 'The paper book')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(first).toContainText('9 of 10')
  await expect(first.getByRole('button', { name: /^Correct/ })).toBeFocused()

  await page.getByRole('button', { name: 'Save as draft' }).click()
  await expect(page).toHaveURL(/run_id=/)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText(/, Bea Ledger$/)).toBeVisible()
  const total = await page.getByRole('definition').filter({ hasText: 'GBP' }).first().textContent()
  await page.getByRole('button', { name: /Lock House/ }).click()
  await first.getByRole('button', { name: /^Correct/ }).click()
  await expect(page.getByText('This night has already been billed')).toBeVisible()
  await hand.type('Rooms let in this night', '10')
  await hand.type('Where the figure comes from', 'The paper book, read again')
  await page.getByRole('button', { name: 'Record' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('definition').filter({ hasText: 'GBP' }).first()).toHaveText(total ?? '')
  await page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: 'Billing' }).click()
  await page.getByRole('link', { name: 'New bill' }).first().click()
  await expect(page.getByText('Correction', { exact: true })).toBeVisible()
})

test('nights before a rate that came late are pointed out, and take it in one step, each with the figure that it has by now', async ({
  page,
  foyer,
}) => {
  const token = await operatorToken(foyer, { ...biller, email: 'nil@ledger.example', company_name: 'Nil Inns' })
  const id = await aLedger(foyer, token, 'Sluice House', 0, 0)
  await ask(foyer, '/properties-update', { id, rate_per_unit: 31 }, token)
  const today = new Date().toISOString().slice(0, 10)
  const [from, to] = [firstOfMonth(today, -1), lastOfMonth(today, -1)]
  const terms = { property_id: id, note: 'The rate came', occupied_units: 0, take_present_terms: true }
  await ask(foyer, '/occupancy-nights-correct', { ...terms, night: addDays(from, 3), last_night: to }, token)
  await enter(page, token)
  await page.goto('/customer/reports/billing')
  await page.getByRole('link', { name: 'New bill' }).first().click()
  await expect(page.getByText(/nights that come to nothing.*\(3 nights\)/)).toBeVisible()
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await expect(page).toHaveURL(/run_id=/)
  await expect(page.getByText(/nights that come to nothing.*\(3 nights\)/)).toBeVisible()
  await page.getByRole('button', { name: /Sluice House/ }).click()
  // Corrected elsewhere, after this draft was made.
  await ask(
    foyer,
    '/occupancy-nights-correct',
    { property_id: id, night: from, note: 'Full', occupied_units: 10 },
    token,
  )
  await page
    .getByRole('button', { name: /^Correct/ })
    .first()
    .click()
  await expect(page.getByRole('textbox', { name: /^Rooms let in this night/ })).toHaveValue('10')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Use the present terms' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Use the present terms' }).click()
  await page.getByRole('button', { name: 'Recalculate' }).click()
  await expect(page.getByText(/come to nothing/)).toHaveCount(0)
  const { data } = await ask(foyer, '/occupancy-nights', { filters: { property_id: [id], from, to: from } }, token)
  expect(data).toMatchObject([{ occupied_units: 10, rate_per_unit: '31.00', version: 3 }])

  // Worked out anew while the approval is being asked: nobody has seen these figures.
  await page.getByRole('button', { name: 'Approve' }).click()
  await ask(foyer, '/occupancy-nights-correct', { property_id: id, night: to, note: 'Full', occupied_units: 10 }, token)
  await ask(foyer, '/billing-runs-redraft', { id: Number(new URL(page.url()).searchParams.get('run_id')) }, token)
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('Bea Ledger has recalculated this run meanwhile')).toBeVisible()
})
