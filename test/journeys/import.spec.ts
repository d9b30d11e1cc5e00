// Import: a list of guests is imported in the dialog, at a desk and on a phone. Mails are sent only on request.
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'

test('a list of guests is checked, shown and imported, and their sign-in is mailed only on request', async ({
  page,
  foyer,
}) => {
  test.setTimeout(120_000)
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Mailing Hotel', draft: true }, token)
  const property_id = String(property['id'])
  await enter(page, token)
  // Playwright cannot read the body of an upload, so the page logs what it sends.
  const sent: string[] = []
  page.on('console', (message) => message.text().startsWith('upload ') && sent.push(message.text()))
  await page.addInitScript(() => {
    const fetched = window.fetch
    window.fetch = (address, options) => {
      const body = options?.body
      if (body instanceof FormData && body.get('dry_run') === 'false')
        console.debug(`upload ${String(address)} ${String(body.get('mail_sign_ins'))}`)
      return fetched(address, options)
    }
  })
  const importGuest = async (guest: string, mails: boolean) => {
    await page.goto(`/customer/accounts?modal=import-accounts&property_id=${property_id}`)
    const dialog = page.getByRole('dialog')
    const asks = dialog.getByRole('switch', { name: 'E-mail new guests their sign-in' })
    await expect(asks).not.toBeChecked()
    const content = `name,email,username,password\n${guest},${guest}@example.com,${guest},quiet-harbour\n`
    const buffer = Buffer.from(content)
    await dialog.locator('input[type="file"]').setInputFiles({ name: 'guests.csv', mimeType: 'text/csv', buffer })
    await expect(dialog.getByText('Ready: 1 account from 1 row.')).toBeVisible()
    if (mails) await asks.press('Space')
    await expectAccessible(page)
    await expectFitting(page)
    await dialog.getByRole('button', { name: 'Upload' }).click()
    await expect(page.getByText(messages.imports.accountsImported(1))).toBeVisible()
    await expect(dialog).toHaveCount(0)
  }
  await importGuest('ann', false)
  await page.setViewportSize({ width: 390, height: 800 })
  await importGuest('bob', true)
  const address = `/api/v1/import/accounts?property_id=${property_id}`
  expect(sent).toEqual([`upload ${address} false`, `upload ${address} true`])
})

test('cells copied in a spreadsheet are pasted anywhere in the dialog, or into its field', async ({ page, foyer }) => {
  test.setTimeout(180_000)
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Pasting House', draft: true }, token)
  const id = String(property['id'])
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: foyer.url })
  await enter(page, token)
  const seen = watch(page)
  const open = async () => {
    await page.goto(`/customer/properties/update?id=${id}&tab=rooms&modal=import-rooms&property_id=${id}`)
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Paste cells' })).toBeVisible()
    return page.getByRole('dialog')
  }
  const copy = (rows: string[][]) =>
    page.evaluate(
      (text) => navigator.clipboard.writeText(text),
      rows.map((cells) => `${cells.join('\t')}\r\n`).join(''),
    )
  const paste = () => page.keyboard.press('ControlOrMeta+V')
  const dialog = await open()
  const nextYear = new Date().getFullYear() + 1
  await copy([
    ['Room', 'Guest', 'Departure'],
    ['101', 'Keller, Ada', `${nextYear}-02-30`],
    ['102', '', ''],
  ])
  await paste()
  await expect(dialog.getByText('3 rows, 3 columns')).toBeVisible()
  await expect(dialog.getByText('1 row needs a correction.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Upload' })).toBeDisabled()
  // Corrected in the spreadsheet and pasted again, they replace the former cells.
  await copy([
    ['Room', 'Guest', 'Departure'],
    ['101', 'Keller, Ada', `${nextYear}-02-28`],
    ['102', '', ''],
    ['103', '', ''],
  ])
  await paste()
  await expect(dialog.getByText('4 rows, 3 columns')).toBeVisible()
  await expect(dialog.getByText('Ready: 3 rooms from 3 rows.')).toBeVisible()
  await expectAccessible(page)
  // A clipboard without a table, such as a single word, changes nothing.
  await copy([['Guest Wi-Fi']])
  await paste()
  await expect(dialog.getByText(messages.imports.notPasted)).toBeVisible()
  await expect(dialog.getByText('4 rows, 3 columns')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Upload' })).toBeEnabled()

  await page.setViewportSize({ width: 390, height: 800 })
  const phone = await open()
  await phone.getByRole('button', { name: 'Paste cells' }).press('Enter')
  const field = phone.getByRole('textbox', { name: 'Cells' })
  await expect(field).toBeFocused()
  await expectAccessible(page)
  await expectFitting(page)
  // Typed cells are used only when the button is pressed.
  await field.fill('Room\n101\n')
  await copy([['102']])
  await field.press('End')
  await paste()
  await expect(field).toHaveValue(/^Room\n101\n102/)
  await phone.getByRole('button', { name: 'Use these cells' }).press('Enter')
  await expect(phone.getByText('Ready: 2 rooms from 2 rows.')).toBeVisible()
  await phone.getByRole('button', { name: 'Remove Pasted cells' }).press('Enter')
  await phone.getByRole('button', { name: 'Paste cells' }).press('Enter')
  await copy([
    ['Room', 'Guest'],
    ['101', 'Keller, Ada'],
    ['104', ''],
  ])
  await paste()
  await expect(phone.getByText('3 rows, 2 columns')).toBeVisible()
  await phone.getByRole('button', { name: 'Upload' }).click()
  await expect(page.getByText(messages.imports.roomsImported(2))).toBeVisible()
  const { data: rooms } = await ask(foyer, '/rooms', { params: { property_id: Number(id) } }, token)
  expect(rooms).toHaveLength(2)
  seen.expectNothing()
})
