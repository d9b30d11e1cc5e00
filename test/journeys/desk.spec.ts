// The desk's day: what a receptionist does with a guest in front of them, counted in clicks and keys from their home; typing one
// word counts as one. By mouse, by keyboard alone, and in a window of 390 pixels.

import type { Locator, Page } from '@playwright/test'
import { expect, test } from '#test/journeys/fixtures.ts'
import { keyboard } from '#test/journeys/hands.ts'
import { ask, enter, join, operatorToken, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, watch } from '#test/journeys/watch.ts'

/** Hands that count what they do. */
function counted(page: Page) {
  let steps = 0
  return {
    click: (target: Locator) => target.click().then(() => ++steps),
    press: (key: string) => page.keyboard.press(key).then(() => ++steps),
    word: (word: string) => page.keyboard.type(word).then(() => ++steps),
    steps: () => steps,
  }
}

const day_ms = 86_400_000
const dayFrom = (base: string, days: number) =>
  new Date(Date.parse(`${base}T12:00:00Z`) + days * day_ms).toISOString().slice(0, 10)

let houses = 0
/** A house with somebody who leaves today, somebody who should have left and somebody who stays; and its receptionist. */
async function openHouse(foyer: Foyer) {
  const own = `${process.pid}${++houses}`
  const token = await operatorToken(foyer)
  const { data: pack } = await ask(foyer, '/packages-create', { name: `Day pass ${own}` }, token)
  const place = { name: `Lantern Quay ${own}`, draft: true, package_id: pack['id'], time_zone: 'Pacific/Kiritimati' }
  const { data: property } = await ask(foyer, '/properties-create', place, token)
  const property_id = Number(property['id'])
  const email = `desk.${own}@harbour.example`
  const desk = await join(foyer, {
    email,
    name: 'Dora Desk',
    user_type_id: 3,
    owner_type: 'properties',
    owner_id: property_id,
  })
  const { data: today } = await ask(foyer, '/today', { property_id }, token)
  const day = String(today['day'])
  const numbers = ['201', '202', '203', '204', '205', '206']
  const { data: made } = await ask(foyer, '/rooms-create', { property_id, numbers }, token)
  const ids = made['ids'] as number[]
  const stay = async (room: number, last_name: string, arrives: number, departs: number) => {
    const stays = { arrives_on: dayFrom(day, arrives), departs_on: dayFrom(day, departs) }
    const { data } = await ask(foyer, '/room-guests-create', { room_id: ids[room], last_name, ...stays }, token)
    return Number(data['id'])
  }
  await stay(0, 'Abernathy', -2, 0)
  await stay(1, 'Birtwistle', -5, -1)
  await stay(2, 'Cadwallader', -1, 3)
  const account = { name: 'Zinnia Marsh', username: `zinnia${own}`, password: 'quay-2345', property_id }
  const { data: guest } = await ask(foyer, '/accounts-create', account, token)
  await ask(foyer, '/accounts-deactivate', { ids: [guest['id']] }, token)
  const device = { name: 'Kiosk Mirabel', mac_address: '02:00:00:aa:bb:01', property_id }
  await ask(foyer, '/devices-create', device, token)
  return { token, desk, day, property_id }
}

async function openDesk(page: Page, token: string) {
  await enter(page, token)
  await page.goto('/property/dashboard')
  await expect(page.getByRole('region', { name: 'In house' }).getByText('Cadwallader')).toBeVisible()
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Guest, room or code' })
const listed = (page: Page, list: string) => page.getByRole('region', { name: list })
const expectText = (page: Page, sentence: string | RegExp) => expect(page.getByText(sentence).first()).toBeVisible()

const ways = [
  { name: 'at a desk', viewport: { width: 1440, height: 900 } },
  { name: 'in a window of 390 pixels', viewport: { width: 390, height: 844 } },
]
for (const { name, viewport } of ways)
  test(`a day at the desk, counted, ${name}`, async ({ page, foyer }) => {
    test.setTimeout(180_000)
    await page.setViewportSize(viewport)
    const { expectNothing } = watch(page)
    const { desk } = await openHouse(foyer)
    await openDesk(page, desk)
    const home = async () => {
      await page.goto('/property/dashboard')
      await expect(field(page)).toBeFocused()
      return counted(page)
    }

    await test.step('who leaves today: nothing to press', async () => {
      await expect(field(page)).toBeFocused()
      await expect(listed(page, 'Leaving').getByText('Abernathy')).toBeVisible()
      await expect(listed(page, 'Overdue').getByText('Birtwistle')).toBeVisible()
      await expectAccessible(page)
    })

    await test.step('what is wrong with the network stands above the lists, or beside them', async () => {
      const top = async (part: string) => (await listed(page, part).boundingBox())?.y ?? Number.NaN
      expect(await top('Network')).toBeLessThanOrEqual(await top('Overdue'))
    })

    await test.step('a guest who cannot get online: at most 3, mended where one is', async () => {
      const hands = await home()
      await hands.word('zinnia')
      await hands.click(page.getByRole('button', { name: 'Enable the account' }))
      await expectText(page, 'The account is enabled.')
      await expect(page).toHaveURL('/property/dashboard')
      await expect(page.getByRole('button', { name: 'Enable the account' })).toHaveCount(0)
      await expect(page.getByRole('heading', { name: 'Zinnia Marsh' })).toBeVisible()
      expect(hands.steps()).toBeLessThanOrEqual(3)
      await expectAccessible(page)
    })

    await test.step('a night more: at most 2', async () => {
      const hands = await home()
      await hands.click(
        listed(page, 'In house').getByRole('listitem').filter({ hasText: 'Cadwallader' }).getByRole('button'),
      )
      await expectText(page, /^Cadwallader stays until/)
      await expect(listed(page, 'In house').getByText('5 nights')).toBeVisible()
      expect(hands.steps()).toBeLessThanOrEqual(2)
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(listed(page, 'In house').getByText('4 nights')).toBeVisible()
    })

    await test.step('into another room: at most 4', async () => {
      const hands = await home()
      await hands.word('cadwallader')
      await hands.click(page.getByRole('button', { name: 'Move', exact: true }))
      await expect(page.getByRole('combobox', { name: 'To room' })).toBeFocused()
      await hands.word('205')
      await expect(page.getByRole('option', { name: '205' })).toBeVisible()
      await hands.press('Enter')
      await expectText(page, 'Cadwallader is in room 205 now')
      expect(hands.steps()).toBeLessThanOrEqual(4)
    })

    await test.step('check in: at most 6', async () => {
      const hands = await home()
      await hands.word('204')
      await hands.press('Enter')
      await expect(page.getByRole('link', { name: 'Check in to room 204' })).toBeFocused()
      await hands.press('Enter')
      await expect(page.getByRole('textbox', { name: 'Last name' })).toBeFocused()
      await hands.word('Featherstone')
      await hands.press('Enter')
      await expectText(page, /Featherstone/)
      await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()
      expect(hands.steps()).toBeLessThanOrEqual(6)
    })

    await test.step('check out: at most 2', async () => {
      const hands = await home()
      await hands.click(listed(page, 'Leaving').getByRole('button', { name: 'Check out' }))
      await expect(page.getByRole('dialog').getByRole('button', { name: 'Check out' })).toBeFocused()
      await hands.press('Enter')
      await expectText(page, 'Abernathy is checked out')
      await expectText(page, 'Nobody leaves today.')
      expect(hands.steps()).toBeLessThanOrEqual(2)
    })

    await test.step('another address for a device: at most 4', async () => {
      const hands = await home()
      await hands.word('mirabel')
      await hands.click(page.getByRole('button', { name: 'Replace its address' }))
      await expect(page.getByRole('textbox', { name: 'New address' })).toBeFocused()
      await hands.word('02:00:00:aa:bb:02')
      await hands.press('Enter')
      await expectText(page, 'Kiosk Mirabel is known by its new address')
      expect(hands.steps()).toBeLessThanOrEqual(4)
    })

    await test.step('a code, printed: at most 3', async () => {
      const hands = await home()
      await hands.click(page.getByRole('link', { name: 'Give out a code' }))
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByRole('button', { name: 'Make voucher' })).toBeFocused()
      await hands.press('Enter')
      await expect(dialog.getByRole('button', { name: 'Print now' })).toBeFocused()
      const opened = page.waitForEvent('popup')
      await hands.press('Enter')
      await (await opened).close()
      expect(hands.steps()).toBeLessThanOrEqual(3)
    })

    await test.step('one code for forty people, printed: at most 5', async () => {
      const hands = await home()
      await hands.click(page.getByRole('link', { name: 'Give out a code' }))
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByRole('button', { name: 'Make voucher' })).toBeFocused()
      // Fifty devices until tomorrow night, unless somebody says otherwise.
      await hands.click(dialog.getByRole('radio', { name: 'An event' }))
      await expect(dialog.getByRole('textbox', { name: 'Event' })).toBeFocused()
      await hands.word('Wedding Hart')
      await hands.press('Enter')
      await expect(dialog.getByRole('button', { name: 'Print now' })).toBeFocused()
      const opened = page.waitForEvent('popup')
      await hands.press('Enter')
      await (await opened).close()
      expect(hands.steps()).toBeLessThanOrEqual(5)
    })
    expectNothing()
  })

test('a day at the desk by keyboard alone', async ({ page, foyer }) => {
  test.setTimeout(120_000)
  const { desk } = await openHouse(foyer)
  await openDesk(page, desk)
  const type = async (word: string) => {
    await page.goto('/property/dashboard')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type(word)
    await page.keyboard.press('Enter')
  }
  await type('zinnia')
  await expect(page.getByRole('button', { name: 'Enable the account' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectText(page, 'The account is enabled.')

  await type('abernathy')
  await expect(page.getByRole('button', { name: 'Check out' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Check out' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectText(page, 'Abernathy is checked out')

  await type('cadwallader')
  await expect(page.getByRole('button', { name: 'A night more' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectText(page, /^Cadwallader stays until/)
  const move = page.getByRole('button', { name: 'Move', exact: true })
  await expect(move).toBeEnabled()
  for (let tabs = 0; tabs < 20 && !(await move.evaluate((one) => one === document.activeElement)); tabs++)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'To room' })).toBeFocused()
  await page.keyboard.type('206')
  await expect(page.getByRole('option', { name: '206' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expectText(page, 'Cadwallader is in room 206 now')

  // Out of what was found, and on to the next guest.
  await page.keyboard.press('Escape')
  await expect(field(page)).toHaveValue('')
  await expect(listed(page, 'Overdue')).toBeVisible()
})

test('check in, codes and another address for a device by keyboard alone', async ({ page, foyer }) => {
  test.setTimeout(120_000)
  const { desk } = await openHouse(foyer)
  await openDesk(page, desk)
  const hands = keyboard(page)
  const home = async () => {
    await page.goto('/property/dashboard')
    await expect(field(page)).toBeFocused()
  }
  const printed = async () => {
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Print now' })).toBeFocused()
    const opened = page.waitForEvent('popup')
    await page.keyboard.press('Enter')
    await (await opened).close()
  }

  await test.step('check in', async () => {
    await home()
    await page.keyboard.type('204')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('link', { name: 'Check in to room 204' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: 'Last name' })).toBeFocused()
    await page.keyboard.type('Featherstone')
    await page.keyboard.press('Enter')
    await expectText(page, /Featherstone/)
  })

  await test.step('a code for a walk-in', async () => {
    await home()
    await hands.follow('Give out a code')
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Make voucher' })).toBeFocused()
    await page.keyboard.press('Enter')
    await printed()
  })

  await test.step('one code for forty people', async () => {
    await home()
    await hands.follow('Give out a code')
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Make voucher' })).toBeFocused()
    // Choosing it leads to its name.
    const chosen = page.getByRole('dialog').locator('input[type=radio]:checked').first()
    for (let tabs = 0; tabs < 20 && !(await chosen.evaluate((one) => one === document.activeElement)); tabs++)
      await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('textbox', { name: 'Event' })).toBeFocused()
    await page.keyboard.type('Wedding Hart')
    await page.keyboard.press('Enter')
    await printed()
  })

  await test.step('another address for a device', async () => {
    await home()
    await page.keyboard.type('mirabel')
    await page.keyboard.press('Enter')
    await hands.press('Replace its address')
    await expect(page.getByRole('textbox', { name: 'New address' })).toBeFocused()
    await page.keyboard.type('02:00:00:aa:bb:02')
    await page.keyboard.press('Enter')
    await expectText(page, 'Kiosk Mirabel is known by its new address')
  })
})

test('a viewer sees why a guest cannot get online, and nothing to press', async ({ page, foyer }) => {
  const { property_id } = await openHouse(foyer)
  const viewer = await join(foyer, {
    email: `viewer.${process.pid}@harbour.example`,
    name: 'Vera Viewer',
    user_type_id: 1,
    owner_type: 'properties',
    owner_id: property_id,
  })
  await enter(page, viewer)
  await page.goto('/property/guest-help?q=zinnia')
  await expect(page.getByText(/account.*disabled/i).first()).toBeVisible()
  await page
    .getByRole('link', { name: /Zinnia Marsh/ })
    .or(page.getByRole('heading', { name: 'Zinnia Marsh' }))
    .first()
    .click()
  const verdict = page.getByRole('region', { name: 'What stands against it' })
  await expect(verdict).toBeVisible()
  await expect(verdict.getByRole('button')).toHaveCount(0)
  await expectAccessible(page)
  await page.goto('/property/guest-help?q=cadwallader')
  await page
    .getByRole('link', { name: /Cadwallader/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: 'Cadwallader', level: 1 })).toBeVisible()
  await expect(page.getByText(/nights/).first()).toBeVisible()
  for (const name of ['Check out', 'A night more', 'Move'])
    await expect(page.getByRole('button', { name })).toHaveCount(0)
})

test('the page of an account and of a device is the panel, with nothing on it twice', async ({ page, foyer }) => {
  const { token, property_id } = await openHouse(foyer)
  await enter(page, token)
  const rows = async (call: string) =>
    ((await ask(foyer, call, { params: { property_id } }, token)).data as unknown as { id: number }[])[0]?.id
  const verdict = page.getByRole('region', { name: 'What stands against it' })
  const once = (name: string) =>
    expect(page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) })).toHaveCount(1)

  await page.goto(`/customer/accounts/update?id=${await rows('/accounts')}`)
  await expect(verdict).toContainText('The account Zinnia Marsh is disabled.')
  await expect(verdict.getByRole('button', { name: 'Enable the account' })).toBeVisible()
  for (const name of ['Username', 'Password', 'Property', 'Package', 'Type', 'E-mail', 'Created']) await once(name)
  for (const name of ['New password', 'E-mail', 'Print'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(1)
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Sessions' }).click()
  await expect(page.getByText('Not online yet')).toBeVisible()

  await page.goto(`/customer/devices/update?id=${await rows('/macs')}`)
  await expect(verdict.getByRole('button', { name: 'Replace its address' })).toBeVisible()
  for (const name of ['MAC address', 'Property', 'Package', 'Created']) await once(name)
  await expectAccessible(page)

  // And the panel leads to the page.
  await page.goto(`/customer/guest-help?kind=device&id=${await rows('/macs')}`)
  await page.getByRole('link', { name: 'The whole device' }).click()
  await expect(page).toHaveURL(/devices\/update/)
})

test('whoever types on while an answer is late acts on what they have typed last', async ({ page, foyer }) => {
  test.setTimeout(90_000)
  const { desk } = await openHouse(foyer)
  await openDesk(page, desk)
  let held = 0
  await page.route('**/api/v1/guest-help', async (route) => {
    // The first answer is held back past the second.
    if (held++ === 0) await new Promise((go) => setTimeout(go, 2000))
    await route.continue().catch(() => undefined)
  })
  await page.keyboard.type('abernathy')
  await expect.poll(() => held).toBe(1)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('birtwistle')
  await page.keyboard.press('Enter')
  const shown = page.getByRole('region', { name: 'Birtwistle' })
  await expect(shown.getByRole('button', { name: 'They stay until tomorrow' })).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Abernathy' })).toHaveCount(0)
})

test('several leave at once, by ticks', async ({ page, foyer }) => {
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

test('in the lists the keyboard goes on where it was, and at the next guest where one is gone', async ({
  page,
  foyer,
}) => {
  const { desk, token, day, property_id } = await openHouse(foyer)
  const { data } = await ask(foyer, '/rooms-create', { property_id, numbers: ['401', '402'] }, token)
  for (const [index, last_name] of ['Everard', 'Fothergill'].entries()) {
    // Announced yesterday, so to say: whoever is written down on the day of arrival has come.
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

test('the next guest of a queue does not wait until the last one is done', async ({ page, foyer }) => {
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

test('whoever names an event while the packages are late is let finish, and Escape loses no code', async ({
  page,
  foyer,
}) => {
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

test('a slip that the browser does not open is said to be none', async ({ page, foyer }) => {
  await page.addInitScript(() => (window.open = () => null))
  const { desk } = await openHouse(foyer)
  await openDesk(page, desk)
  await page.keyboard.type('cadwallader')
  await page.getByRole('button', { name: 'Print' }).click()
  await expectText(page, 'The browser did not open the slip. Allow pop-ups here, and print again.')
})
