// Guest help: a receptionist finds a guest and fixes what keeps them offline, in two clicks, on a phone and at a desk.
import { devices } from '@playwright/test'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, join, operatorToken, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'

const complete = { address: '1 Quay', city: 'Porto', country_id: 1, property_type_id: 1, connectivity_type_id: 1 }
let serial = 0

/** A property with its front desk, an expired account, and a voucher of a disabled batch. */
async function aProperty(foyer: Foyer) {
  const token = await operatorToken(foyer)
  const make = async (call: string, body: object) => (await ask(foyer, call, body, token)).data['id']
  const own = `${++serial}-${Date.now() % 100_000}`
  const pack = await make('/packages-create', { name: `Stay ${own}` })
  const property = await make('/properties-create', { name: `Help House ${own}`, package_id: pack, ...complete })
  await make('/gateways-create', { property_id: property, gateway_type_id: 13, name: 'Lobby box' })
  const name = `Wilhelmina Ashgrove-${own}`
  const account = await make('/accounts-create', {
    name,
    username: `ashgrove-${own}`,
    password: 'quay-2345',
    property_id: property,
  })
  await ask(foyer, '/accounts-update', { id: account, expires_at: '2025-01-01T00:00:00Z' }, token)
  const batch = await make('/voucher-batches-create', { quantity: 2, property_id: property, package_id: pack })
  const codes = (await ask(foyer, '/vouchers', { params: { voucher_batch_id: batch } }, token)).data as unknown as {
    code: string
  }[]
  await ask(foyer, '/voucher-batches-deactivate', { ids: [batch] }, token)
  const email = `help${own}@desk.example`
  const place = { user_type_id: 3, owner_type: 'Property', owner_id: property }
  const desk = await join(foyer, { email, name: 'Help Desk', ...place })
  return { name, code: codes[0]?.code ?? '', other: codes[1]?.code ?? '', desk }
}

test.describe('on a phone', () => {
  const { userAgent, isMobile, hasTouch } = devices['iPhone 15']
  test.use({ userAgent, isMobile, hasTouch, viewport: { width: 390, height: 844 } })

  test('the start page of a phone finds the guest; two taps extend the account, and one undoes it', async ({
    page,
    foyer,
  }) => {
    const { name, desk } = await aProperty(foyer)
    const seen = watch(page)
    await enter(page, desk)
    await page.goto('/')
    await expect(page).toHaveURL('/mobile')
    await page.getByRole('combobox', { name: 'Guest, room or code' }).fill(name.replace('Ashgrove', 'Ashgrofe'))
    await expect(page.getByRole('heading', { level: 2, name })).toBeVisible()
    await expect(page.getByRole('img', { name: 'Looking' })).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'What is in the way' }).getByText(`${name} expired on`)).toBeVisible()
    await expectAccessible(page)
    await expectFitting(page)
    await page.getByRole('button', { name: 'Extend by a day' }).tap()
    await expect(page.getByText('The account is extended.')).toBeVisible()
    await expect(page.getByText(`${name} expired on`)).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).tap()
    await expect(page.getByText(`${name} expired on`)).toBeVisible()
    await expect(page).toHaveURL('/mobile')
    seen.expectNothing()
  })
})

test('at a desk by keyboard alone: a code leads to a disabled batch, which is enabled, or to a new voucher', async ({
  page,
  foyer,
}) => {
  const { code, desk } = await aProperty(foyer)
  await page.setViewportSize({ width: 1440, height: 900 })
  const seen = watch(page)
  await enter(page, desk)
  await page.goto('/property/guest-help')
  const field = page.getByRole('textbox', { name: 'Who cannot get online?' })
  await expect(field).toBeFocused()
  await page.keyboard.type('nobody at all')
  await expect(page.getByText('Nothing found for “nobody at all”')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(field).toHaveValue('')
  await page.keyboard.type(code.toLowerCase())
  await expect(page.getByRole('link', { name: code })).toContainText('This batch of vouchers is disabled.')
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/The batch B-\d+-\d+ of this voucher is disabled/)).toBeVisible()
  await expect(page.getByText('Lobby box has never been heard from')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Give them a new voucher' }).press('Enter')
  await expect(page.getByRole('dialog').getByText(/^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){2}$/)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: /^Enable batch/ }).press('Enter')
  await expect(page.getByText('All 2 codes of the batch work again.')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText('The batch is enabled.')).toBeVisible()
  await expect(page.getByText(/of this voucher is disabled/)).toHaveCount(0)
  await page.getByRole('link', { name: `Back to “${code.toLowerCase()}”` }).press('Enter')
  await expect(field).toHaveValue(code.toLowerCase())
  seen.expectNothing()
})

test('a fix whose answer was lost hands out what it has made when it is pressed again, and to nobody else', async ({
  page,
  foyer,
}) => {
  const { code, other, desk } = await aProperty(foyer)
  await enter(page, desk)
  await page.goto(`/property/guest-help?q=${code}`)
  await page.getByRole('link', { name: code }).click()
  const keys: (string | undefined)[] = []
  await page.route('**/api/v1/voucher-batches-create', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    const response = await route.fetch()
    await (keys.length === 1 ? route.abort() : route.fulfill({ response }))
  })
  const give = page.getByRole('button', { name: 'Give them a new voucher' })
  await give.click()
  await expect.poll(() => keys.length).toBe(1)
  await expect(give).toBeEnabled()
  for (const [again, of] of [other, code].entries()) {
    await page.getByRole('link', { name: /^Back to/ }).click()
    await page.getByRole('textbox', { name: 'Who cannot get online?' }).fill(of)
    await page.getByRole('link', { name: of }).click()
    await give.click()
    await expect(page.getByRole('dialog').getByText(/^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){2}$/)).toBeVisible()
    await page.keyboard.press('Escape')
    expect(keys).toHaveLength(again + 2)
  }
  expect(keys[1]).not.toBe(keys[0])
  expect(keys[2]).toBe(keys[0])
})
