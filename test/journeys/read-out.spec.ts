// Read out: what a screen reader gets of five tasks of the desk, as text: who leaves today, a check-in, a check-out, a code, and why
// somebody cannot get online. A receptionist who hears the screen instead of seeing it knows of each button whom it is about, hears what
// came of each press, and is never left without a place on the page.

import { dayFrom, expectText, field, listed, openDesk, openHouse } from '#test/journeys/desk-house.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask } from '#test/journeys/people.ts'

test('five tasks of the desk can be done by what a screen reader says', async ({ page, foyer }) => {
  const house = await openHouse(foyer)
  const { token, property_id, day } = house
  const { data: made } = await ask(foyer, '/rooms-create', { property_id, numbers: ['401'] }, token)
  const [room_id] = made['ids'] as number[]
  // Who is made for today has come with it.
  const stay = { room_id, last_name: 'Everard', arrives_on: dayFrom(day, 1), departs_on: dayFrom(day, 3) }
  const { data: expected } = await ask(foyer, '/room-guests-create', stay, token)
  await ask(foyer, '/room-guests-update', { id: expected['id'], arrives_on: day }, token)
  await page.context().addInitScript(() => (window.print = () => undefined))
  await openDesk(page, house.desk)
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  const home = async () => {
    await page.goto('/property/dashboard')
    await expect(field(page)).toBeFocused()
    await expect(listed(page, 'Arriving')).toBeVisible()
  }

  await test.step('who leaves today', async () => {
    await expect(main).toMatchAriaSnapshot(`
      - main:
        - heading "Today" [level=1]
        - link "Check in"
        - link "Give out a code"
        - search:
          - combobox "Guest, room or code"
        - status
        - paragraph: /Lantern Quay/
        - tablist "Guests of the day":
          - /children: equal
          - tab "To do" [selected]
          - tab "Overdue 1"
          - tab "Arriving 1"
          - tab "Leaving 1"
          - tab "In house 2"
        - tabpanel "To do":
          - /children: deep-equal
          - region "Overdue":
            - heading "Overdue 1" [level=2]
            - list:
              - listitem:
                - text: "202"
                - link "Birtwistle":
                  - /url: /guest-help/
                - text: since yesterday
                - button "One more night Birtwistle": One more night
                - button "Check out Birtwistle": Check out
          - region "Leaving":
            - heading "Leaving 1" [level=2]
            - list:
              - listitem:
                - text: "201"
                - link "Abernathy":
                  - /url: /guest-help/
                - text: 2 nights
                - button "One more night Abernathy": One more night
                - button "Check out Abernathy": Check out
          - region "Arriving":
            - heading "Arriving 1" [level=2]
            - list:
              - listitem:
                - text: "401"
                - link "Everard":
                  - /url: /guest-help/
                - text: 3 nights
                - button "Check in Everard": Check in
        - region "Network":
          - paragraph: No gateway is registered at this property, so nobody can sign in there.
        - region "Shift":
          - /children: equal
          - heading "Shift" [level=2]
          - button "What was done"
          - text: Note for the next shift
          - textbox "Note for the next shift"
          - button "Add" [disabled]
    `)
  })

  await test.step('a check-in', async () => {
    await listed(page, 'Arriving').getByRole('button', { name: 'Check in Everard' }).click()
    await expect(listed(page, 'Arriving').getByText('Everard is checked in')).toBeFocused()
    await expect(listed(page, 'Arriving')).toMatchAriaSnapshot(`
      - region "Arriving":
        - /children: deep-equal
        - heading "Arriving 0" [level=2]
        - paragraph: Nobody is expected.
        - list:
          - listitem:
            - paragraph: Everard is checked in
            - 'button "Print: Everard is checked in"': Print
            - 'button "Undo: Everard is checked in"': Undo
    `)
    await expect(page.getByRole('status', { name: 'Notifications' })).toContainText('Everard is checked in')
  })

  await test.step('a check-out', async () => {
    await home()
    await listed(page, 'Leaving').getByRole('button', { name: 'Check out Abernathy' }).click()
    await expect(dialog.getByRole('button', { name: 'Check out' })).toBeFocused()
    await expect(dialog).toMatchAriaSnapshot(`
      - dialog "Check out Abernathy?":
        - /children: equal
        - heading "Check out Abernathy?" [level=2]
        - button "Close"
        - paragraph: The room no longer gets them online, and their devices are disconnected.
        - button "Cancel"
        - button "Check out"
    `)
    await page.keyboard.press('Enter')
    await expect(listed(page, 'Leaving').getByText('Abernathy is checked out')).toBeFocused()
    await expect(listed(page, 'Leaving')).toMatchAriaSnapshot(`
      - region "Leaving":
        - /children: deep-equal
        - heading "Leaving 0" [level=2]
        - paragraph: Nobody leaves today.
        - list:
          - listitem:
            - paragraph: Abernathy is checked out
            - 'button "Undo: Abernathy is checked out"': Undo
    `)
  })

  await test.step('a code', async () => {
    await home()
    await main.getByRole('link', { name: 'Give out a code' }).click()
    await expect(dialog.getByRole('button', { name: 'Make voucher' })).toBeFocused()
    await expect(dialog).toMatchAriaSnapshot(`
      - dialog "Give out a code":
        - /children: equal
        - heading "Give out a code" [level=2]
        - button "Close"
        - group "For":
          - radio "One guest" [checked]
          - radio "An event"
        - text: Package
        - combobox "Package": /Day pass/
        - paragraph: What the guest gets.
        - button "Make voucher"
    `)
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('button', { name: 'Print now' })).toBeFocused()
    await expect(dialog).toMatchAriaSnapshot(`
      - dialog "Give out a code":
        - /children: equal
        - heading "Give out a code" [level=2]
        - button "Close"
        - status:
          - heading "1 voucher is ready" [level=2]
          - paragraph: /Day pass .* Lantern Quay/
        - status:
          - term: Code
          - definition: /[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}/
        - group "Paper":
          - radio "A4 sheet" [checked]
          - radio "80 mm roll"
        - button "Print now"
        - button "Copy"
        - button "Another"
        - link "Open the batch"
    `)
  })

  await test.step('why somebody cannot get online', async () => {
    await home()
    await page.keyboard.type('20')
    await expect(page.getByText('found: arrow keys choose')).toHaveCount(1)
    await expect(main).toMatchAriaSnapshot(`
      - search:
        - combobox "Guest, room or code" [expanded]: "20"
      - status: /\\d found:/
      - listbox "Found":
        - option /Cadwallader .* Room 203/ [selected]
        - option /Birtwistle .* Room 202 .* Overdue/
    `)
    await field(page).fill('zinnia')
    await expectText(page, 'The account Zinnia Marsh is disabled.')
    await expect(main).toMatchAriaSnapshot(`
      - search:
        - combobox "Guest, room or code": zinnia
      - status: "1 found: Zinnia Marsh. The account Zinnia Marsh is disabled."
      - region "Zinnia Marsh":
        - /children: equal
        - heading "Zinnia Marsh" [level=2]
        - paragraph: /Account .* Lantern Quay/
        - alert: No gateway is registered at this property, so nobody can sign in there.
        - region "What is in the way":
          - status: The account Zinnia Marsh is disabled.
          - button "Enable the account"
          - list:
            - listitem: Register a gateway. An editor of the customer or the group can do that.
          - button "New password"
          - link "Open the account"
        - region "Tell the guest":
          - heading "Tell the guest" [level=2]
          - term: Network
          - definition: The guest Wi-Fi
          - term: Username
          - definition: /zinnia/
          - term: Page
          - definition: It opens by itself
          - button "Print"
          - button "Copy"
          - button "E-mail"
        - region "What is left":
          - heading "What is left" [level=2]
          - term: Devices
          - definition: None yet, no limit
        - region "Last tries":
          - heading "Last tries" [level=2]
          - paragraph: No sign-in attempts lately.
    `)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Zinnia Marsh' })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('status', { name: 'Notifications' })).toContainText('The account is enabled.')
    // The button is gone; what is said now has the focus.
    const verdict = page.getByRole('region', { name: 'What is in the way' })
    await expect(verdict.getByRole('status')).toBeFocused()
    await expect(verdict).toMatchAriaSnapshot(`
      - region "What is in the way":
        - /children: equal
        - status: No gateway is registered at this property, so nobody can sign in there.
        - list:
          - listitem: Register a gateway. An editor of the customer or the group can do that.
        - button "New password"
        - link "Open the account"
    `)
  })

  await test.step('a vacant room, and what is used in a stay', async () => {
    await home()
    await page.keyboard.type('204')
    await expect(main.getByRole('status').first()).toHaveText('Nobody is in room 204.')
    await field(page).fill('cadwallader')
    await expect(page.getByRole('region', { name: 'Used in this stay' })).toMatchAriaSnapshot(`
      - region "Used in this stay":
        - /children: equal
        - heading "Used in this stay" [level=2]
        - paragraph: Nothing so far.
        - button "Print usage"
        - 'button "E-mail: Used in this stay"'
        - status
        - 'button "Text: Used in this stay"'
    `)
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await expect(dialog.getByRole('combobox', { name: 'Room' })).toBeFocused()
    await page.keyboard.type('205')
    // As many as the list has.
    await expect(dialog).toMatchAriaSnapshot(`
      - dialog "Move Cadwallader":
        - /children: equal
        - heading "Move Cadwallader" [level=2]
        - button "Close"
        - text: Room
        - combobox "Room" [expanded]: "205"
        - paragraph: Now in room 203.
        - status: 1 to choose from
        - button "Cancel"
        - button "Move" [disabled]
    `)
  })
})
