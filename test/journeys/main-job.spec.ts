// The main job: an operator makes vouchers for a property, prints them, imports guests from a spreadsheet, and tests a code at the
// desk; with the mouse at a desk and in a narrow window, and with the keyboard alone.

import fs from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { reasons } from '#contract/vouchers.ts'
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { keyboard, mouse } from '#test/journeys/hands.ts'
import { expectAccessible, watch } from '#test/journeys/watch.ts'
import { sample } from '#test/proofs/proof.ts'

const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const ways = [
  { name: 'with the mouse at a desk', hands: mouse, viewport: desk },
  { name: 'with the keyboard alone', hands: keyboard, viewport: desk, keys: true },
  { name: 'with the mouse in a narrow window', hands: mouse, viewport: phone },
]

/** Two new guests, one of them twice: the last row wins. */
const guests = [
  'name,email,username,password,package_id,account_type_id',
  'Ana Silva,ana@guests.example,ana,quay-2345,-1,-1',
  'Bram Nowak,bram@guests.example,bram,quay-6789,-1,2',
  'ana silva,silva@guests.example,ana,quay-2345,-1,-1',
].join('\n')

for (const [index, { name, hands, viewport, keys = false }] of sample(ways, 2).entries())
  test(`from sign-up to a green VALID and a red INVALID, ${name}`, async ({ page }) => {
    test.setTimeout(240_000)
    await page.setViewportSize(viewport)
    const { expectNothing } = watch(page)
    const hand = hands(page)
    const push = (target: Locator) => (keys ? pressKey(page, target) : target.click())
    // Once is enough: the others use the same screens.
    const look = () => (keys || viewport === phone ? undefined : expectAccessible(page))
    const expectText = (sentence: string | RegExp) => expect(page.getByText(sentence).first()).toBeVisible()
    const heading = (title: string) => expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
    let code = ''

    await test.step('sign up', async () => {
      await page.goto('/signup')
      await hand.type('Company', 'Seaview Hotels')
      await hand.type('Your name', 'Ana Silva')
      await hand.type('E-mail', `ana${index}@seaview.example`)
      await hand.type('Password', 'quiet harbour lantern 42')
      await hand.press('Create account')
      await heading('Dashboard')
      await page.waitForLoadState('networkidle')
    })

    await test.step('make a property', async () => {
      await hand.follow('Properties')
      await hand.follow('New property')
      await hand.type('Name', 'Harbour Hotel')
      await hand.choose('Type', 'Hotel')
      await hand.press(messages.portal.continue)
      await hand.type('Street', '4 Quayside')
      await hand.type('City', 'Whitby')
      await hand.choose('Country', 'Andorra')
      await hand.press(messages.portal.continue)
      await hand.choose('Connectivity', 'Fibre')
      await hand.press(messages.portal.continue)
      await hand.type('Units', '40')
      await hand.press(messages.portal.continue)
      await hand.press(messages.portal.create)
      await heading('Harbour Hotel')
    })

    await test.step('make a package', async () => {
      await hand.follow('Packages')
      await hand.follow('New package')
      await hand.type('Name', 'Day pass')
      await hand.type('Data', '5')
      await hand.type('Speed', '20')
      await hand.type('Devices', '2')
      await hand.type('Session time', '24')
      await hand.press(messages.portal.create)
      await expect(page.getByRole('row', { name: /Day pass/ })).toBeVisible()
    })

    await test.step('make a batch of vouchers', async () => {
      await hand.follow('Vouchers')
      await expectText('No vouchers yet')
      await look()
      await hand.follow('New vouchers')
      await hand.press(messages.portal.create)
      await expectText(messages.fields.required)
      await expectText(messages.fields.notValid)
      await hand.type('How many', '12')
      await hand.choose('Package', 'Day pass')
      await hand.choose('Property', 'Harbour Hotel')
      await expectText(
        'Each guest gets 5 GB at up to 20 Mbit/s on 2 devices at Harbour Hotel, for 24 hours from first use.',
      )
      await look()
      await hand.press(messages.portal.create)
      await expectText('12 vouchers are ready')
      await look()
    })

    await test.step('print the sheet, and download the codes', async () => {
      let sheet = ''
      await page.route('**/voucher-batches-export', async (route) => {
        const response = await route.fetch()
        const body = await response.body()
        sheet = body.toString('latin1')
        await route.fulfill({ response, body })
      })
      const opened = page.waitForEvent('popup')
      // The print button has the focus.
      await (keys ? page.keyboard.press('Enter') : hand.press('Print now'))
      const tab = await opened
      await expect.poll(() => sheet.slice(0, 5)).toBe('%PDF-')
      expect(sheet.match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0).toBeGreaterThan(0)
      await tab.close()
      await page.unroute('**/voucher-batches-export')

      // Only the csv file: the sheet is downloaded as well if its tab was closed too early.
      const saving = page.waitForEvent('download', (file) => file.suggestedFilename().endsWith('.csv'))
      await hand.press('Download CSV')
      const saved = fs.readFileSync(await (await saving).path(), 'utf8')
      const codes = saved.match(/\b[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}\b/g) ?? []
      expect(new Set(codes).size).toBe(12)
      code = codes[0] ?? ''
    })

    await test.step('import guests from a spreadsheet', async () => {
      await hand.follow('Accounts')
      await expectText('No accounts yet')
      await look()
      await hand.press('Import accounts')
      await hand.choose('Property', 'Harbour Hotel')
      await look()
      const upload = page.getByRole('button', { name: 'Upload' })
      await expect(upload).toBeDisabled()
      const choosing = page.waitForEvent('filechooser')
      await push(page.getByLabel('Spreadsheet of accounts'))
      await (await choosing).setFiles({ name: 'guests.csv', mimeType: 'text/csv', buffer: Buffer.from(guests) })
      await expectText('Ready: 2 accounts from 3 rows.')
      await look()
      await push(upload)
      await expectText(messages.imports.accountsImported(2))
      await expectText(messages.imports.duplicateContacts(1))
      await expect(page.getByRole('row', { name: /ana silva/i })).toHaveCount(1)
      await look()
    })

    const testCode = async () => {
      await hand.follow('Test a voucher')
      await hand.type('Voucher code', code.toLowerCase().replaceAll('-', ' '))
      await hand.press('Test')
    }
    const closeDialog = async () => {
      await hand.press('Close')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }

    await test.step('test a code: VALID', async () => {
      await testCode()
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByText(messages.voucherTest.valid, { exact: true })).toBeVisible()
      for (const fact of [
        reasons.valid_unused,
        'Harbour Hotel',
        /B-\d{4}-\d{6}/,
        'Day pass',
        'Not yet',
        'Runs from first use',
      ])
        await expect(dialog.getByText(fact).first()).toBeVisible()
      // The next scan replaces this code.
      await expect(page.getByRole('textbox', { name: 'Voucher code' })).toBeFocused()
      await look()
      await closeDialog()
    })

    await test.step('disable the batch', async () => {
      await hand.follow('Vouchers')
      const batch = page.getByRole('row', { name: /B-\d{4}-\d{6}/ })
      await (keys ? pressKey(page, batch, 'Shift+F10') : batch.getByRole('button', { name: /^Actions for/ }).click())
      const disable = page.getByRole('menuitem', { name: messages.lists.disable })
      await (keys ? arrowTo(page, disable) : disable.click())
      await look()
      await hand.press(messages.lists.disable)
      await expectText('1 voucher batch disabled')
    })

    await test.step('test the code again: INVALID', async () => {
      await testCode()
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByText(messages.voucherTest.invalid, { exact: true })).toBeVisible()
      await expect(dialog.getByText(reasons.batch_disabled)).toBeVisible()
      await look()
      await closeDialog()
    })
    expectNothing()
  })

/** Moves to the target by Tab, then presses Enter or another key. */
async function pressKey(page: Page, target: Locator, key = 'Enter') {
  await expect(target).toBeVisible()
  for (let tabs = 0; tabs < 80; tabs++) {
    if (await target.evaluate((element) => element === document.activeElement)) return page.keyboard.press(key)
    await page.keyboard.press('Tab')
  }
  throw new Error(`The keyboard does not reach ${String(target)}.`)
}

async function arrowTo(page: Page, item: Locator) {
  await expect(item).toBeVisible()
  while (!(await item.evaluate((element) => element === document.activeElement))) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}
