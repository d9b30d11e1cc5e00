// Dialogs: each one is opened from the dashboard, by its address and by hand. It looks right without the screens that usually come
// before it, moves the focus to its first field and gives it back, and cannot blank the app.

import type { Page } from '@playwright/test'
import { messages } from '#contract/messages.ts'
import { modals } from '#web/paths.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken, type Foyer } from '#test/journeys/people.ts'
import { drawn, expectAccessible, expectFitting, holdCode, watch } from '#test/journeys/watch.ts'
import { full, oneIn } from '#test/proofs/proof.ts'

const dialogOf = (page: Page) => page.getByRole('dialog')
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

/** A customer with one property, a package and a batch of codes. */
async function furnish(foyer: Foyer) {
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: `Quay ${Date.now()}`, draft: true }, token)
  const { data: pack } = await ask(foyer, '/packages-create', { name: `Day ${Date.now()}` }, token)
  const { data: batch } = await ask(
    foyer,
    '/voucher-batches-create',
    { quantity: 3, package_id: pack['id'], property_id: property['id'] },
    token,
  )
  return { token, property, batch }
}

/** Not opened alone: its address leads to the screen of the portal, beside the page. */
const onItsScreen = 'portal-sidebar'

const alone = Object.keys(modals).filter((modal) => modal !== onItsScreen)
for (const [index, name] of oneIn(2, alone).entries())
  for (const size of full ? sizes : sizes.slice(index % 2, (index % 2) + 1))
    test(`${name} opens alone on the dashboard at ${size.width} px: complete, accessible, focused, and can be closed`, async ({
      page,
      foyer,
    }) => {
      test.slow()
      await page.setViewportSize(size)
      const { expectNothing } = watch(page)
      await enter(page, await operatorToken(foyer))
      await page.goto(`/customer/dashboard?modal=${name}`)
      const dialog = dialogOf(page)
      await expect(dialog).toBeVisible()
      // The focus is on a field, on the submit button if nothing is left to fill in, or on what a read-only dialog names for it;
      // not on the close icon.
      await expect
        .poll(() =>
          page.evaluate(() =>
            document.activeElement?.matches(
              '[role=dialog] :is(input, select, textarea, button[type=submit], [data-autofocus])',
            ),
          ),
        )
        .toBe(true)
      // Text fields have the frame of the library's style sheet.
      const unframed = await dialog
        .locator('input:is([type=text], [type=email], [type=tel], [type=password], :not([type]))')
        .evaluateAll(
          (fields) =>
            fields.filter((field) => parseFloat(getComputedStyle(field).borderTopWidth) < 1 || field.clientHeight < 28)
              .length,
        )
      expect(unframed).toBe(0)
      await expectFitting(page)
      await expectAccessible(page)

      // Clicks inside do not close it, even if the pointer is released outside.
      const heading = dialog.getByRole('heading').first()
      await heading.click()
      const box = await heading.boundingBox()
      await page.mouse.move((box?.x ?? 0) + 4, (box?.y ?? 0) + 4)
      await page.mouse.down()
      await page.mouse.move(2, size.height - 2)
      await page.mouse.up()
      await expect(dialog).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expectNothing()
    })

test('the focus returns to what opened the dialog', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  await page.goto('/customer/dashboard')
  const opener = page.getByRole('link', { name: 'Test a voucher' }).first()
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Voucher code' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toBeHidden()
  await expect(opener).toBeFocused()
})

test('a voucher test on the screen of a record covers all vouchers, and closing it keeps the record open', async ({
  page,
  foyer,
}) => {
  const { token, property, batch } = await furnish(foyer)
  await enter(page, token)
  await page.goto(`/customer/properties/update?id=${String(property['id'])}`)
  await page.getByRole('link', { name: 'Test a voucher' }).first().click()
  await expect(page.getByRole('textbox', { name: 'Voucher code' })).toBeFocused()
  await expect(dialogOf(page).getByText(/Codes of batch/)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(`/customer/properties/update?id=${String(property['id'])}`)

  await page.goto(`/customer/dashboard?modal=test-voucher&id=${String(batch['id'])}`)
  await expect(dialogOf(page).getByText(`Codes of batch ${String(batch['batch_number'])} only.`)).toBeVisible()
})

test('a voucher test of an unknown batch says so and works nevertheless', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  for (const address of ['?modal=test-voucher&id=999999', '?modal=test-voucher&batch_id=999999']) {
    await page.goto(`/customer/dashboard${address}`)
    await expect(dialogOf(page).getByText(/batch of this address could not be found/)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Voucher code' })).toBeEnabled()
  }
})

test('a dialog or a screen whose code cannot be fetched shows an error in its place, and can be retried', async ({
  page,
  foyer,
}) => {
  await enter(page, await operatorToken(foyer))
  await page.goto('/customer/dashboard')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  // The one automatic reload for a missing file has been used up.
  await page.evaluate(() => sessionStorage.setItem('foyer-reloaded-at', String(Date.now())))
  const parts = /\/assets\/(test-voucher|list)-.*\.js$/
  await page.route(parts, (route) => route.abort())
  await page.getByRole('link', { name: 'Test a voucher' }).first().click()
  const dialog = dialogOf(page)
  await expect(dialog.getByText(messages.errorPages.error)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Dashboard', includeHidden: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('link', { name: 'Packages', exact: true }).click()
  await expect(page.getByRole('main').getByText(messages.errorPages.error)).toBeVisible()
  await expect(page.getByRole('link', { name: messages.errorPages.home })).toBeVisible()
  await expectAccessible(page)

  await page.unroute(parts)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Packages', exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Test a voucher' }).first().click()
  await expect(page.getByRole('textbox', { name: 'Voucher code' })).toBeFocused()
})

test('a key pressed again while a confirmation dialog is loading has no effect on what is below', async ({
  page,
  foyer,
}) => {
  const { token, property } = await furnish(foyer)
  const { data } = await ask(
    foyer,
    '/accounts-create',
    { name: `Held ${Date.now()}`, property_id: property['id'] },
    token,
  )
  const name = String(data['name'])
  await enter(page, token)
  await page.goto(`/customer/accounts?q=${encodeURIComponent(name)}`)
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toBeVisible()
  await page.waitForLoadState('networkidle')
  const release = await holdCode(page, /\/assets\/.*\.js$/)
  const fetching = page.waitForRequest(/\/assets\/.*\.js$/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: messages.lists.disable }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await fetching
  await drawn(page)
  await expect(page).toHaveURL(/\/customer\/accounts\?q=/)
  release()
  const question = dialogOf(page).getByRole('button', { name: messages.lists.disable })
  await expect(question).toBeFocused()
  await expect(row).toContainText(messages.status.active)
  await page.keyboard.press('Escape')
  await expect(row).toBeFocused()
})
