// The desk with a queue: late answers, several guests at once, and the focus of the keyboard, which stays where it was.

import type { Page } from '@playwright/test'
import { dayFrom, expectText, listed, openDesk, openHouse } from '#test/journeys/desk-house.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask } from '#test/journeys/people.ts'

test('typing on while an answer is late acts on what was typed last', async ({ page, foyer }) => {
  test.setTimeout(90_000)
  const { desk } = await openHouse(foyer)
  await openDesk(page, desk)
  let held = 0
  await page.route('**/api/v1/guest-help', async (route) => {
    // Delays the first answer until after the second.
    if (held++ === 0) await new Promise((go) => setTimeout(go, 2000))
    await route.continue().catch(() => undefined)
  })
  await page.keyboard.type('abernathy')
  await expect.poll(() => held).toBe(1)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('birtwistle')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Birtwistle' })).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Abernathy' })).toHaveCount(0)
})

test('names at the desk stay on one line at every width', async ({ page, foyer }) => {
  const { desk } = await openHouse(foyer)
  await openDesk(page, desk)
  for (const width of [1440, 1152, 1048, 970, 839, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const name = listed(page, 'Overdue').getByText('Birtwistle')
    await expect(async () => expect((await name.boundingBox())?.height, `at ${width} px`).toBeLessThan(30)).toPass()
  }
})

test('several guests are checked out at once, by their checkboxes', async ({ page, foyer }) => {
  const { desk, token, day, property_id } = await openHouse(foyer)
  const { data } = await ask(foyer, '/rooms-create', { property_id, numbers: ['301', '302'] }, token)
  for (const [index, room_id] of (data['ids'] as number[]).entries())
    await ask(
      foyer,
      '/room-guests-create',
      { room_id, last_name: `Group ${index}`, arrives_on: dayFrom(day, -1), departs_on: day },
      token,
    )
  await openDesk(page, desk)
  const leaving = listed(page, 'Leaving')
  await leaving.getByRole('checkbox', { name: 'All' }).check()
  await leaving.getByRole('button', { name: 'Check out 3' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Check out' }).click()
  await expectText(page, '3 guests are checked out')
  await expectText(page, 'Nobody leaves today.')
})

test('after an action in a list the focus stays, or moves to the next guest if that one is gone', async ({
  page,
  foyer,
}) => {
  const { desk, token, day, property_id } = await openHouse(foyer)
  const { data } = await ask(foyer, '/rooms-create', { property_id, numbers: ['401', '402'] }, token)
  for (const [index, last_name] of ['Everard', 'Fothergill'].entries()) {
    // Created for tomorrow and then moved to today: a guest created for today is checked in at once.
    const stays = { arrives_on: dayFrom(day, 1), departs_on: dayFrom(day, 2) }
    const room_id = (data['ids'] as number[])[index]
    const { data: guest } = await ask(foyer, '/room-guests-create', { room_id, last_name, ...stays }, token)
    await ask(foyer, '/room-guests-update', { id: guest['id'], arrives_on: day }, token)
  }
  await openDesk(page, desk)
  const more = listed(page, 'In house').getByRole('listitem').filter({ hasText: 'Cadwallader' }).getByRole('button')
  await more.press('Enter')
  await expectText(page, /^Cadwallader stays until/)
  await expect(more).toBeEnabled()
  await expect(more).toBeFocused()
  const arriving = listed(page, 'Arriving')
  await arriving.getByRole('listitem').filter({ hasText: 'Everard' }).getByRole('button').press('Enter')
  await expectText(page, 'Everard is checked in')
  await expect(arriving.getByRole('link', { name: 'Fothergill' })).toBeFocused()
})

/** Delays the first answer of a call until it is released. */
async function holding(page: Page, call: string) {
  let first = true
  const { promise, resolve } = Promise.withResolvers<void>()
  const asked = page.waitForRequest(`**/api/v1${call}`)
  await page.route(`**/api/v1${call}`, async (route) => {
    const isHeld = first
    first = false
    if (isHeld) await promise
    await route.continue().catch(() => undefined)
  })
  return { asked, release: resolve }
}

test('the next guest of a queue does not wait for the previous request', async ({ page, foyer }) => {
  const { desk, token, day, property_id } = await openHouse(foyer)
  const { data } = await ask(foyer, '/rooms-create', { property_id, numbers: ['303', '304'] }, token)
  const [room_id] = data['ids'] as number[]
  const stays = { arrives_on: dayFrom(day, -1), departs_on: dayFrom(day, 2) }
  await ask(foyer, '/room-guests-create', { room_id, last_name: 'Dunwoody', ...stays }, token)
  await openDesk(page, desk)
  const more = (name: string) =>
    listed(page, 'In house').getByRole('listitem').filter({ hasText: name }).getByRole('button')
  const { asked, release } = await holding(page, '/room-guests-update')
  await more('Cadwallader').click()
  await asked
  await expect(more('Cadwallader')).toBeDisabled()
  await more('Dunwoody').click()
  await expectText(page, /^Dunwoody stays until/)
  await expect(listed(page, 'In house').getByText('4 nights')).toHaveCount(2)
  release()
  await expectText(page, /^Cadwallader stays until/)
  await expect(listed(page, 'In house').getByText('5 nights')).toBeVisible()
})

test('the name of an event can be typed while the packages load, and Escape loses no code', async ({ page, foyer }) => {
  const { desk } = await openHouse(foyer)
  await openDesk(page, desk)
  const packages = await holding(page, '/packages-list')
  await page.getByRole('link', { name: 'Give out a code' }).click()
  const dialog = page.getByRole('dialog')
  await packages.asked
  await dialog.getByRole('radio', { name: 'An event' }).check()
  const event = dialog.getByRole('textbox', { name: 'Event' })
  await expect(event).toBeFocused()
  await page.keyboard.type('Wedding')
  packages.release()
  await expect(dialog.getByRole('button', { name: 'Make voucher' })).toBeEnabled()
  await page.keyboard.type(' Hart')
  await expect(event).toHaveValue('Wedding Hart')

  const making = await holding(page, '/voucher-batches-create')
  await page.keyboard.press('Enter')
  await making.asked
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Make voucher' })).toHaveAttribute('aria-busy', 'true')
  making.release()
  await expect(dialog.getByRole('heading', { name: '1 voucher is ready' })).toBeVisible()
  await expect(dialog.getByText(/^Wedding Hart · .* · 50 devices · until /)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('a slip that the browser does not open is reported', async ({ page, foyer }) => {
  await page.addInitScript(() => (window.open = () => null))
  const { desk } = await openHouse(foyer)
  await openDesk(page, desk)
  await page.keyboard.type('cadwallader')
  await page.getByRole('button', { name: 'Print' }).click()
  await expectText(page, 'The browser did not open the slip. Allow pop-ups here, and print again.')
})
