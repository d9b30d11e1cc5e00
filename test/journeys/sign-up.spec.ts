// Sign-up: from an empty installation to a property that can serve guests, counted from the first page; a key, a click and a word are
// one each.

import { expect, test } from '#test/journeys/fixtures.ts'
import { ask } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'

// A separate Foyer, in which nobody has signed up. The browser's time zone determines the country.
test.use({ settings: { SIGNUP: 'first' }, timezoneId: 'Europe/Andorra' })

test('from sign-up to a property that can serve guests: at most 12, at a desk and in a window of 390 pixels', async ({
  page,
  foyer,
}) => {
  test.setTimeout(90_000)
  const { expectNothing } = watch(page)
  let steps = 0
  const press = (key: string) => page.keyboard.press(key).then(() => ++steps)
  const word = (text: string) => page.keyboard.type(text).then(() => ++steps)

  await page.goto(foyer.url)
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible()
  for (const text of ['Seaview', 'Ana', 'ana@seaview.example', 'quiet-harbour-lantern-42']) {
    await expect(page.locator('input:focus')).toHaveValue('')
    await word(text)
    await press(text.startsWith('quiet') ? 'Enter' : 'Tab')
  }
  const name = page.getByRole('textbox', { name: 'Name' })
  await expect(name).toBeFocused()
  await expect(page.getByText('In Andorra.')).toBeVisible()
  await expectAccessible(page)
  await word('Harbour')
  await press('Enter')
  const connect = page.getByRole('region', { name: 'Connect the gateway' })
  await expect(page.getByText('Before guests can get online it needs a gateway')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectFitting(page)
  await connect.getByRole('link', { name: 'MikroTik RouterOS' }).click()
  steps++
  await expect(page.getByRole('button', { name: 'Create now' })).toBeFocused()
  await press('Enter')
  await expect(page.getByText('The gateway has been created')).toBeVisible()
  expect(steps).toBeLessThanOrEqual(12)

  const token = await page.evaluate(() => sessionStorage.getItem('foyer-session') ?? '')
  const { data } = await ask(foyer, '/properties', {}, token)
  expect(data).toMatchObject([
    { name: 'Harbour', status: 'active', portal: expect.anything(), package: expect.anything() },
  ])
  const { data: gateways } = await ask(foyer, '/gateways', {}, token)
  expect(gateways).toMatchObject([{ property: { name: 'Harbour' } }])
  // Not ready yet, because no gateway has sent a request.
  const [property] = data as unknown as { id: number }[]
  await page.goto(`/customer/properties/create/success?id=${property?.id}`)
  await expect(page.getByText('its gateway to ask for the first time')).toBeVisible()
  expectNothing()
})
