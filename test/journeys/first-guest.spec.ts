// First guest: from an empty installation to a guest online at a gateway that Foyer plays, by what the pages say; a key, a click and a
// word are one each. Each step of the first page is ticked by what it is for.

import type { Locator, Page } from '@playwright/test'
import { expect, test } from '#test/journeys/fixtures.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'

// A separate Foyer, in which nobody has signed up. The browser's time zone determines the country.
test.use({ settings: { SIGNUP: 'first' }, timezoneId: 'Europe/Andorra' })

const presses_max = 25
const sizes = [1440, 1152, 1048, 839, 390]

test('from sign-up to a guest online, and back to nothing', async ({ page, foyer }) => {
  test.setTimeout(180_000)
  const { expectNothing } = watch(page)
  let presses = 0
  const press = (key: string, at: Page = page) => at.keyboard.press(key).then(() => ++presses)
  const word = (text: string, at: Page = page) => at.keyboard.type(text).then(() => ++presses)
  const click = (target: Locator) => target.click().then(() => ++presses)
  const setUp = page.getByRole('region', { name: 'Get the first guest online' })
  const step = (title: string) => setUp.getByRole('listitem').filter({ hasText: title })

  await page.goto(foyer.url)
  for (const text of ['Seaview', 'Ana', 'ana@seaview.example', 'quiet-harbour-lantern-42']) {
    await expect(page.locator('input:focus')).toHaveValue('')
    await word(text)
    await press(text.startsWith('quiet') ? 'Enter' : 'Tab')
  }
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await word('Harbour')
  await press('Enter')
  await expect(page.getByText('Before guests can get online it needs a gateway')).toBeVisible()
  await click(page.getByRole('link', { name: 'Foyer, to the dashboard' }))

  await expect(step('Give out a code')).toHaveAttribute('aria-current', 'step')
  await click(setUp.getByRole('link', { name: 'Begin: Give out a code' }))
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Make voucher' })).toBeFocused()
  await press('Enter')
  const made = dialog.getByText(/^[2-9A-HJKMNP-Z]{4}(-[2-9A-HJKMNP-Z]{4}){2}$/)
  const code = (await made.textContent()) ?? ''
  await press('Escape')

  await expect(step('Try it as a guest')).toHaveAttribute('aria-current', 'step')
  await click(setUp.getByRole('link', { name: 'Try it: Try it as a guest' }))
  await expect(dialog.getByRole('button', { name: 'Begin' })).toBeFocused()
  await expectAccessible(page)
  await press('Enter')
  const opening = page.waitForEvent('popup')
  await click(dialog.getByRole('link', { name: 'Open the guest’s window' }))
  const guest = await opening
  await guest
    .getByRole('radio', { name: 'Voucher' })
    .or(guest.getByText('Voucher', { exact: true }))
    .first()
    .click()
  presses++
  await guest.getByRole('textbox').first().click()
  presses++
  await word(code, guest)
  await press('Enter', guest)
  await expect(guest.getByRole('heading', { name: 'You are online' })).toBeVisible()
  const seen = dialog.getByRole('region', { name: 'What the desk sees' })
  await expect(seen.getByText('Online, as the gateway reports')).toBeVisible()
  await expect(seen.getByText('Uses data')).toBeVisible()
  await expect(seen.getByText('Trial', { exact: true })).toBeVisible()
  expect(presses).toBeLessThanOrEqual(presses_max)
  await expectAccessible(page)
  for (const width of sizes) {
    await page.setViewportSize({ width, height: 900 })
    await expectFitting(page)
  }
  await page.setViewportSize({ width: 1440, height: 900 })

  await dialog.getByRole('button', { name: 'End the trial' }).click()
  await expect(dialog.getByRole('button', { name: 'Try it again' })).toBeVisible()
  await page.keyboard.press('Escape')
  // What was tried is ticked, and nothing that only a gateway's guest can tick.
  for (const title of ['Add a property', 'Give out a code', 'Try it as a guest'])
    await expect(step(title)).toHaveAttribute('data-done', 'true')
  for (const title of ['Register the gateway', 'Hear its first packet', 'Let the first guest in'])
    await expect(step(title)).toHaveAttribute('data-done', 'false')
  await guest.reload()
  await page.goto('/customer/sessions')
  await expect(page.getByText('Nobody has been online yet')).toBeVisible()
  expectNothing()
})
