// Consents of hotels' systems: a manager connects Apaleo from the interface's page, comes back, and a reload sends nothing again; a
// consent that was begun elsewhere is refused with what to do.
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'
import { openApaleoServer } from '#test/providers/hotel-systems.ts'

/** Fixed, because a worker's Foyer is started with its settings before the stand-in listens. */
const port = 21_213
const url = `http://127.0.0.1:${port}`
test.use({
  settings: {
    SIGNUP: 'open',
    APALEO_CLIENT_ID: 'FOYER-AC',
    APALEO_CLIENT_SECRET: 'c0nnect',
    APALEO_LOGIN_URL: url,
    APALEO_API_URL: url,
    ALLOWED_HOSTS: '127.0.0.1',
  },
})
let apaleo: Awaited<ReturnType<typeof openApaleoServer>>
test.beforeAll(async () => {
  apaleo = await openApaleoServer(port)
})
test.afterAll(() => apaleo.close())

test('Apaleo is connected by consent, and what was begun elsewhere is refused', async ({ page, foyer }) => {
  test.slow()
  const token = await operatorToken(foyer)
  const place = { name: 'Consent House', external_reference: 'CH-1', draft: true }
  const { data: property } = await ask(foyer, '/properties-create', place, token)
  const asked = { property_interface_type_id: 4, name: 'Apaleo', owner_type: 'Property', owner_id: property['id'] }
  const { data: made } = await ask(foyer, '/property-interfaces-create', asked, token)
  await enter(page, token)
  const { expectNothing } = watch(page)
  await page.goto(`/customer/property-interfaces/update?id=${String(made['id'])}`)
  await expect(page.getByText('Not given')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Connect to Apaleo', exact: true }).click()
  await expect(page.getByText('Apaleo is connected')).toBeVisible()
  await expect(page).not.toHaveURL(/code=|state=/)
  await expect(page.getByText('Given', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByText('Given', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Connect to Apaleo again' })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await expectFitting(page)
  expectNothing()

  await page.goto('/customer/property-interfaces?code=of-nobody&state=of-nobody')
  await expect(page.getByText('This was started elsewhere, or too long ago. Please connect again.')).toBeVisible()
  await expect(page).not.toHaveURL(/code=|state=/)
  await expectAccessible(page)
})
