// House: an operator signs up, makes a group and a package, creates a property with the wizard and finds it in the list; with the
// mouse and with the keyboard alone, at a desk and on a phone.

import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { keyboard, mouse } from '#test/journeys/hands.ts'
import { expectAccessible, watch } from '#test/journeys/watch.ts'
import { sample } from '#test/proofs/proof.ts'

const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const ways = [
  { name: 'with the mouse at a desk', hands: mouse, viewport: desk },
  // The same screens again, without axe: every-screen.spec.ts checks them in a narrow window.
  { name: 'with the keyboard alone in a narrow window', hands: keyboard, viewport: phone, known: true },
  { name: 'with the mouse in a narrow window', hands: mouse, viewport: phone, known: true },
  { name: 'with the keyboard alone at a desk', hands: keyboard, viewport: desk, known: true },
]

for (const [index, { name, hands, viewport, known = false }] of sample(ways, 2).entries())
  test(`from sign-up to the first property in its list, ${name}`, async ({ page }) => {
    test.setTimeout(240_000)
    await page.setViewportSize(viewport)
    const { expectNothing } = watch(page)
    const hand = hands(page)
    const look = () => (known ? undefined : expectAccessible(page))
    const expectText = (sentence: string) => expect(page.getByText(sentence).first()).toBeVisible()
    const heading = (title: string) => expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()

    await test.step('sign up', async () => {
      await page.goto('/signup')
      await look()
      await hand.type('Company', 'Harbour Hospitality')
      await hand.type('Your name', 'Ana Silva')
      await hand.type('E-mail', `ana${index}@harbour.example`)
      await hand.type('Password', 'quiet harbour lantern 42')
      await hand.press('Create account')
      await heading('Dashboard')
      await look()
    })

    await test.step('make a group', async () => {
      await hand.follow('Groups')
      await expectText('No groups yet')
      await look()
      await hand.follow('New group')
      await hand.press(messages.portal.continue)
      await expectText(messages.fields.required)
      await expectText(messages.fields.notValid)
      await hand.type('Name', 'Harbour Hotels')
      await look()
      await hand.press(messages.portal.continue)
      await look()
      await hand.press(messages.portal.continue)
      await look()
      await hand.press(messages.portal.create)
      await expectText('The group has been created')
      await heading('Harbour Hotels')
      await expectText('No properties')
      await look()
      await hand.follow('Groups')
      await expect(page.getByRole('row', { name: /Harbour Hotels/ })).toBeVisible()
    })

    await test.step('make a package', async () => {
      await hand.follow('Packages')
      await heading('Packages')
      await look()
      await hand.follow('New package')
      await hand.type('Name', 'Lobby')
      await hand.type('Data', '5')
      await hand.choose('Renews', 'Every day')
      await hand.type('Speed', '20')
      await hand.type('Devices', 'three')
      await hand.press(messages.portal.create)
      await expectText(messages.fields.numeric)
      await hand.type('Devices', '3')
      await hand.type('Session time', '24')
      await expectText('5 GB a day at 20 Mbit/s on 3 devices, for 24 hours')
      await look()
      await hand.press(messages.portal.create)
      await expect(page.getByRole('row', { name: /Lobby/ })).toBeVisible()
    })

    await test.step('create a property with the wizard', async () => {
      await hand.follow('Properties')
      await expectText('No properties yet')
      await look()
      await hand.follow('New property')
      await hand.press(messages.portal.continue)
      await expectText(messages.fields.required)
      await hand.type('Name', 'Lantern Quay')
      await hand.choose('Type', 'Hotel')
      await hand.choose('Group', 'Harbour Hotels')
      await hand.type('Contact e-mail', 'desk')
      await hand.press(messages.portal.continue)
      await expectText(messages.fields.email)
      await hand.type('Contact e-mail', 'desk@harbour.example')
      await look()
      await hand.press(messages.portal.continue)

      await hand.type('Street', '1 Quay Street')
      await hand.type('City', 'Porto')
      await hand.choose('Country', 'Andorra')
      await expectText('Time zone: Europe/Andorra, as everywhere in the country.')
      await look()
      await hand.press(messages.portal.continue)

      await hand.choose('Connectivity', 'Fibre')
      await hand.choose('Portal', 'Welcome')
      await hand.choose('Package', 'Lobby')
      await look()
      await hand.press(messages.portal.continue)

      await hand.type('Units', '42')
      await look()
      await hand.press(messages.portal.continue)

      await expect(page.getByRole('definition').filter({ hasText: 'Europe/Andorra' })).toBeVisible()
      await look()
      await hand.press(messages.portal.create)
    })

    await test.step('find it in its list', async () => {
      await heading('Lantern Quay')
      await look()
      await hand.follow('All properties')
      await heading('Properties')
      const row = page.getByRole('row', { name: /Lantern Quay/ })
      // No gateway yet.
      await expect(row).toContainText('Incomplete')
      await look()
    })
    expectNothing()
  })
