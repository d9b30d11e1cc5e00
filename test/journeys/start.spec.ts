// The first minute: an operator starts Foyer on an empty data directory and opens the address that it printed.

import { expect, test } from '#test/journeys/fixtures.ts'

// A separate Foyer, because any other journey may have signed somebody up.
test.use({ settings: { SIGNUP: 'first' } })

test('an empty installation leads to the sign-up page', async ({ page, foyer }) => {
  await page.goto(`${foyer.url}/signup`)
  await expect(page).toHaveTitle('Foyer')
  await expect(page.getByRole('textbox').first()).toBeVisible()
})

test('after kill -9 Foyer starts again at the same address', async ({ page, foyer }) => {
  await foyer.kill()
  await foyer.start()
  const answer = await page.goto('/readyz')
  expect(answer?.status()).toBe(200)
})
