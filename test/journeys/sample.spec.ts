// Sample: from an empty installation into a hotel that is invented, and back to what is one's own, with nothing of it left.

import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operator, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'

test.use({ settings: { SIGNUP: 'open' } })

const widths = [1440, 1048, 839, 390]
const person = { ...operator, email: 'sample@harbour.example', company_name: 'Seaview' }

test('a newcomer fills a sample hotel, works in it, and takes it away with what they added', async ({
  page,
  foyer,
}) => {
  test.setTimeout(180_000)
  const { expectNothing } = watch(page)
  const fits = async (name: string) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      await expectFitting(page)
      if (process.env['SHOTS'])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          await page.waitForTimeout(300)
          await page.screenshot({ path: `${process.env['SHOTS']}/${name}-${width}-${colorScheme}.png` })
        }
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  await enter(page, await operatorToken(foyer, person))
  await page.goto('/')

  const fill = page.getByRole('button', { name: 'Create a sample hotel' })
  await expect(fill).toBeVisible()
  await expectAccessible(page)
  await fits('offer')
  await fill.click()
  await expect(page.getByText('A sample.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Guests online, last 7 days' })).toBeVisible()
  await expectAccessible(page)
  await fits('dashboard')

  const kept = (await page.evaluate(() => sessionStorage.getItem('foyer-session'))) ?? ''
  const { data } = await ask(foyer, '/properties', {}, kept)
  const [house] = data as unknown as { id: number; name: string }[]
  expect(house?.name).toBe('The Lantern Hotel')
  await ask(foyer, '/rooms-create', { property_id: house?.id, number: 'Garden 1' }, kept)

  await page.getByRole('button', { name: 'Remove it' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove the sample hotel?' })
  await expect(dialog.getByText('Garden 1')).toBeVisible()
  await expectAccessible(page)
  await fits('away')
  await dialog.getByRole('button', { name: 'Remove it' }).click()
  await expect(page.getByText('The sample hotel is gone.')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(fill).toBeVisible()
  await expect(page.getByText('A sample.')).toBeHidden()
  // Nor is it offered any more, without a reload.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('Profile')
  await page.getByRole('option', { name: 'Profile' }).click()
  await expect(page.getByRole('heading', { name: 'Look' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Work as' })).toBeHidden()
  expectNothing()
})
