// The desk with a queue: late answers, several guests at once, and the focus of the keyboard, which stays where it was.

import type { Page } from '@playwright/test'
import { dayFrom, expectText, field, listed, openDesk, openHouse, openList } from '#test/journeys/desk-house.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, join } from '#test/journeys/people.ts'

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
  await expect.poll(() => held).toBeGreaterThan(0)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('birtwistle')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Birtwistle' })).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Abernathy' })).toHaveCount(0)
})

test('names at the desk stay on one line at every width', async ({ page, foyer }) => {
  const { desk } = await openHouse(foyer)
  await openDesk(page, desk)
  await openList(page, 'Overdue')
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
  const leaving = await openList(page, 'Leaving')
  await leaving.getByRole('checkbox', { name: 'All' }).check()
  await leaving.getByRole('button', { name: 'Check out 3' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Check out' }).click()
  await expectText(page, '3 guests are checked out')
  await expectText(page, 'Nobody leaves today.')
})

test('after an action in a list the focus stays, or is on what was done if the guest is gone', async ({
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
  const row = (await openList(page, 'In house')).getByRole('listitem').filter({ hasText: 'Cadwallader' })
  const more = row.getByRole('button', { name: 'One more night' })
  await more.press('Enter')
  await expectText(page, /^Cadwallader stays until/)
  await expect(more).toBeEnabled()
  await expect(more).toBeFocused()
  const arriving = await openList(page, 'Arriving')
  await arriving.getByRole('listitem').filter({ hasText: 'Everard' }).getByRole('button').press('Enter')
  await expect(arriving.getByText('Everard is checked in')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const print = arriving.getByRole('button', { name: 'Print' })
  await expect(print).toBeFocused()
  const opened = page.waitForEvent('popup')
  await page.keyboard.press('Enter')
  // The slip is printed, and its window closes by itself.
  await opened
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(arriving.getByText('Check-in undone')).toBeFocused()
  await expect(arriving.getByRole('link', { name: 'Everard' })).toBeVisible()
})

test('what was done stands for half a minute, and longer while the focus is on it', async ({ page, foyer }) => {
  const { desk } = await openHouse(foyer)
  await page.clock.install()
  await openDesk(page, desk)
  const undo = page.getByRole('button', { name: 'Undo' })
  const more = (await openList(page, 'In house')).getByRole('button', { name: 'One more night' }).first()
  await more.click()
  await expect(undo).toBeVisible()
  await page.clock.runFor(29_000)
  await expect(undo).toBeVisible()
  await undo.focus()
  await page.clock.runFor(5000)
  await expect(undo).toBeFocused()
  await more.focus()
  await expect(undo).toHaveCount(0)
})

test('of two at the desk the slower one reads who did what, and when', async ({ page, foyer }) => {
  const { desk, token, property_id } = await openHouse(foyer)
  await openDesk(page, desk)
  const emil = await join(foyer, {
    email: `emil.${property_id}@harbour.example`,
    name: 'Emil Night',
    user_type_id: 3,
    owner_type: 'properties',
    owner_id: property_id,
  })
  const { data } = await ask(foyer, '/room-guests', { params: { property_id }, searchValue: 'Abernathy' }, token)
  const [guest] = data as unknown as { id: number }[]
  const leaving = listed(page, 'Leaving')
  await leaving.getByRole('button', { name: 'Check out' }).click()
  const checkOut = () => ask(foyer, '/room-guests-check-out', { ids: [guest?.id] }, emil, 'property')
  await expect.poll(async () => (await checkOut()).status).toBe(200)
  await page.getByRole('dialog').getByRole('button', { name: 'Check out' }).click()
  await expect(leaving.getByText(/^Emil Night checked out Abernathy at \d\d:\d\d\.$/)).toBeVisible()
  await expect(leaving.getByRole('button', { name: 'Undo' })).toHaveCount(0)
})

test('who was checked out by the field stays shown with Undo, whoever it finds then', async ({ page, foyer }) => {
  const { desk, token, property_id } = await openHouse(foyer)
  const { data } = await ask(foyer, '/rooms-create', { property_id, numbers: ['601', '602'] }, token)
  const [room_id] = data['ids'] as number[]
  for (const last_name of ['Hart', 'Weber']) await ask(foyer, '/room-guests-create', { room_id, last_name }, token)
  await openDesk(page, desk)
  const shown = (name: string) => page.getByRole('region', { name, exact: true })
  const found = (name: string) => page.getByRole('option').filter({ hasText: name })
  const undo = shown('Hart').getByRole('button', { name: 'Undo' })
  const checkOut = async (name: string) => {
    await shown(name).getByRole('button', { name: 'Check out' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Check out' }).click()
  }

  await field(page).fill('601')
  await expect(found('Weber')).toBeVisible()
  await checkOut('Hart')
  await expect(found('Hart')).toHaveCount(0)
  await expect(found('Weber')).toBeVisible()
  await expect(undo).toBeVisible()
  await undo.click()
  await expect(found('Hart')).toBeVisible()
  await expect(shown('Hart').getByRole('button', { name: 'Check out' })).toBeVisible()

  await shown('Hart').getByRole('button', { name: 'Move', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Move Hart' })
  await dialog.getByRole('combobox', { name: 'Room' }).fill('602')
  await page.getByRole('option', { name: '602' }).click()
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(found('Hart')).toHaveCount(0)
  await expect(shown('Hart').getByText('Hart is in room 602 now')).toBeVisible()
  await expect(undo).toBeVisible()

  // Whoever is looked for next is found as ever.
  const nothing = page.getByText('Nothing found for “cadwallader”', { exact: false })
  await field(page).fill('cadwallader')
  await checkOut('Cadwallader')
  await expect(shown('Cadwallader').getByText('Cadwallader is checked out')).toBeVisible()
  await page.waitForResponse('**/api/v1/guest-help-subject')
  await expect(nothing).toHaveCount(0)
  await expect(shown('Cadwallader').getByRole('button', { name: 'Undo' })).toBeVisible()
})

test('a room is vacant as of now, whoever has checked guests in and out since Today was opened', async ({
  page,
  foyer,
}) => {
  const { desk, token, property_id } = await openHouse(foyer)
  const { data } = await ask(foyer, '/rooms-create', { property_id, numbers: ['701'] }, token)
  const [room_id] = data['ids'] as number[]
  await openDesk(page, desk)
  const nobody = page.getByText('Nobody is in room 701.')
  await field(page).fill('701')
  await expect(nobody.first()).toBeVisible()
  await field(page).fill('')
  const { data: guest } = await ask(foyer, '/room-guests-create', { room_id, last_name: 'Hart' }, token)
  await field(page).fill('701')
  await expect(page.getByRole('heading', { name: 'Hart' })).toBeVisible()
  await expect(nobody).toHaveCount(0)
  await field(page).fill('')
  await ask(foyer, '/room-guests-check-out', { ids: [guest['id']] }, token)
  await field(page).fill('701')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Check in to room 701' })).toBeFocused()
})

test('a stay without an end has no night more', async ({ page, foyer }) => {
  const { desk, token, property_id } = await openHouse(foyer)
  const { data } = await ask(foyer, '/rooms-create', { property_id, numbers: ['501'] }, token)
  await ask(foyer, '/room-guests-create', { room_id: (data['ids'] as number[])[0], last_name: 'Lessing' }, token)
  await openDesk(page, desk)
  const row = (await openList(page, 'In house')).getByRole('listitem').filter({ hasText: 'Lessing' })
  await expect(row).toBeVisible()
  await expect(row.getByRole('button')).toHaveText(['Check out'])
  await field(page).fill('lessing')
  await expect(page.getByRole('button', { name: 'Move', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^A night/ })).toHaveCount(0)
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
    listed(page, 'In house')
      .getByRole('listitem')
      .filter({ hasText: name })
      .getByRole('button', { name: 'One more night' })
  await openList(page, 'In house')
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

test('a night more starts from the stay that is shown, however fast it is pressed', async ({ page, foyer }) => {
  const { desk } = await openHouse(foyer)
  await openDesk(page, desk)
  await field(page).fill('cadwallader')
  const guest = page.getByRole('region', { name: 'Cadwallader' })
  await expect(guest.getByText('4 nights')).toBeVisible()
  const reading = Promise.withResolvers<void>()
  await page.route('**/api/v1/guest-help-subject', async (route) => {
    await reading.promise
    await route.continue().catch(() => undefined)
  })
  const more = guest.getByRole('button', { name: 'One more night' })
  let updates = 0
  page.on('request', (request) => void (request.url().endsWith('/room-guests-update') && updates++))
  await more.click()
  await expectText(page, /^Cadwallader stays until/)
  // Stored, and not shown yet.
  await more.click({ force: true })
  reading.resolve()
  await expect(guest.getByText('5 nights')).toBeVisible()
  await expect(guest.getByRole('button', { name: 'Undo' })).toBeVisible()
  expect(updates).toBe(1)
  await more.click()
  await expect(guest.getByText('6 nights')).toBeVisible()
  await guest.getByRole('button', { name: 'Undo' }).click()
  await expect(guest.getByText('5 nights')).toBeVisible()
})

test('the next note for a shift is not lost while the last one is stored', async ({ page, foyer }) => {
  const { desk } = await openHouse(foyer)
  await openDesk(page, desk)
  const shift = listed(page, 'Shift')
  const note = shift.getByRole('textbox', { name: 'Note for the next shift' })
  await note.fill('Taxi for 203 at six')
  const writing = await holding(page, '/shift-notes-create')
  await page.keyboard.press('Enter')
  await writing.asked
  await note.fill('Cot for 201')
  writing.release()
  await expect(shift.getByText('Taxi for 203 at six')).toBeVisible()
  await expect(shift.getByRole('button', { name: 'Add' })).not.toHaveAttribute('aria-busy', 'true')
  await expect(note).toHaveValue('Cot for 201')
  await page.keyboard.press('Enter')
  await expect(shift.getByText('Cot for 201')).toBeVisible()
  await expect(note).toHaveValue('')
})

test('the name of an event can be typed while the packages load, and Escape loses no code', async ({ page, foyer }) => {
  const { desk } = await openHouse(foyer)
  await openDesk(page, desk)
  const packages = await holding(page, '/packages-list')
  await page.getByRole('link', { name: 'Give out a code' }).click()
  const dialog = page.getByRole('dialog')
  await packages.asked
  await dialog.getByRole('radio', { name: 'An event' }).check()
  await expect(dialog.getByRole('textbox', { name: 'Devices' })).toBeFocused()
  const event = dialog.getByRole('textbox', { name: 'Event' })
  await event.click()
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
  await page.getByRole('button', { name: 'Print', exact: true }).click()
  await expectText(page, 'The browser did not open the slip. Allow pop-ups here, and print again.')
})
