// Every overlay, as axe sees it: menus, filters, columns, confirmations, the palette and the list of keys, at a desk in light and
// dark, and on a phone. Dialogs with their own address are in dialogs.spec.ts.
//
// `npm run proofs` checks every list; otherwise only the accounts are checked.

import type { Page } from '@playwright/test'
import { messages } from '#contract/messages.ts'
import { screensOf } from '#web/paths.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, join, operatorToken, type Foyer } from '#test/journeys/people.ts'
import { findings } from '#test/journeys/watch.ts'
import { full } from '#test/proofs/proof.ts'

const sizes = [
  { width: 1440, height: 900, schemes: ['light', 'dark'] },
  { width: 390, height: 844, schemes: ['light'] },
] as const

const dialogs = '[role=dialog], dialog[open]'
const softly = expect.configure({ soft: true })

async function furnish(foyer: Foyer) {
  const token = await operatorToken(foyer)
  const make = async (call: string, body: object) => (await ask(foyer, call, body, token)).data['id']
  const own = `${Date.now()}-${Math.floor(Math.random() * 1e6)}`
  const group = await make('/groups-create', { name: `Group ${own}` })
  const property_id = await make('/properties-create', { name: `Quay ${own}`, group_id: group, draft: true })
  await make('/accounts-create', { name: `Guest ${own}`, property_id })
  const colleague = { email: `${own}@harbour.example`, name: `Colleague ${own}`, user_type_id: 2 }
  await join(foyer, { ...colleague, user_type_id: 1 })
  const found = (await ask(foyer, '/users', { searchValue: colleague.email }, token)).data as unknown as {
    id: number
  }[]
  return { token, group, user: found[0]?.id }
}

for (const { schemes, ...size } of sizes) {
  const look = async (page: Page, what: string, part?: string) =>
    softly(await findings(page, part, undefined, schemes), `${what}, ${size.width} px`).toEqual([])

  test(`what opens over a list, at ${size.width} px`, async ({ page, foyer }) => {
    test.setTimeout(full ? 900_000 : 180_000)
    const { token } = await furnish(foyer)
    await page.setViewportSize(size)
    await enter(page, token)
    const open = page.locator(`[role=menu], ${dialogs}`)
    const close = async () => {
      await page.keyboard.press('Escape')
      await expect(open).toHaveCount(0)
    }
    for (const name of full ? screensOf('customer').filter((screen) => !screen.includes('/')) : ['accounts']) {
      await page.goto(`/customer/${name}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('[class*=skeleton]')).toHaveCount(0)
      const rows = page.locator('tbody tr[aria-rowindex]')
      if ((await rows.count()) === 0) continue
      const openers = page.getByRole('main').locator('button:is([aria-haspopup], [aria-expanded]):not(tbody *)')
      for (let index = 0; index < (await openers.count()); index++) {
        await openers.nth(index).click()
        await expect(open).toBeVisible()
        await look(page, `${name}: ${await openers.nth(index).textContent()}`, `[role=menu], ${dialogs}`)
        await close()
      }
      const filters = page.getByRole('button', { name: messages.search.moreFilters })
      if (await filters.isVisible()) {
        await filters.click()
        await expect(open).toBeVisible()
        await look(page, `${name}: ${messages.search.moreFilters}`, dialogs)
        await close()
      }
      const menu = rows.first().getByRole('button', { name: /^Actions for/ })
      await menu.click()
      await look(page, `${name}: the menu of a row`, '[role=menu]')
      await close()
      for (const verb of [messages.lists.disable, messages.lists.delete, messages.team.remove]) {
        await menu.click()
        const item = page.getByRole('menuitem', { name: verb, exact: true })
        if ((await item.count()) > 0) {
          await item.click()
          // The dialog has its name once its heading is shown.
          await expect(page.getByRole('dialog', { name: /./ })).toBeVisible()
          await look(page, `${name}: ${verb}`, dialogs)
        }
        await close()
      }
    }
  })

  test(`what opens elsewhere, at ${size.width} px`, async ({ page, foyer }) => {
    const { token, group, user } = await furnish(foyer)
    await page.setViewportSize(size)
    await enter(page, token)
    await page.goto('/customer/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const dialog = page.getByRole('dialog')
    for (const key of ['Control+k', '?']) {
      await page.keyboard.press(key)
      await expect(dialog).toBeVisible()
      await look(page, `the keys ${key}`, dialogs)
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    }
    await page.getByRole('button', { name: /user menu$/ }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await look(page, 'the user menu')
    await page.keyboard.press('Escape')
    if (size.width < 960) {
      await page.getByRole('button', { name: 'Open menu' }).click()
      await look(page, 'the menu behind its button')
    }

    await page.goto(`/customer/users/update?id=${String(user)}`)
    await page.getByRole('combobox', { name: /^Permission/ }).click()
    await look(page, 'an open select', '[role=listbox]')
    await page.getByRole('option', { name: 'Editor', exact: true }).click()
    await expect(dialog).toBeVisible()
    await look(page, 'another permission', dialogs)
    await page.keyboard.press('Escape')

    await page.goto(`/customer/groups/update?id=${String(group)}&tab=details`)
    await page.getByRole('textbox', { name: /^Name/ }).fill('')
    await page.keyboard.press('Control+s')
    await expect(page.getByText(messages.fields.required)).toBeVisible()
    await look(page, 'a form that is refused')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeVisible()
    await look(page, 'a form that is left', dialogs)
  })
}
