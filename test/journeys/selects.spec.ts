// Selects: the first match is highlighted and Enter selects it, options beyond the first page are found by typing, the selected one
// keeps its name, and a single option is preselected.

import type { Page } from '@playwright/test'
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible } from '#test/journeys/watch.ts'

const select = (page: Page, label: string) => page.getByRole('combobox', { name: new RegExp(`^${label}\\b`) })
const highlighted = (page: Page) => page.locator('[role="option"][data-combobox-selected]')

test('an option beyond the first page is found by typing, selected by Enter, and keeps its name', async ({
  page,
  foyer,
}) => {
  test.slow()
  const token = await operatorToken(foyer)
  const numbers = Array.from({ length: 130 }, (_, index) => index + 1)
  for (const number of numbers)
    await ask(foyer, '/groups-create', { name: `Harbour ${String(number).padStart(3, '0')}`, draft: true }, token)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Quay', draft: true }, token)
  await enter(page, token)
  const address = `/customer/properties/update?id=${String(property['id'])}&tab=details`
  await page.goto(address)
  const group = select(page, 'Group')
  await group.click()
  await expect(page.getByRole('option', { name: /type to find one/ })).toBeVisible()
  await expect(group).toHaveAttribute('aria-expanded', 'true')
  await expectAccessible(page)
  // The oldest one is not on the first page, which begins with the newest.
  await group.fill('harbour 001')
  await expect(highlighted(page)).toHaveText('Harbour 001')
  await page.keyboard.press('Enter')
  await expect(group).toHaveValue('Harbour 001')
  await page.getByRole('button', { name: messages.portal.update, exact: true }).click()
  await expect(page.getByText('The property has been updated')).toBeVisible()
  await page.goto(address)
  await expect(group).toHaveValue('Harbour 001')
})

test('while an answer is pending nothing is highlighted, and Enter selects what was typed, or nothing', async ({
  page,
  foyer,
}) => {
  test.slow()
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Slow Quay', draft: true }, token)
  const property_id = property['id']
  const numbers = Array.from({ length: 450 }, (_, index) => String(101 + index))
  await ask(foyer, '/rooms-create', { property_id, numbers }, token)
  await enter(page, token)
  // All answers are slower than typing.
  await page.route('**/api/v1/rooms-list', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2000))
    await route.continue()
  })
  await page.goto(`/customer/room-guests/update?property_id=${String(property_id)}`)
  const room = select(page, 'Room')
  await room.click()
  await room.pressSequentially('522')
  await page.keyboard.press('Enter')
  await expect(highlighted(page)).toHaveCount(0)
  await expect(room).toHaveValue('522')
  await expect(page.getByRole('option')).toHaveCount(0, { timeout: 10_000 })
  await expect(room).toHaveValue('522')

  await room.fill('114')
  await expect(highlighted(page)).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option')).toHaveCount(0, { timeout: 10_000 })
  await room.blur()
  await expect(room).toHaveValue('114')

  await room.fill('9999')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: 'Nothing found for “9999”' })).toBeVisible({ timeout: 10_000 })
  await room.blur()
  await expect(room).toHaveValue('114')
})

test('the only package is preselected; if there is none, one can be made without losing the form', async ({
  page,
  foyer,
}) => {
  // A separate customer: packages that other journeys use could not be deleted.
  const person = { email: 'selects@pier.example', name: 'Sara Pier', company_name: 'Pier Hostels' }
  const token = await operatorToken(foyer, person)
  await enter(page, token)
  await page.goto('/customer/packages')
  await page.waitForLoadState('networkidle')
  const { data: rows } = await ask(foyer, '/packages', {}, token)
  for (const { id } of Object.values(rows) as { id: number }[]) await ask(foyer, `/packages-delete/${id}`, {}, token)

  await page.goto('/customer/vouchers/create')
  await select(page, 'Package').click()
  const opening = page.waitForEvent('popup')
  await page.getByRole('option', { name: 'Create a package…' }).click()
  const tab = await opening
  await expect(tab).toHaveURL(/\/customer\/packages\/create$/)
  await tab.close()

  await ask(foyer, '/packages-create', { name: 'Day pass' }, token)
  await page.goto('/customer/vouchers/create')
  await expect(select(page, 'Package')).toHaveValue('Day pass')
})

test('a guest’s sign-in is mailed from the screen of the account, to the guest’s address or another', async ({
  page,
  foyer,
}) => {
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Sign-in Quay', draft: true }, token)
  const guest = { name: 'Ana', email: 'ana@guests.example', username: 'ana.quay', password: 'k7mp-4xqe' }
  const { data: account } = await ask(foyer, '/accounts-create', { ...guest, property_id: property['id'] }, token)
  await enter(page, token)
  await page.goto(`/customer/accounts/update?id=${String(account['id'])}`)
  const signIn = page.getByRole('region', { name: 'Tell the guest' })
  await expect(signIn.getByText(guest.password)).toBeVisible()
  await expect(page.getByRole('button', { name: 'E-mail' })).toHaveCount(1)
  await signIn.getByRole('button', { name: 'E-mail' }).click()
  const line = signIn.getByRole('textbox', { name: 'E-mail address' })
  await expect(line).toHaveValue(guest.email)
  await line.fill('nobody')
  await signIn.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText(messages.fields.email)).toBeVisible()
  await line.fill('sister@guests.example')
  await signIn.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Sent to sister@guests.example')).toBeVisible()
})

test('many selected options keep their names, also beyond a page, and leave the form visible', async ({
  page,
  foyer,
}) => {
  const token = await operatorToken(foyer)
  const own = Date.now()
  const make = (number: number) =>
    ask(foyer, '/properties-create', { name: `House ${own} ${number}`, draft: true }, token)
  const property_ids: unknown[] = []
  for (let from = 0; from < 120; from += 20) {
    const made = await Promise.all(Array.from({ length: 20 }, (_, index) => make(from + index)))
    property_ids.push(...made.map(({ data }) => data['id']))
  }
  const { data: group } = await ask(foyer, '/groups-create', { name: `Everything ${own}`, property_ids }, token)
  await enter(page, token)
  await page.goto(`/customer/groups/update?id=${String(group['id'])}&tab=details`)
  await expect(page.getByText(`House ${own} 119`)).toBeVisible()
  await expect(page.getByText(`House ${own} 0`, { exact: true })).toBeAttached()
  await expect(page.getByText(/^#\d+$/)).toHaveCount(0)
  await expect(page.getByRole('radio', { name: /Draft/ })).toBeInViewport()
  await page.getByRole('textbox', { name: /^Name/ }).fill(`Everything else ${own}`)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('The group has been updated')).toBeVisible()
  const { data: saved } = await ask(foyer, `/groups/${String(group['id'])}`, { id: group['id'] }, token)
  expect(saved['property_ids']).toHaveLength(120)
})
