// First guest: from signing up to a guest online at a gateway that Foyer plays, by what the pages say; a key, a click and a
// word are one each. By mouse, by keys alone and at 390 pixels. Each step of the first page is ticked by what it is for.

import { expect, test } from '#test/journeys/fixtures.ts'
import { counted } from '#test/journeys/hands.ts'
import { expectAccessible, expectAtFoot, expectFitting, watch } from '#test/journeys/watch.ts'

// The browser's time zone determines the country.
test.use({ settings: { SIGNUP: 'open' }, timezoneId: 'Europe/Andorra' })

/** Sign-up, what the property asks for, and all of it until a guest is online. */
const limits = { signUp: 5, property: 2, online: 25 }
const sizes = [1440, 1152, 1048, 839, 390]
const ways = [
  { name: 'by mouse', width: 1440, byKeys: false },
  { name: 'by keys alone', width: 1440, byKeys: true },
  { name: 'at 390 pixels', width: 390, byKeys: false },
]

for (const { name, width, byKeys } of ways)
  test(`from sign-up to a guest online, and back to nothing, ${name}`, async ({ page, foyer }) => {
    test.setTimeout(180_000)
    await page.setViewportSize({ width, height: 900 })
    const { expectNothing } = watch(page)
    const { click, press, word, steps } = counted(page, byKeys)
    const setUp = page.getByRole('region', { name: 'Get the first guest online' })
    const step = (title: string) => setUp.getByRole('listitem').filter({ hasText: title })

    await page.goto(`${foyer.url}/signup`)
    const email = `ana.${width}.${byKeys}@seaview.example`
    for (const text of ['Seaview', 'Ana', email, 'quiet-harbour-lantern-42']) {
      await expect(page.locator('input:focus')).toHaveValue('')
      await word(text)
      // Whoever types goes on to the next field by Tab, which only moves the focus.
      if (!text.startsWith('quiet')) await page.keyboard.press('Tab')
    }
    await press('Enter')
    expect(steps(), 'sign-up').toBeLessThanOrEqual(limits.signUp)
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
    await word('Harbour')
    await press('Enter')
    expect(steps(), 'the property').toBeLessThanOrEqual(limits.signUp + limits.property)
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
    await expectAtFoot(page, dialog.getByRole('button', { name: 'Begin' }))
    await expectAccessible(page)
    await press('Enter')
    const opening = page.waitForEvent('popup')
    await click(dialog.getByRole('link', { name: 'Open the guest’s window' }))
    const guest = await opening
    const guests = counted(guest, byKeys)
    await guests.click(guest.getByRole('radio', { name: 'Voucher' }))
    await guests.put(guest.getByRole('textbox', { name: 'Voucher code' }), code)
    await guests.press('Enter')
    await expect(guest.getByRole('heading', { name: 'You are online' })).toBeVisible()
    const seen = dialog.getByRole('region', { name: 'What the desk sees' })
    await expect(seen.getByText('Online, as the gateway reports')).toBeVisible()
    await expect(seen.getByText('Uses data')).toBeVisible()
    await expect(seen.getByText('Trial', { exact: true })).toBeVisible()
    expect(steps() + guests.steps(), 'a guest online').toBeLessThanOrEqual(limits.online)
    await expectAccessible(page)
    for (const size of sizes) {
      await page.setViewportSize({ width: size, height: 900 })
      await expectFitting(page)
    }
    await page.setViewportSize({ width, height: 900 })

    await dialog.getByRole('button', { name: 'End the trial' }).click()
    await expect(dialog.getByRole('button', { name: 'Try it again' })).toBeVisible()
    await page.keyboard.press('Escape')
    // What was tried is ticked, and nothing that only a gateway's guest can tick.
    for (const title of ['Add a property', 'Give out a code', 'Try it as a guest'])
      await expect(step(title)).toHaveAttribute('data-done', 'true')
    for (const title of ['Register the gateway', 'Receive its first packet', 'Let the first guest in'])
      await expect(step(title)).toHaveAttribute('data-done', 'false')
    await guest.reload()
    await page.goto('/customer/sessions')
    await expect(page.getByText('Nobody has been online yet')).toBeVisible()
    expectNothing()
  })
