// The desk's day: what a receptionist does for a guest, counted in clicks and keys from the dashboard; typing one word counts as one.
// By mouse, by keyboard alone, and in a window of 390 pixels.

import type { Locator, Page } from '@playwright/test'
import { expectText, field, listed, openDesk, openHouse, tab } from '#test/journeys/desk-house.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { keyboard } from '#test/journeys/hands.ts'
import { ask, enter, join } from '#test/journeys/people.ts'
import { expectAccessible, watch } from '#test/journeys/watch.ts'

/** Mouse and keyboard with a counter of steps. */
function counted(page: Page) {
  let steps = 0
  return {
    click: (target: Locator) => target.click().then(() => ++steps),
    press: (key: string) => page.keyboard.press(key).then(() => ++steps),
    word: (word: string) => page.keyboard.type(word).then(() => ++steps),
    steps: () => steps,
  }
}

const ways = [
  { name: 'at a desk', viewport: { width: 1440, height: 900 } },
  { name: 'in a window of 390 pixels', viewport: { width: 390, height: 844 } },
]
for (const { name, viewport } of ways)
  test(`a day at the desk, counted, ${name}`, async ({ page, foyer }) => {
    test.setTimeout(180_000)
    await page.setViewportSize(viewport)
    const { expectNothing } = watch(page)
    const { desk, token } = await openHouse(foyer)
    const faster = `Broader ${viewport.width}`
    await ask(foyer, '/packages-create', { name: faster, speed_mbps: 100 }, token)
    await openDesk(page, desk)
    const home = async () => {
      await page.goto('/property/dashboard')
      await expect(field(page)).toBeFocused()
      return counted(page)
    }

    await test.step('who leaves today: nothing to press', async () => {
      await expect(field(page)).toBeFocused()
      await expect(listed(page, 'Leaving').getByText('Abernathy')).toBeVisible()
      await expect(tab(page, 'Overdue')).toHaveAccessibleName('Overdue 1')
      await expectAccessible(page)
    })

    await test.step('problems of the network are shown above the lists, or beside them', async () => {
      const top = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN
      expect(await top(listed(page, 'Network'))).toBeLessThanOrEqual(await top(listed(page, 'Leaving')))
    })

    await test.step('nothing of the day is below the fold of a desk', async () => {
      const day = await page.getByRole('tabpanel').boundingBox()
      if (viewport.height === 900) expect((day?.y ?? 0) + (day?.height ?? 0)).toBeLessThanOrEqual(viewport.height)
    })

    await test.step('a guest who cannot get online: at most 3, fixed without leaving the dashboard', async () => {
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

    await test.step('one more night: at most 1', async () => {
      const hands = await home()
      // From the list: those who leave have the same in the tab that is open.
      await tab(page, 'In house').click()
      await hands.click(
        listed(page, 'In house')
          .getByRole('listitem')
          .filter({ hasText: 'Cadwallader' })
          .getByRole('button', { name: 'One more night' }),
      )
      await expectText(page, /^Cadwallader stays until/)
      await expect(listed(page, 'In house').getByText('5 nights')).toBeVisible()
      expect(hands.steps()).toBeLessThanOrEqual(1)
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(listed(page, 'In house').getByText('4 nights')).toBeVisible()
    })

    await test.step('for this stay alone: six devices, another package, late until 16:00: at most 3 each', async () => {
      for (const [menu, entry, held] of [
        ['Devices: as the package', '6 devices', 'Devices: 6'],
        ['Online until: the day is over', '16:00', 'Online until: 16:00'],
        ['Package: the room’s', faster, `Package: ${faster}`],
      ] as const) {
        const hands = await home()
        await hands.word('cadwallader')
        await hands.click(page.getByRole('button', { name: menu }))
        await hands.click(page.getByRole('menuitem', { name: entry, exact: true }))
        await expect(page.getByRole('button', { name: held })).toBeVisible()
        expect(hands.steps()).toBeLessThanOrEqual(3)
      }
      await expectAccessible(page)
    })

    await test.step('until 16:00, with six devices and a note, for this stay alone: at most 7', async () => {
      const hands = await home()
      await hands.word('cadwallader')
      await hands.click(page.getByRole('link', { name: 'Note, group, more' }))
      const dialog = page.getByRole('dialog', { name: 'Stay' })
      await expect(dialog.getByText('Room 203: Cadwallader.')).toBeVisible()
      await expectAccessible(page)
      await dialog.getByLabel('Until', { exact: true }).fill('16:00')
      await dialog.getByLabel('Devices together').fill('6')
      await dialog.getByLabel('Note').fill('Asked for a cot.')
      await hands.click(dialog.getByRole('button', { name: 'Update' }))
      await expect(dialog).toHaveCount(0)
      await expect(page.getByRole('button', { name: 'Online until: 16:00' })).toBeVisible()
      await expectText(page, 'Asked for a cot.')
      expect(hands.steps() + 3).toBeLessThanOrEqual(7)
      await expectAccessible(page)
    })

    await test.step('into another room: at most 5, of which the last one moves the guest', async () => {
      const hands = await home()
      await hands.word('cadwallader')
      await hands.click(page.getByRole('button', { name: 'Move', exact: true }))
      const dialog = page.getByRole('dialog', { name: 'Move Cadwallader' })
      await expect(dialog.getByRole('combobox', { name: 'Room' })).toBeFocused()
      await hands.word('205')
      await expect(page.getByRole('option', { name: '205' })).toBeVisible()
      await hands.press('Enter')
      await expect(dialog).toBeVisible()
      await hands.click(dialog.getByRole('button', { name: 'Move', exact: true }))
      await expectText(page, 'Cadwallader is in room 205 now')
      expect(hands.steps()).toBeLessThanOrEqual(5)
      await page.getByRole('region', { name: 'Cadwallader' }).getByRole('button', { name: 'Undo' }).click()
      await expectText(page, 'Move undone')
      await expectText(page, /Room 203/)
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
      await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeVisible()
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
      // It stands where the row was, and the focus with it: Enter does nothing there, and Tab leads to Undo.
      const done = listed(page, 'Leaving').getByText('Abernathy is checked out')
      await expect(done).toBeFocused()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      await expect(listed(page, 'Leaving').getByRole('button', { name: 'Undo' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(listed(page, 'Leaving').getByText('Check-out undone')).toBeFocused()
      await expect(listed(page, 'Leaving').getByRole('link', { name: 'Abernathy' })).toBeVisible()
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
      // By default until tomorrow night, and without a name.
      await hands.click(dialog.getByRole('radio', { name: 'An event' }))
      await expect(dialog.getByRole('textbox', { name: 'Devices' })).toBeFocused()
      await hands.word('40')
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
  /** Enter chooses, and Tab leads from the name to the first button. */
  const choose = async (word: string, name: string) => {
    await page.goto('/property/dashboard')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type(word)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name })).toBeFocused()
    await page.keyboard.press('Tab')
  }
  await choose('zinnia', 'Zinnia Marsh')
  await expect(page.getByRole('button', { name: 'Enable the account' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectText(page, 'The account is enabled.')

  await choose('abernathy', 'Abernathy')
  await expect(page.getByRole('button', { name: 'Check out' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Check out' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectText(page, 'Abernathy is checked out')

  await choose('cadwallader', 'Cadwallader')
  await expect(page.getByRole('button', { name: 'One more night' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectText(page, /^Cadwallader stays until/)
  const move = page.getByRole('button', { name: 'Move', exact: true })
  await expect(move).toBeEnabled()
  for (let tabs = 0; tabs < 20 && !(await move.evaluate((one) => one === document.activeElement)); tabs++)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Move Cadwallader' })
  const room = dialog.getByRole('combobox', { name: 'Room' })
  await expect(room).toBeFocused()
  // Escape closes one thing at a time: the list of rooms, then the dialog.
  await page.keyboard.type('20')
  await expect(page.getByRole('option', { name: '206' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option')).toHaveCount(0)
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(move).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(room).toBeFocused()
  await page.keyboard.type('206')
  await expect(page.getByRole('option', { name: '206' })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: 'Move', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  // The button that was pressed is gone with its dialog: the focus is on what was done.
  const shown = page.getByRole('region', { name: 'Cadwallader' })
  await expect(shown.getByText('Cadwallader is in room 206 now')).toBeFocused()

  // Escape returns from the result to the field, for the next guest.
  await page.keyboard.press('Escape')
  await expect(field(page)).toHaveValue('')
  await expect(tab(page, 'Overdue')).toBeVisible()
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
    const chosen = page.getByRole('dialog').locator('input[type=radio]:checked').first()
    for (let tabs = 0; tabs < 20 && !(await chosen.evaluate((one) => one === document.activeElement)); tabs++)
      await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('ArrowRight')
    // Keys stay at the choice; how many devices comes after the property and the package.
    const devices = page.getByRole('textbox', { name: 'Devices' })
    for (let tabs = 0; tabs < 20 && !(await devices.evaluate((one) => one === document.activeElement)); tabs++)
      await page.keyboard.press('Tab')
    await page.keyboard.type('40')
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

test('a viewer sees why a guest cannot get online, without any buttons', async ({ page, foyer }) => {
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
  const verdict = page.getByRole('region', { name: 'What is in the way' })
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
  for (const name of ['Check out', 'One more night', 'Move'])
    await expect(page.getByRole('button', { name })).toHaveCount(0)
})

test('the screen of an account or a device shows the panel of guest help, and nothing twice', async ({
  page,
  foyer,
}) => {
  const { token, property_id } = await openHouse(foyer)
  await enter(page, token)
  const rows = async (call: string) =>
    ((await ask(foyer, call, { params: { property_id } }, token)).data as unknown as { id: number }[])[0]?.id
  const verdict = page.getByRole('region', { name: 'What is in the way' })
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

  // The panel links to the screen.
  await page.goto(`/customer/guest-help?kind=device&id=${await rows('/macs')}`)
  await page.getByRole('link', { name: 'Open the device' }).click()
  await expect(page).toHaveURL(/devices\/update/)
})
