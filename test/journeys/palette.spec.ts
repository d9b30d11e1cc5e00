// Keys and the palette: everything is reached from one line, without the mouse; and a screen is announced when one moves.

import type { Page } from '@playwright/test'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'
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

test('pages and actions are found too, Escape leaves, and a whole code shows how it stands', async ({
  page,
  foyer,
}) => {
  await enter(page, await operatorToken(foyer))
  await page.goto('/customer/groups')
  await expect(page.getByRole('heading', { name: 'Groups', exact: true })).toBeVisible()
  await openPalette(page)
  await page.keyboard.type('new prop')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/customer/properties/create')
  await openPalette(page)
  await page.keyboard.type('ABCD EFGH JKMN')
  await expect(page.getByRole('option', { name: /ABCD-EFGH-JKMN INVALID/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('combobox', { name: /^Go to a page/ })).toBeHidden()
  await expect(page).toHaveURL('/customer/properties/create')
})

test('Enter waits for the answer and opens the room of that number, and nothing that was found before', async ({
  page,
  foyer,
}) => {
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

test('the help for keys that is asked for at the moment the palette is left stays', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  await page.goto('/customer/packages')
  await expect(page.getByRole('heading', { name: 'Packages', exact: true })).toBeVisible()
  await openPalette(page)
  // The browser tells of a dialog's end in a task of its own; on a busy machine the next key comes before it.
  await page.evaluate(() => {
    document.querySelector<HTMLDialogElement>('dialog[open]')?.close()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))
  })
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
})
