// API reference: the page loads nothing from other hosts, and is readable at a desk and on a phone.

import { expect, test } from '#test/journeys/fixtures.ts'
import { watch } from '#test/journeys/watch.ts'

// The page lays out the whole API at once, which takes long on a busy machine.
test.beforeEach(() => test.slow())

test('the API can be read call by call', async ({ page, foyer }) => {
  const watched = watch(page)
  const elsewhere: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (/^https?:/.test(url) && new URL(url).port !== new URL(foyer.url).port) elsewhere.push(url)
  })
  await page.goto('/api/docs')
  await expect(page.getByRole('heading', { name: 'Foyer', exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible()

  await page.getByRole('link', { name: 'Properties', exact: true }).first().click()
  await page.getByRole('link', { name: /^Create a property/ }).click()
  await expect(page.getByRole('heading', { name: 'Create a property' })).toBeVisible()
  await expect(page.getByText('Harbour Hotel').first()).toBeVisible()

  watched.expectNothing()
  expect(elsewhere).toEqual([])
})

test.describe('on a phone, in dark', () => {
  test.use({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })

  test('nothing has to be scrolled sideways', async ({ page }) => {
    const watched = watch(page)
    await page.goto('/api/docs')
    await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible()
    const { width, shown } = await page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      shown: document.documentElement.clientWidth,
    }))
    expect(width).toBe(shown)
    watched.expectNothing()
  })
})
