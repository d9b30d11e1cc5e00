// The desk's groups and shifts: a group that arrives by ticks, found again by its name; who did not come; usage on a slip; and what one
// shift leaves for the next. At a desk, and in a window of 390 pixels.

import type { Page } from '@playwright/test'
import { dayFrom, expectText, field, listed, openDesk, openHouse, openList, tab } from '#test/journeys/desk-house.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'

const size = 12
type House = Awaited<ReturnType<typeof openHouse>>

/** A group that is expected today. */
async function aGroup(foyer: Foyer, { token, day, property_id }: House, group_name: string) {
  const numbers = Array.from({ length: size }, (_, index) => `7${String(index + 10)}`)
  const { data } = await ask(foyer, '/rooms-create', { property_id, numbers }, token)
  for (const [index, room_id] of (data['ids'] as number[]).entries()) {
    const stay = { room_id, last_name: `Vogel ${index}`, arrives_on: dayFrom(day, 1), departs_on: dayFrom(day, 3) }
    const { data: guest } = await ask(foyer, '/room-guests-create', stay, token)
    await ask(foyer, '/room-guests-update', { id: guest['id'], arrives_on: day }, token)
    await ask(foyer, '/stays-update', { id: guest['stay_id'], group_name }, token)
  }
}

/** Slips stay open as if somebody were looking at the browser's dialog. */
const keepSlips = (page: Page) => page.context().addInitScript(() => (window.print = () => undefined))

const fits = async (page: Page, width: number) => {
  if (width === 390) await expectFitting(page)
}

for (const { name, viewport } of [
  { name: 'at a desk', viewport: { width: 1440, height: 900 } },
  { name: 'in a window of 390 pixels', viewport: { width: 390, height: 844 } },
])
  test(`a group arrives in three presses, and is found, extended and checked out, ${name}`, async ({ page, foyer }) => {
    test.setTimeout(180_000)
    await page.setViewportSize(viewport)
    const seen = watch(page)
    await keepSlips(page)
    const house = await openHouse(foyer)
    await aGroup(foyer, house, 'Wedding Vogel')
    await openDesk(page, house.desk)
    const arriving = await openList(page, 'Arriving')
    await expectAccessible(page)
    await fits(page, viewport.width)

    await arriving.getByRole('checkbox', { name: 'All' }).check()
    await arriving.getByRole('button', { name: `Check in ${size}` }).click()
    await expectText(page, `${size} guests are checked in`)
    await expectAccessible(page)
    const opened = page.waitForEvent('popup')
    await arriving.getByRole('button', { name: `Print ${size} cards` }).click()
    const cards = await opened
    await expect(cards.locator('section')).toHaveCount(size)
    await cards.close()
    await arriving.getByRole('button', { name: 'Undo' }).click()
    await expect(tab(page, 'Arriving')).toHaveAccessibleName(`Arriving ${size}`)
    await expect(arriving.getByRole('link', { name: 'Vogel 0' })).toBeVisible()
    // Once, not in each of their rows.
    await expect(arriving.getByText('Check-in undone')).toHaveCount(1)

    // By the name of the group.
    await arriving.getByRole('checkbox', { name: `Wedding Vogel (${size})` }).check()
    await arriving.getByRole('button', { name: `Check in ${size}` }).click()
    await expectText(page, 'Nobody is expected.')

    await field(page).fill('wedding')
    await page.getByRole('button', { name: `Group Wedding Vogel: ${size} guests` }).click()
    const group = listed(page, 'Group Wedding Vogel')
    await expect(group.getByRole('link', { name: 'Vogel 0' })).toBeVisible()
    await expectAccessible(page)
    await fits(page, viewport.width)
    await group.getByRole('button', { name: `One more night for ${size}` }).click()
    await expectText(page, new RegExp(`^${size} guests stay until`))
    await group.getByRole('button', { name: `Check out ${size}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Check out' }).click()
    await expect(page.getByRole('button', { name: 'Group Wedding Vogel: 0 guests' })).toBeVisible()
    await group.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('button', { name: `Group Wedding Vogel: ${size} guests` })).toBeVisible()
    await expectText(page, 'Check-out undone')
    seen.expectNothing()
  })

test('a night more for a group leaves those without a departure without one', async ({ page, foyer }) => {
  const { desk, token, property_id, day } = await openHouse(foyer)
  const { data } = await ask(foyer, '/rooms-create', { property_id, numbers: ['851', '852'] }, token)
  const [one, other] = data['ids'] as number[]
  const group_name = `Crew ${property_id}`
  const arrive = async (guest: object) => {
    const { data: made } = await ask(foyer, '/room-guests-create', guest, token)
    await ask(foyer, '/stays-update', { id: made['stay_id'], group_name }, token)
    return Number(made['id'])
  }
  const hart = await arrive({ room_id: one, last_name: 'Hart', departs_on: dayFrom(day, 2) })
  const lessing = await arrive({ room_id: other, last_name: 'Lessing' })
  await openDesk(page, desk)
  await field(page).fill(group_name)
  await page.getByRole('button', { name: `Group ${group_name}: 2 guests` }).click()
  await listed(page, `Group ${group_name}`).getByRole('button', { name: 'One more night for 1' }).click()
  await expectText(page, /^Hart stays until/)
  const { data: rows } = await ask(foyer, '/room-guests', { params: { property_id } }, token)
  const departures = new Map(
    (rows as unknown as { id: number; departs_on: string | null }[]).map((row) => [row.id, row]),
  )
  expect([hart, lessing].map((id) => departures.get(id)?.departs_on)).toEqual([dayFrom(day, 3), null])
})

test('what was done at one property does not stand in the day of another', async ({ page, foyer }) => {
  const [first, second] = [await openHouse(foyer), await openHouse(foyer)]
  await enter(page, first.token)
  await page.goto('/customer/today')
  const open = async ({ name }: House) => {
    await page.getByRole('combobox', { name: 'Property' }).click()
    await page.getByRole('option', { name }).click()
    await expect(listed(page, 'Leaving').getByRole('link', { name: 'Abernathy' })).toBeVisible()
  }
  await open(first)
  await listed(page, 'Leaving').getByRole('button', { name: 'Check out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Check out' }).click()
  await expect(listed(page, 'Leaving').getByText('Abernathy is checked out')).toBeVisible()
  await open(second)
  await expect(listed(page, 'Leaving').getByText('Abernathy is checked out')).toHaveCount(0)
})

test('who did not come is reinstated, and a stay says what the last shift has noted', async ({ page, foyer }) => {
  test.setTimeout(120_000)
  const house = await openHouse(foyer)
  const { token, day, property_id, desk } = house
  const { data } = await ask(foyer, '/rooms-create', { property_id, numbers: ['801'] }, token)
  const [room_id] = data['ids'] as number[]
  const stay = { room_id, last_name: 'Latimer', arrives_on: dayFrom(day, 1), departs_on: dayFrom(day, 3) }
  const { data: guest } = await ask(foyer, '/room-guests-create', stay, token)
  await ask(foyer, '/room-guests-update', { id: guest['id'], arrives_on: day }, token)
  await ask(foyer, '/stays-update', { id: guest['stay_id'], note: 'Late, by the last train' }, token)
  await openDesk(page, desk)
  await expect((await openList(page, 'Arriving')).getByText('Late, by the last train')).toBeVisible()

  await field(page).fill('latimer')
  await page.getByRole('button', { name: 'No-show' }).click()
  await expectText(page, 'Latimer did not come')
  await field(page).fill('')
  await expect(listed(page, 'Arriving').getByText('Nobody is expected.')).toBeVisible()
  const gone = listed(page, 'Did not come')
  await expectAccessible(page)
  await gone.getByRole('button', { name: 'Reinstate Latimer' }).click()
  await expect(listed(page, 'Arriving').getByRole('link', { name: 'Latimer' })).toBeVisible()
})

test('what was used is printed in two presses, and a note is left for the next shift in two', async ({
  page,
  foyer,
}) => {
  test.setTimeout(120_000)
  const { desk } = await openHouse(foyer)
  await keepSlips(page)
  await openDesk(page, desk)
  await page.keyboard.type('cadwallader')
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Print usage' }).click()
  const slip = await opened
  await expect(slip.getByText('Nothing so far')).toBeVisible()
  await slip.close()
  await field(page).fill('')

  const shift = listed(page, 'Shift')
  await shift.getByRole('textbox', { name: 'Note for the next shift' }).fill('Taxi for 203 at six')
  await page.keyboard.press('Enter')
  await expect(shift.getByText('Taxi for 203 at six')).toBeVisible()
  await page.reload()
  await expect(shift.getByText('Taxi for 203 at six')).toBeVisible()
  await shift.getByRole('button', { name: 'What was done' }).click()
  await expect(shift.getByText('Dora Desk wrote a note')).toBeVisible()
  await expectAccessible(page)
  await shift.getByRole('button', { name: 'Done: Taxi for 203 at six' }).click()
  await expect(shift.getByText(/^Done by Dora Desk/)).toBeVisible()
})

test('the field names how many were found, digits are asked for at once, and the verdict needs one call', async ({
  page,
  foyer,
}) => {
  const { desk, token, property_id, day } = await openHouse(foyer)
  const { data } = await ask(foyer, '/rooms-create', { property_id, numbers: ['901', '902'] }, token)
  for (const [index, room_id] of (data['ids'] as number[]).entries()) {
    const stay = { room_id, last_name: `Okonkwo ${index}`, arrives_on: dayFrom(day, -1), departs_on: dayFrom(day, 2) }
    await ask(foyer, '/room-guests-create', stay, token)
  }
  await openDesk(page, desk)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.includes('/guest-help')) asked.push(pathname)
  })
  // At once: on a busy machine a pause between two letters may be as long as the one that asks.
  await page.keyboard.insertText('okonkwo')
  await expect(page.getByRole('listbox', { name: 'Found' }).getByRole('option')).toHaveCount(2)
  await expect(page.getByRole('status').filter({ hasText: '2 found' })).toHaveCount(1)
  // The newest first.
  await expect(page.getByRole('heading', { name: 'Okonkwo 1' })).toBeVisible()
  expect(asked).toEqual(['/api/v1/guest-help'])
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { selected: true })).toContainText('Okonkwo 0')
  await expect(page.getByRole('heading', { name: 'Okonkwo 0' })).toBeVisible()
  await expectAccessible(page)

  await page.keyboard.press('Escape')
  await page.keyboard.type('901')
  await expect(page.getByRole('region', { name: 'Okonkwo 0' })).toBeVisible()
})

test('a manager of a house has the day beside the dashboard, and on a phone as a bar', async ({ page, foyer }) => {
  const { token } = await openHouse(foyer)
  await enter(page, token)
  await page.goto('/customer/dashboard')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Today' }).click()
  await expect(page).toHaveURL('/customer/today')
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/mobile')
  const bar = page.getByRole('navigation', { name: 'Desk' })
  await expect(bar.getByRole('link')).toHaveText(['Find', 'Give out a code', 'Check in', 'Today'])
  await expectAccessible(page)
  await expectFitting(page)
})
