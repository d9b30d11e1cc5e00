// Keys and the palette: everything is reached from one line, without the mouse; and screen readers announce a new screen.

import type { Page } from '@playwright/test'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, join, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible, watch } from '#test/journeys/watch.ts'

async function openPalette(page: Page) {
  await page.keyboard.press('Control+k')
  const line = page.getByRole('combobox', { name: /^Go to a page/ })
  await expect(line).toBeFocused()
  return line
}

test('a guest is found by name from anywhere, and opened with the keyboard', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Lantern Quay', draft: true }, token)
  await ask(foyer, '/accounts-create', { name: 'Odette Finch', property_id: property['id'] }, token)
  await enter(page, token)
  const { expectNothing } = watch(page)
  await page.goto('/customer/packages')
  await expect(page.getByRole('heading', { name: 'Packages', exact: true })).toBeVisible()
  const line = await openPalette(page)
  await page.keyboard.type('odette')
  await expect(page.getByRole('option', { name: /Odette Finch.*Lantern Quay/ })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/customer\/accounts\/update\?id=\d+$/)
  await expect(line).toBeHidden()
  await expect(page.getByRole('status').filter({ hasText: 'Odette Finch' })).toBeAttached()
  expectNothing()
})

test('pages and actions are found too, Escape closes the palette, and a complete code shows its state', async ({
  page,
  foyer,
}) => {
  await enter(page, await operatorToken(foyer))
  await page.goto('/customer/groups')
  await expect(page.getByRole('heading', { name: 'Groups', exact: true })).toBeVisible()
  await openPalette(page)
  await page.keyboard.type('new p')
  const options = page.getByRole('option')
  await expect(options.nth(1)).toBeVisible()
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await options.nth(1).hover()
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true')
  await expect(options.first()).toHaveAttribute('aria-selected', 'false')
  await page.keyboard.type('rop')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/customer/properties/create')
  await openPalette(page)
  await page.keyboard.type('ABCD EFGH JKMN')
  await expect(page.getByRole('option', { name: /ABCD-EFGH-JKMN INVALID/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('combobox', { name: /^Go to a page/ })).toBeHidden()
  await expect(page).toHaveURL('/customer/properties/create')
})

test('Enter waits for the answer and opens the room of that number, not an earlier result', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Late Quay', draft: true }, token)
  const property_id = property['id']
  await ask(foyer, '/rooms-create', { property_id, numbers: ['77522', '77114', '771140'] }, token)
  await enter(page, token)
  await page.goto('/customer/packages')
  await expect(page.getByRole('heading', { name: 'Packages', exact: true })).toBeVisible()
  const line = await openPalette(page)
  await line.fill('7752')
  await expect(page.getByRole('option', { name: /Room 77522/ })).toHaveAttribute('aria-selected', 'true')
  await page.route('**/api/v1/rooms', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2000))
    await route.continue()
  })
  await line.fill('77114')
  await expect(page.getByRole('option', { selected: true })).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: /77114$/ })).toBeVisible({ timeout: 10_000 })
})

test('a slash goes to the search of a list, and a question mark shows the keys', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  await page.goto('/customer/packages')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('textbox', { name: 'Search packages' })).toBeFocused()
  await page.keyboard.type('?/')
  await expect(page.getByRole('textbox', { name: 'Search packages' })).toHaveValue('?/')
  await page.getByRole('heading', { name: 'Packages', exact: true }).click()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeHidden()
})

test('the list of keys stays open if it is requested at the moment the palette closes', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  await page.goto('/customer/packages')
  await expect(page.getByRole('heading', { name: 'Packages', exact: true })).toBeVisible()
  await openPalette(page)
  // The browser reports the close of a dialog in a separate task; on a busy machine the next key comes earlier.
  await page.evaluate(() => {
    document.querySelector<HTMLDialogElement>('dialog[open]')?.close()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))
  })
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
})

test('what is typed while the palette loads is kept, and Enter waits for it', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  let held = 0
  await page.route('**/palette-host*', async (route) => {
    held++
    await new Promise((go) => setTimeout(go, 2000))
    await route.continue()
  })
  await page.goto('/customer/groups')
  await expect(page.getByRole('heading', { name: 'Groups', exact: true })).toBeVisible()
  const line = await openPalette(page)
  await page.keyboard.type('new prop')
  await expect(line).toHaveValue('new prop')
  await page.keyboard.press('Enter')
  expect(held).toBe(1)
  await expect(page).toHaveURL('/customer/properties/create')

  // Typing continues while it loads.
  await page.reload()
  await expect(page.getByRole('heading', { name: 'New property' })).toBeVisible()
  await openPalette(page)
  const fetched = page.waitForResponse(/palette-host/)
  await page.keyboard.type('packa')
  await fetched
  await page.keyboard.type('ges')
  await expect(line).toHaveValue('packages')
  await expect(page.getByRole('option', { selected: true })).toHaveText(/^Packages/)
})

test('the palette keeps what was typed while an answer is two seconds late', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Slow Quay', draft: true }, token)
  for (const name of ['Orla Finch', 'Orlando Wren'])
    await ask(foyer, '/accounts-create', { name, property_id: property['id'] }, token)
  await enter(page, token)
  await page.goto('/customer/packages')
  await expect(page.getByRole('heading', { name: 'Packages', exact: true })).toBeVisible()
  await page.route('**/api/v1/accounts', async (route) => {
    await new Promise((go) => setTimeout(go, 2000))
    await route.continue().catch(() => undefined)
  })
  const line = await openPalette(page)
  const asked = page.waitForRequest('**/api/v1/accounts')
  await page.keyboard.type('orla')
  await asked
  await page.keyboard.type('ndo')
  await expect(line).toHaveValue('orlando')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Orlando Wren', level: 1 })).toBeVisible({ timeout: 10_000 })
})

test('Check in, people and the sections of the profile are found', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Check Quay', draft: true }, token)
  const { data: me } = await ask(foyer, '/users', {}, token)
  const [own] = me as unknown as { name: string }[]
  await enter(page, token)
  await page.goto('/customer/packages')
  await expect(page.getByRole('heading', { name: 'Packages', exact: true })).toBeVisible()
  await openPalette(page)
  await page.keyboard.type('check in')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/customer/room-guests/update')
  await page.getByRole('combobox', { name: /^Property/ }).click()
  await page.getByRole('option', { name: 'Check Quay' }).click()
  await expect(page).toHaveURL(`/customer/room-guests/update?property_id=${String(property['id'])}`)
  for (const section of [
    'Security',
    'Company',
    'Teams',
    'Activity Log',
    'Integrations',
    'API Keys',
    'Portal Footer Branding',
  ]) {
    const line = await openPalette(page)
    await line.fill(section)
    await expect(page.getByRole('option', { name: new RegExp(`^${section}`) }).first()).toBeVisible()
    await page.keyboard.press('Escape')
  }
  const line = await openPalette(page)
  await line.fill(own?.name ?? '')
  await expect(page.getByRole('group', { name: 'People' }).getByRole('option').first()).toBeVisible()
})

test('records that operators set up are found by name, and so is every screen of reports and lists', async ({
  page,
  foyer,
}) => {
  const token = await operatorToken(foyer)
  const { data } = await ask(foyer, '/collections-create', { name: 'Lighthouse rounds', draft: true }, token)
  await ask(foyer, '/packages-create', { name: 'Lighthouse evening' }, token)
  await enter(page, token)
  await page.goto('/customer/packages')
  await expect(page.getByRole('heading', { name: 'Packages', exact: true })).toBeVisible()
  const open = async (typed: string, option: RegExp) => {
    const line = await openPalette(page)
    await line.fill(typed)
    await page.getByRole('option', { name: option }).first().click()
    await expect(line).toHaveCount(0)
  }
  await open('lighthouse eve', /^Lighthouse evening/)
  await expect(page).toHaveURL(/\/customer\/packages\/update\?id=\d+$/)
  await open('lighthouse ro', /^Lighthouse rounds/)
  await expect(page).toHaveURL(new RegExp(`/customer/collections/update\\?id=${String(data['id'])}$`))
  for (const [typed, address] of [
    ['free', 'reports/free-wifi'],
    ['scheduled', 'reports/scheduled'],
    ['report files', 'reports/files'],
    ['sign-in att', 'sign-in-attempts'],
    ['mac cat', 'mac-categories'],
    ['property int', 'property-interfaces'],
    ['new portal', 'portals/create'],
  ] as const) {
    await open(typed, new RegExp(`^${typed}`, 'i'))
    await expect(page, typed).toHaveURL(new RegExp(`/customer/${address}`))
  }
})

test('a screen that a user may not see says what to do, also by its address', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Closed Quay', draft: true }, token)
  const desk = await join(foyer, {
    email: `closed.${process.pid}@harbour.example`,
    name: 'Dora Desk',
    user_type_id: 3,
    owner_type: 'properties',
    owner_id: Number(property['id']),
  })
  await enter(page, desk)
  for (const address of ['/property/users', '/property/users/update', '/property/user-profile?context=api_keys']) {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'Your permission does not include this' })).toBeVisible()
    await expect(page.getByText('Ask an editor of your team')).toBeVisible()
  }
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go back' }).click()
  await expect(page).toHaveURL(/user-profile/)
})
