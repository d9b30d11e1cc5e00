// Goes on: what happens to somebody's work when the server is away for a while, and when their session ends: screens load by themselves,
// and what was typed stands there again for whoever typed it.

import type { Page } from '@playwright/test'
import { forms } from '#catalogue/en/forms.ts'
import { frame } from '#catalogue/en/frame.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { dayFrom, field as deskField, listed, openDesk, openHouse, openList, tab } from '#test/journeys/desk-house.ts'
import { ask, enter, join, operator, operatorToken, password, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, watch } from '#test/journeys/watch.ts'

const field = (page: Page, label: string) => page.getByRole('textbox', { name: new RegExp(`^${label}`) })

async function signIn(page: Page, email: string) {
  await expect(page).toHaveURL(/\/(customer|property)\/login\?loggedOutAt=\d+$/)
  await field(page, 'E-mail').fill(email)
  await field(page, 'Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** The server ends the session; the app learns of it by the press, or by a look-up of its own before. */
const endingOn = (page: Page, foyer: Foyer) => async (session: string, press: string) => {
  await ask(foyer, '/auth/logout', {}, session)
  const button = page.getByRole('button', { name: press, exact: true })
  await button.click({ timeout: 5000 }).catch(() => undefined)
}
const sessionOf = (page: Page) => page.evaluate(() => sessionStorage.getItem('foyer-session') ?? '')

test('a list loads by itself once the server is back, with the rest of it and without a press', async ({
  page,
  foyer,
}) => {
  const token = await operatorToken(foyer)
  await ask(foyer, '/packages-create', { name: 'Evening' }, token)
  await enter(page, token)
  await page.goto('/customer/groups')
  await expect(page.getByRole('heading', { name: 'Groups', exact: true })).toBeVisible()
  await page.waitForLoadState('networkidle')
  const away = /\/api\/v1\/|\/readyz/
  await page.route(away, (route) => route.abort())
  await page.getByRole('link', { name: 'Packages', exact: true }).click()
  await expect(page.getByRole('heading', { name: frame['not-loaded'] })).toBeVisible()
  await expect(page.getByText('This continues by itself once Foyer responds.')).toBeVisible()
  await expectAccessible(page)
  await page.unroute(away)
  await expect(page.getByRole('row', { name: /Evening/ }).first()).toBeVisible()
  await expect(page.getByRole('heading', { name: frame['not-loaded'] })).toHaveCount(0)
})

test('without a network a list says so, a press tries again, and it loads by itself once there is one', async ({
  page,
  context,
  foyer,
}) => {
  const token = await operatorToken(foyer)
  await ask(foyer, '/packages-create', { name: 'Evening' }, token)
  await enter(page, token)
  await page.goto('/customer/packages')
  const row = page.getByRole('row', { name: /Evening/ }).first()
  await expect(row).toBeVisible()
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  // Another order is another question.
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  const notLoaded = page.getByRole('heading', { name: frame['not-loaded'] })
  await expect(notLoaded).toBeVisible()
  await page.getByRole('button', { name: frame['try-again'] }).click()
  await expect(notLoaded).toBeHidden()
  await expect(notLoaded).toBeVisible()
  await context.setOffline(false)
  await expect(row).toBeVisible()
  await expect(notLoaded).toHaveCount(0)
})

test('what was typed stands there again after the session has ended, for the same user alone', async ({
  page,
  foyer,
}) => {
  test.setTimeout(150_000)
  const { expectNothing } = watch(page, [401])
  const token = await operatorToken(foyer)
  const own = `${process.pid} ${Date.now()}`
  const { data } = await ask(foyer, '/groups-create', { name: `Quay ${own}` }, token)
  const email = `ben.${Date.now()}@harbour.example`
  await join(foyer, { email, name: 'Ben Silva', user_type_id: 2 })
  const ended = endingOn(page, foyer)
  await enter(page, token)

  await test.step('a new record', async () => {
    await page.goto('/customer/packages/create')
    await field(page, 'Name').fill(`Night ${own}`)
    await ended(token, 'Create')
    await signIn(page, operator.email)
    await expect(page).toHaveURL('/customer/packages/create')
    await expect(field(page, 'Name')).toHaveValue(`Night ${own}`)
    await expect(page.getByText('What you typed has been restored')).toBeVisible()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByRole('row', { name: new RegExp(`Night ${own}`) })).toBeVisible()
  })

  const address = `/customer/groups/update?id=${String(data['id'])}&tab=details`
  const session = () => sessionOf(page)
  await test.step('a change, of which others have changed a part meanwhile', async () => {
    await page.goto(address)
    await field(page, 'Name').fill(`Pier ${own}`)
    await ask(foyer, '/groups-update', { id: data['id'], name: `Wharf ${own}` }, await session())
    await ended(await session(), 'Update')
    await signIn(page, operator.email)
    await expect(field(page, 'Name')).toHaveValue(`Pier ${own}`)
    await expect(page.getByText(`Wharf ${own}`).first()).toBeVisible()
  })

  await test.step('another user', async () => {
    await page.goto(address)
    await field(page, 'Name').fill(`Mole ${own}`)
    await ended(await session(), 'Update')
    await signIn(page, email)
    await expect(field(page, 'Name')).toHaveValue(`Wharf ${own}`)
    expect(
      await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('foyer-typed'))),
    ).toEqual([])
  })
  expectNothing()
})

test('a session that ends in one tab keeps what was typed in the others', async ({ page, context, foyer }) => {
  const own = `${process.pid} ${Date.now()}`
  const token = await operatorToken(foyer)
  await enter(page, token)
  await page.goto('/customer/packages/create')
  await field(page, 'Name').fill(`Night ${own}`)
  const other = await context.newPage()
  await other.goto('/customer/groups')
  await expect(other.getByRole('heading', { name: 'Groups', exact: true })).toBeVisible()
  await ask(foyer, '/auth/logout', {}, token)
  // One of the two learns of it, by the press or by a look-up of its own before, and tells the other.
  await other
    .getByRole('link', { name: 'Packages', exact: true })
    .click({ timeout: 5000 })
    .catch(() => undefined)
  await expect(other).toHaveURL(/\/customer\/login\?loggedOutAt=\d+$/)
  await signIn(page, operator.email)
  await expect(page).toHaveURL('/customer/packages/create')
  await expect(field(page, 'Name')).toHaveValue(`Night ${own}`)
})

test('the dialogs and fields of the desk keep what was typed in them, too', async ({ page, foyer }) => {
  test.setTimeout(150_000)
  const house = await openHouse(foyer)
  const { token, day, property_id, email } = house
  await ask(foyer, '/packages-create', { name: `Wedding pass ${property_id}` }, token)
  const { data } = await ask(foyer, '/rooms-create', { property_id, numbers: ['701', '702'] }, token)
  for (const [index, room_id] of (data['ids'] as number[]).entries()) {
    const stay = { room_id, last_name: `Guest ${index}`, arrives_on: dayFrom(day, 1), departs_on: dayFrom(day, 3) }
    const { data: guest } = await ask(foyer, '/room-guests-create', stay, token)
    await ask(foyer, '/room-guests-update', { id: guest['id'], arrives_on: day }, token)
  }
  await openDesk(page, house.desk)
  const ended = endingOn(page, foyer)
  const dialog = page.getByRole('dialog')
  const back = async (press: string) => {
    await ended(await sessionOf(page), press)
    await signIn(page, email)
    await expect(page.getByText('What you typed has been restored')).toBeVisible()
  }

  await test.step('a code for an event', async () => {
    await page.getByRole('link', { name: 'Give out a code' }).click()
    await dialog.getByRole('radio', { name: 'An event' }).click()
    await field(page, 'Devices').fill('40')
    await field(page, 'Event').fill('Wedding Hart')
    await back('Make voucher')
    await expect(dialog.getByRole('radio', { name: 'An event' })).toBeChecked()
    await expect(field(page, 'Devices')).toHaveValue('40')
    await expect(field(page, 'Event')).toHaveValue('Wedding Hart')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })
  await test.step('a note for the next shift, and the word in the field', async () => {
    await field(page, 'Note for the next shift').fill('Taxi for 203 at six')
    await back('Add')
    await expect(field(page, 'Note for the next shift')).toHaveValue('Taxi for 203 at six')
    await field(page, 'Note for the next shift').fill('')
  })
  await test.step('another room for a guest', async () => {
    await deskField(page).fill('cadwallader')
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await dialog.getByRole('combobox', { name: 'Room' }).fill('205')
    await page.getByRole('option', { name: '205' }).click()
    await ended(await sessionOf(page), 'Move')
    await signIn(page, email)
    await expect(deskField(page)).toHaveValue('cadwallader')
    await expect(dialog.getByRole('combobox', { name: 'Room' })).toHaveValue('205')
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await expect(page.getByText('Cadwallader is in room 205 now').first()).toBeVisible()
    await deskField(page).fill('')
  })
  await test.step('a note of a stay', async () => {
    await deskField(page).fill('cadwallader')
    await page.getByRole('link', { name: 'Note, group, more' }).click()
    await field(page, 'Note').fill('Wants a quiet room')
    await back('Update')
    await expect(field(page, 'Note')).toHaveValue('Wants a quiet room')
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: forms.leave, exact: true }).click()
    await expect(dialog).toHaveCount(0)
  })
  await test.step('those who are ticked', async () => {
    await deskField(page).fill('')
    const arriving = await openList(page, 'Arriving')
    await arriving.getByRole('checkbox', { name: 'All' }).check()
    await back('Check in 2')
    await expect(listed(page, 'Arriving').getByRole('button', { name: 'Check in 2' })).toBeVisible()
    await expect(tab(page, 'Arriving')).toHaveAttribute('aria-selected', 'true')
  })
})
