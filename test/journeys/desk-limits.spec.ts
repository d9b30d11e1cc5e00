// The desk's limits: what each task of the front desk may take, from Today on, and what those of a manager may take, from the dashboard on.
// A word that is typed, a click and a key that chooses count as one each. By mouse, by keys alone (where those that move the focus, Tab
// and arrows, are not counted) and at 390 pixels.

import { connect } from '#server/db/logins.ts'
import { messages } from '#contract/messages.ts'
import { dayFrom, expectText, field, listed, openDesk, openHouse, tab } from '#test/journeys/desk-house.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { counted, walkTo, type Counted } from '#test/journeys/hands.ts'
import { ask, enter, join, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting } from '#test/journeys/watch.ts'

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

/** Somebody who has lost the only telephone that their package lets in. */
async function loseTelephone(foyer: Foyer & { database(): string }, { token, property_id }: House) {
  const { data: pack } = await ask(foyer, '/packages-create', { name: `One ${property_id}`, max_users: 1 }, token)
  const username = `lost${property_id}`
  const account = { name: 'Leopold Mislaid', username, password: 'quay-2345', property_id, package_id: pack['id'] }
  const { data } = await ask(foyer, '/accounts-create', account, token)
  const admin = await connect(foyer.database())
  try {
    await admin.query(
      `insert into guest_devices (customer_id, account_id, mac_address)
       select customer_id, id, '02:00:00:aa:bb:22' from accounts where id = $1`,
      [data['id']],
    )
  } finally {
    await admin.end()
  }
}

type House = Awaited<ReturnType<typeof openHouse>>

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
    const house = await openFullHouse(foyer, faster)
    await loseTelephone(foyer, house)
    await openDesk(page, house.desk)
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
      await click(listed(page, 'Leaving').getByRole('button', { name: 'One more night Abernathy' }))
      await expectText(page, /^Abernathy stays until/)
      await button('Undo').click()
      await expectText(page, 'New departure undone')
    })
    await task('check out', 2, async ({ click, press }) => {
      await click(listed(page, 'Leaving').getByRole('button', { name: 'Check out Abernathy' }))
      await expect(dialog.getByRole('button', { name: 'Check out' })).toBeFocused()
      await press('Enter')
      await expectText(page, 'Abernathy is checked out')
      await button('Undo').click()
      await expectText(page, 'Check-out undone')
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
      await click(button('One night less'))
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
    await task('one code for 40, until a later day', 6, async ({ click, put, press }) => {
      await click(page.getByRole('link', { name: 'Give out a code' }))
      const event = dialog.getByRole('radio', { name: 'An event' })
      await click(event)
      if (byKeys) await expect(event).toBeFocused()
      else await expect(dialog.getByRole('textbox', { name: 'Devices' })).toBeFocused()
      await put(dialog.getByRole('textbox', { name: 'Devices' }), '40')
      await put(dialog.getByLabel('Good until'), `${dayFrom(house.day, 5)}T12:00`)
      await press('Enter')
      await expect(dialog.getByText('1 voucher is ready')).toBeVisible()
      await page.keyboard.press('Escape')
    })
    await task('a lost telephone', 3, async ({ word, click, press }) => {
      await word('mislaid')
      await click(button('Free the place of 02:00:00:aa:bb:22'))
      await expect(dialog.getByRole('button', { name: 'Free its place' })).toBeFocused()
      await press('Enter')
      await expectText(page, 'Another device can sign in now.')
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

const spreadsheet = (name: string, lines: readonly string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\r\n')),
})
const tenants = 300

for (const { name, viewport, byKeys } of ways)
  test(`no list of tenants takes a manager more than its limit, ${name}`, async ({ page, foyer }) => {
    test.setTimeout(180_000)
    await page.setViewportSize(viewport)
    const { property_id, day } = await openHouse(foyer)
    const email = `manager.${process.pid}.${property_id}@harbour.example`
    const place = { user_type_id: 2, owner_type: 'properties', owner_id: property_id }
    await enter(page, await join(foyer, { email, name: 'Mona Manager', ...place }))
    const dialog = page.getByRole('dialog', { name: 'Import rooms' })
    const choose = async ({ press, word, click, choose: take }: Counted, file: ReturnType<typeof spreadsheet>) => {
      // At 390 pixels the keys of the palette are no way.
      if (byKeys) await press('ControlOrMeta+k')
      else await click(page.getByRole('button', { name: /^Find…/ }))
      await expect(page.getByRole('combobox')).toBeFocused()
      await word('import rooms')
      await expect(page.getByRole('option', { selected: true })).toContainText('Import rooms')
      await press('Enter')
      await expect(dialog.getByLabel('Spreadsheet of rooms')).toBeFocused()
      await take(dialog.getByLabel('Spreadsheet of rooms'), file)
    }
    const task = (what: string, limit: number, act: (hands: Counted) => Promise<void>) =>
      test.step(`${what}: at most ${limit}`, async () => {
        await page.goto('/property/dashboard')
        await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
        const hands = counted(page, byKeys)
        await act(hands)
        expect(hands.steps(), what).toBeLessThanOrEqual(limit)
      })
    const rooms = Array.from({ length: tenants }, (_, index) => String(1001 + index))
    const heads = 'Bedspace,Student,Lease Start,Lease End'

    await task(`${tenants} tenants of a spreadsheet`, 5, async (hands) => {
      const lines = rooms.map(
        (room, index) => `${room},"Present${index}, Pia",${dayFrom(day, -90)},${dayFrom(day, 60)}`,
      )
      await choose(hands, spreadsheet('tenants.csv', [heads, ...lines]))
      await expect(dialog.getByText(`${tenants} move in`)).toBeVisible()
      await hands.click(dialog.getByRole('button', { name: 'Upload' }))
      await expect(dialog.getByText(messages.imports.roomsImported(tenants))).toBeVisible()
    })
    await task('the list of the next term', 6, async (hands) => {
      const lines = rooms.map((room, index) => {
        const tenant = index === 0 ? 'Present0, Pia' : `Next${index}, Nora`
        return `${room},"${tenant}",${dayFrom(day, 0)},${dayFrom(day, 140)}`
      })
      await choose(hands, spreadsheet('next-term.csv', [heads, ...lines]))
      await hands.click(dialog.getByRole('radio', { name: 'This is the whole house' }))
      // Nobody's room stays empty: the lists of who comes and goes are the question.
      await expect(dialog.getByText(`${tenants - 1} move in`)).toBeVisible()
      await expect(dialog.getByText(/^\d+ move out$/)).toBeVisible()
      await expectFitting(page)
      await hands.click(dialog.getByRole('button', { name: 'Upload' }))
      await expect(dialog.getByText(messages.imports.roomsImported(tenants))).toBeVisible()
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
