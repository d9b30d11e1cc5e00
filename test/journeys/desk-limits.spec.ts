// The desk's limits: what each task of the front desk may take, from Today on. A word that is typed, a click and a key that chooses count
// as one each. By mouse, by keys alone (where those that move the focus, Tab and arrows, are not counted) and at 390 pixels.

import type { Locator, Page } from '@playwright/test'
import { dayFrom, expectText, field, listed, openDesk, openHouse, tab } from '#test/journeys/desk-house.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { walkTo } from '#test/journeys/hands.ts'
import { ask, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting } from '#test/journeys/watch.ts'

interface Counted {
  click: (target: Locator) => Promise<void>
  press: (key: string) => Promise<void>
  word: (word: string) => Promise<void>
  steps: () => number
}

function counted(page: Page, byKeys: boolean): Counted {
  let steps = 0
  const reach = async (target: Locator) => {
    const role = await target.getAttribute('role')
    // The tabs are one stop, at the one that is open.
    if (role === 'tab') await walkTo(page, 'Tab', page.getByRole('tab', { selected: true }))
    await walkTo(page, role === 'menuitem' ? 'ArrowDown' : role === 'tab' ? 'ArrowRight' : 'Tab', target)
    await page.keyboard.press('Enter')
  }
  return {
    click: async (target) => {
      await (byKeys ? reach(target) : target.click())
      steps++
    },
    press: async (key) => {
      await page.keyboard.press(key)
      steps++
    },
    word: async (word) => {
      await page.keyboard.type(word)
      steps++
    },
    steps: () => steps,
  }
}

/** Somebody who is expected today: made for tomorrow first, as who is made for today has come with it. */
async function expectGuest(
  foyer: Foyer,
  { token, day }: { token: string; day: string },
  room_id: number,
  name: string,
) {
  const stay = { room_id, last_name: name, arrives_on: dayFrom(day, 1), departs_on: dayFrom(day, 3) }
  const { data } = await ask(foyer, '/room-guests-create', stay, token)
  await ask(foyer, '/room-guests-update', { id: data['id'], arrives_on: day }, token)
}

/** The house of the other journeys, with arrivals, a code and a faster package. */
async function openFullHouse(foyer: Foyer, faster: string) {
  const house = await openHouse(foyer)
  const { token, property_id } = house
  await ask(foyer, '/packages-create', { name: faster, speed_mbps: 100 }, token)
  const { data } = await ask(foyer, '/rooms-create', { property_id, numbers: ['401', '402', '403', '404'] }, token)
  for (const [index, room_id] of (data['ids'] as number[]).entries())
    await expectGuest(foyer, house, room_id, ['Everard', 'Fothergill', 'Grimshaw', 'Hathaway'][index] ?? '')
  return house
}

const ways = [
  { name: 'by mouse', viewport: { width: 1440, height: 900 }, byKeys: false },
  { name: 'by keys alone', viewport: { width: 1440, height: 900 }, byKeys: true },
  { name: 'at 390 pixels', viewport: { width: 390, height: 844 }, byKeys: false },
]
for (const [place, { name, viewport, byKeys }] of ways.entries())
  test(`no task of the desk takes more than its limit, ${name}`, async ({ page, foyer }) => {
    test.setTimeout(240_000)
    await page.setViewportSize(viewport)
    await page.context().addInitScript(() => (window.print = () => undefined))
    const faster = `Broader ${place}`
    const { desk } = await openFullHouse(foyer, faster)
    await openDesk(page, desk)
    const task = (what: string, limit: number, act: (hands: Counted) => Promise<void>) =>
      test.step(`${what}: at most ${limit}`, async () => {
        await page.goto('/property/dashboard')
        await expect(field(page)).toBeFocused()
        await expect(listed(page, 'Arriving')).toBeVisible()
        const hands = counted(page, byKeys)
        await act(hands)
        expect(hands.steps(), what).toBeLessThanOrEqual(limit)
      })
    const button = (label: string | RegExp) => page.getByRole('button', { name: label })
    const dialog = page.getByRole('dialog')
    const printed = async (press: () => Promise<void>) => {
      const opened = page.waitForEvent('popup')
      await press()
      await (await opened).close()
    }

    await task('who leaves today', 0, async () => {
      await expect(listed(page, 'Leaving').getByText('Abernathy')).toBeVisible()
      await expect(listed(page, 'Overdue').getByText('Birtwistle')).toBeVisible()
      await expectAccessible(page)
      if (viewport.width === 390) await expectFitting(page)
    })
    await task('check in who arrives', 1, async ({ click }) => {
      await click(listed(page, 'Arriving').getByRole('button', { name: 'Check in Everard' }))
      await expectText(page, 'Everard is checked in')
    })
    await task('extend whom the day has something to do for', 1, async ({ click }) => {
      await click(listed(page, 'Leaving').getByRole('button', { name: 'A night more Abernathy' }))
      await expectText(page, /^Abernathy stays until/)
      await button('Undo').click()
      await expectText(page, /^Taken back/)
    })
    await task('check out', 2, async ({ click, press }) => {
      await click(listed(page, 'Leaving').getByRole('button', { name: 'Check out Abernathy' }))
      await expect(dialog.getByRole('button', { name: 'Check out' })).toBeFocused()
      await press('Enter')
      await expectText(page, 'Abernathy is checked out')
      await button('Undo').click()
      await expectText(page, 'Taken back: the check-out')
    })
    await task('check out who is in house', 3, async ({ click, press }) => {
      await click(tab(page, 'In house'))
      await click(listed(page, 'In house').getByRole('button', { name: 'Check out Cadwallader' }))
      await expect(dialog.getByRole('button', { name: 'Check out' })).toBeFocused()
      await press('Escape')
      await expect(dialog).toHaveCount(0)
    })
    await task('why somebody cannot get online', 1, async ({ word }) => {
      await word('zinnia')
      await expectText(page, 'The account Zinnia Marsh is disabled.')
    })
    await task('a walk-in', 6, async ({ word, press }) => {
      await word('204')
      await press('Enter')
      await expect(page.getByRole('link', { name: 'Check in to room 204' })).toBeFocused()
      await press('Enter')
      await expect(page.getByRole('textbox', { name: 'Last name' })).toBeFocused()
      await word('Featherstone')
      await press('Enter')
      await expectText(page, /Featherstone/)
    })
    await task('somebody more in a room', 4, async ({ word, click, press }) => {
      await word('203')
      await click(page.getByRole('link', { name: 'Check in to room 203' }))
      await expect(page.getByRole('textbox', { name: 'Last name' })).toBeFocused()
      await word('Inglewood')
      await press('Enter')
      await expectText(page, /Inglewood/)
    })
    await task('another room', 5, async ({ word, click, press }) => {
      await word('cadwallader')
      await click(page.getByRole('button', { name: 'Move', exact: true }))
      await expect(dialog.getByRole('combobox', { name: 'Room' })).toBeFocused()
      await word('205')
      await expect(page.getByRole('option', { name: '205' })).toBeVisible()
      await press('Enter')
      await click(dialog.getByRole('button', { name: 'Move', exact: true }))
      await expectText(page, 'Cadwallader is in room 205 now')
    })
    await task('an early departure', 2, async ({ word, click }) => {
      await word('cadwallader')
      await click(button('A night less'))
      await expectText(page, /^Cadwallader stays until/)
    })
    for (const [what, menu, entry, held] of [
      ['six devices of a family', 'Devices: as the package', '6 devices', 'Devices: 6'],
      ['more speed for one stay', 'Package: the room’s', faster, `Package: ${faster}`],
    ] as const)
      await task(what, 3, async ({ word, click }) => {
        await word('cadwallader')
        await click(button(menu))
        await click(page.getByRole('menuitem', { name: entry, exact: true }))
        await expect(button(held)).toBeVisible()
      })
    await task('what a guest has used', 2, async ({ word, click }) => {
      await word('cadwallader')
      await printed(() => click(button('Print usage')))
    })
    await task('another address of a device', 5, async ({ word, click, press }) => {
      await word('mirabel')
      await click(button('Replace its address'))
      await expect(page.getByRole('textbox', { name: 'New address' })).toBeFocused()
      await word('02:00:00:aa:bb:02')
      await press('Enter')
      await expectText(page, 'Kiosk Mirabel is known by its new address')
    })
    await task('another password', 3, async ({ word, click, press }) => {
      await word('zinnia')
      await click(button('New password'))
      await expect(dialog.getByRole('button', { name: 'Make a new password' })).toBeFocused()
      await press('Enter')
      await expectText(page, 'The guest has a new password')
    })
    await task('a code, printed', 3, async ({ click, press }) => {
      await click(page.getByRole('link', { name: 'Give out a code' }))
      await expect(dialog.getByRole('button', { name: 'Make voucher' })).toBeFocused()
      await press('Enter')
      await expect(dialog.getByRole('button', { name: 'Print now' })).toBeFocused()
      await printed(() => press('Enter'))
    })
    await task('a word for the next shift', 3, async ({ click, word, press }) => {
      const note = listed(page, 'Shift').getByRole('textbox', { name: 'Note for the next shift' })
      if (byKeys) await walkTo(page, 'Tab', note)
      else await click(note)
      await word('Taxi for 203 at six')
      await press('Enter')
      await expect(listed(page, 'Shift').getByText('Taxi for 203 at six')).toBeVisible()
    })
    await task('those who arrive, at once, with their cards', 4, async ({ click }) => {
      await click(tab(page, 'Arriving'))
      const all = listed(page, 'Arriving').getByRole('checkbox', { name: 'All' })
      if (byKeys) {
        await walkTo(page, 'Tab', all)
        await page.keyboard.press('Space')
      } else await all.check()
      await click(listed(page, 'Arriving').getByRole('button', { name: 'Check in 3' }))
      await expectText(page, '3 guests are checked in')
      await expectText(page, 'Nobody is expected.')
      await printed(() => click(button('Print 3 cards')))
    })
  })

test('of a full day the first tab has some of each list above the fold, and leads to the others', async ({
  page,
  foyer,
}) => {
  test.setTimeout(120_000)
  await page.setViewportSize({ width: 1440, height: 900 })
  const house = await openHouse(foyer)
  const { token, day, property_id } = house
  const numbers = Array.from({ length: 12 }, (_, index) => `5${String(index + 10)}`)
  const { data } = await ask(foyer, '/rooms-create', { property_id, numbers }, token)
  for (const [index, room_id] of (data['ids'] as number[]).entries())
    if (index < 4) await expectGuest(foyer, house, room_id, `Arrival ${index}`)
    else {
      const stay = { arrives_on: dayFrom(day, -4), departs_on: dayFrom(day, index < 8 ? 0 : -1) }
      await ask(foyer, '/room-guests-create', { room_id, last_name: `Guest ${index}`, ...stay }, token)
    }
  await openDesk(page, house.desk)
  for (const list of ['Overdue', 'Leaving', 'Arriving'])
    await expect(listed(page, list).getByRole('listitem')).toHaveCount(2)
  const shown = await page.getByRole('tabpanel').boundingBox()
  expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThanOrEqual(900)
  await expectAccessible(page)

  await listed(page, 'Leaving').getByRole('button', { name: 'Leaving: show all' }).click()
  await expect(tab(page, 'Leaving')).toHaveAttribute('aria-selected', 'true')
  await expect(listed(page, 'Leaving').getByRole('listitem')).toHaveCount(5)
  // Back from a guest leads to the list that was open, and Today begins with what there is to do.
  await listed(page, 'Leaving').getByRole('link', { name: 'Abernathy' }).click()
  await expect(page.getByRole('heading', { name: 'Abernathy', level: 1 })).toBeVisible()
  await page.goBack()
  await expect(listed(page, 'Leaving').getByRole('listitem')).toHaveCount(5)
  await page.getByRole('link', { name: 'Foyer, to the dashboard' }).click()
  await expect(page.getByRole('tab', { name: 'To do' })).toHaveAttribute('aria-selected', 'true')
})
