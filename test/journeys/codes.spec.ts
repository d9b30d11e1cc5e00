// Codes: one for an event is made at the desk in two steps; one is withdrawn in its batch and restored in the voucher test.
import { messages } from '#contract/messages.ts'
import { reasons } from '#contract/vouchers.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting } from '#test/journeys/watch.ts'

for (const size of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])
  test(`a code for an event is made, withdrawn and restored at ${size.width} px`, async ({ page, foyer }) => {
    await page.setViewportSize(size)
    const token = await operatorToken(foyer)
    const { data: property } = await ask(
      foyer,
      '/properties-create',
      { name: `Quay ${Date.now()}`, draft: true },
      token,
    )
    const { data: pack } = await ask(foyer, '/packages-create', { name: `Day ${Date.now()}`, max_users: 2 }, token)
    await enter(page, token)
    await page.goto(`/customer/dashboard?modal=one-voucher&property_id=${String(property['id'])}`)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'An event' }).click()
    await dialog.getByRole('combobox', { name: 'Package' }).click()
    await page.getByRole('option', { name: String(pack['name']) }).click()
    await dialog.getByRole('textbox', { name: 'Devices' }).fill('')
    await dialog.getByRole('button', { name: 'Make voucher' }).click()
    await expect(dialog.getByText(messages.fields.required)).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Event' }).fill('Wedding Hart')
    await dialog.getByRole('textbox', { name: 'Devices' }).fill('40')
    await expectFitting(page)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Make voucher' }).click()
    await expect(dialog.getByText('1 voucher is ready')).toBeVisible()
    await dialog.getByRole('link', { name: 'Open the batch' }).click()
    await expect(page.getByText('Wedding Hart').first()).toBeVisible()
    await expect(page.getByText(/40 devices/)).toBeVisible()

    await page.getByRole('button', { name: /^Actions for [A-Z2-9]{4}-/ }).click()
    await page.getByRole('menuitem', { name: 'Take back' }).click()
    const question = page.getByRole('dialog', { name: /^Take back/ })
    const code = /[A-Z2-9]{4}(-[A-Z2-9]{4}){2}/.exec((await question.textContent()) ?? '')?.[0] ?? ''
    await question.getByRole('button', { name: 'Take back' }).click()
    await expect(page.getByText(`${code} has been taken back`)).toBeVisible()
    await expect(page.getByText('Taken back', { exact: true }).first()).toBeVisible()

    await page.goto('/customer/dashboard?modal=test-voucher')
    await dialog.getByRole('textbox', { name: 'Voucher code' }).fill(code)
    await dialog.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(dialog.getByText(reasons.taken_back)).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Give again' }).click()
    await expect(dialog.getByText(messages.voucherTest.valid, { exact: true })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Take back' })).toBeVisible()
  })
