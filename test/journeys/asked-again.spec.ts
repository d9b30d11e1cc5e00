// Asked again: a full key is made in a session whose password was given long ago: the dialog is closed and nothing is lost, a wrong
// password is refused in it, the right one lets the call go on; on a phone, by mouse and by keyboard alone.

import { connect } from '#server/db/logins.ts'
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { keyboard, mouse } from '#test/journeys/hands.ts'
import { enter, operatorToken, password } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'

const ways = [
  { way: 'on a phone', width: 390, hands: mouse, name: 'Night audit' },
  { way: 'by keyboard alone', width: 1440, hands: keyboard, name: 'Channel manager' },
]

for (const { way, width, hands, name } of ways)
  test(`a full key asks for the password again, ${way}`, async ({ page, foyer }) => {
    test.slow()
    const person = { email: `${width}@asked.example`, name: 'Ida Berg', company_name: `Asked ${width}` }
    const token = await operatorToken(foyer, person)
    const admin = await connect(foyer.database())
    await admin.query(`update sessions set created_at = now() - interval '2 hours' where login_id =
      (select id from logins where email = '${person.email}')`)
    await admin.end()
    await page.setViewportSize({ width, height: 844 })
    const hand = hands(page)
    const { expectNothing } = watch(page, [403, 422])
    await enter(page, token)
    await page.goto('/customer/api-keys/create')
    await hand.type('Name', name)
    await hand.pick('Read, write and delete')
    await hand.press(messages.portal.create)

    const dialog = page.getByRole('dialog', { name: 'Please give your password again.' })
    const field = dialog.getByRole('textbox', { name: /^Your password/ })
    await expect(field).toBeFocused()
    await expectAccessible(page)
    await expectFitting(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    // The form says why, keeps what was typed, and has the focus again.
    await expect(page.getByRole('main').getByText('Please give your password again.')).toBeVisible()
    await expect(page.getByRole('textbox', { name: /^Name/ })).toHaveValue(name)
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('form') !== null)).toBe(true)

    await hand.press(messages.portal.create)
    await field.fill('not the password')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('This is not your present password.')).toBeVisible()
    await expect(field).toBeFocused()
    await field.fill(password)
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('heading', { name: 'The key is ready' })).toBeVisible()
    await expect(page.getByText(name)).toBeVisible()
    expectNothing()
  })
