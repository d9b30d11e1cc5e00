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

test.describe('where the property’s clock is not the browser’s', () => {
  test.use({ timezoneId: 'Europe/Andorra' })
  test('the end of codes is typed and said in the time of the property, and stays as typed when another is chosen', async ({
    page,
    foyer,
  }) => {
    const token = await operatorToken(foyer)
    const property = async (name: string, time_zone: string) =>
      (await ask(foyer, '/properties-create', { name: `${name} ${Date.now()}`, draft: true, time_zone }, token)).data
    const [near, far] = [await property('Near', 'Europe/Andorra'), await property('Far', 'Asia/Tokyo')]
    const { data: pack } = await ask(
      foyer,
      '/packages-create',
      { name: `Day ${Date.now()}`, session_time_hrs: 1 },
      token,
    )
    const end = `${new Date().getUTCFullYear() + 1}-06-15T23:59`
    const newest = async () =>
      (await ask(foyer, '/voucher-batches', { per_page: 1 }, token)).data as unknown as [{ expires_at: string }]
    const said = /11:59\sPM|23:59/
    const moment = { expires_at: `${end.slice(0, 10)}T14:59:00+00:00` }
    await enter(page, token)

    await page.goto(`/customer/dashboard?modal=one-voucher&property_id=${String(far['id'])}`)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'An event' }).click()
    await expect(dialog.getByText('In the time of Asia/Tokyo.')).toBeVisible()
    await expect(dialog.getByLabel('Good until')).toHaveValue(/T23:59$/)
    await dialog.getByRole('combobox', { name: 'Package' }).click()
    await page.getByRole('option', { name: String(pack['name']) }).click()
    await dialog.getByRole('textbox', { name: 'Event' }).fill('Congress')
    await dialog.getByLabel('Good until').fill(end)
    await dialog.getByRole('button', { name: 'Make voucher' }).click()
    await expect(dialog.getByText(said)).toBeVisible()
    expect(await newest()).toMatchObject([moment])

    await page.goto(`/customer/vouchers/create?property_id=${String(near['id'])}`)
    const choose = async (label: string, name: unknown) => {
      await page.getByRole('combobox', { name: label }).click()
      await page.getByRole('option', { name: String(name) }).click()
    }
    await choose('Package', pack['name'])
    await page.getByLabel('Valid until').fill(end)
    await choose('Property', far['name'])
    await expect(page.getByText('In the time of Asia/Tokyo.').first()).toBeVisible()
    await expect(page.getByLabel('Valid until')).toHaveValue(end)
    await expect(page.getByRole('status').getByText(said)).toBeVisible()
    await page.getByRole('button', { name: messages.portal.create }).click()
    await expect(page.getByText(/vouchers are ready/)).toBeVisible()
    expect(await newest()).toMatchObject([moment])
  })
})
