// Layout: positions and sizes that were once wrong on some screen: the open tab in a narrow window, the search above a list with many
// buttons, columns of a report, fields side by side.

import type { Locator } from '@playwright/test'
import { connect } from '#server/db/logins.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, join, operatorToken, type Foyer, onceOnline } from '#test/journeys/people.ts'
import { expectFitting } from '#test/journeys/watch.ts'

async function make(foyer: Foyer, call: string, body: object): Promise<number> {
  const { status, data } = await ask(foyer, call, body, await operatorToken(foyer))
  expect(status, call).toBe(201)
  return Number(data['id'])
}

test('the open tab is visible if the tabs scroll', async ({ page, foyer }) => {
  const id = await make(foyer, '/properties-create', { name: 'Tabs Quay', draft: true })
  await page.setViewportSize({ width: 390, height: 844 })
  await enter(page, await operatorToken(foyer))
  await page.goto(`/customer/properties/update?id=${id}&tab=users`)
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Users')
  await expect(page.getByRole('tab', { selected: true })).toBeInViewport({ ratio: 1 })
})

test('beside the menu, a property shows all its tabs', async ({ page, foyer }) => {
  const id = await make(foyer, '/properties-create', { name: 'Numbers Quay', draft: true })
  await page.setViewportSize({ width: 1048, height: 800 })
  await enter(page, await operatorToken(foyer))
  await page.goto(`/customer/properties/update?id=${id}`)
  const tabs = page.getByRole('tablist')
  await expect(tabs.getByRole('tab', { name: 'API keys' })).toBeVisible()
  expect(await tabs.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0)
})

test('beside the menu, whoever is signed in is named whole', async ({ page, foyer }) => {
  const email = 'charlotte.whitcombe@harbour.example'
  await page.setViewportSize({ width: 1440, height: 900 })
  await enter(page, await join(foyer, { email, name: 'Charlotte Whitcombe', user_type_id: 1 }))
  await page.goto('/customer/dashboard')
  const name = page.getByRole('button', { name: /user menu$/ }).getByText('Charlotte Whitcombe')
  await expect(name).toBeVisible()
  expect(await name.evaluate((part) => part.scrollWidth - part.clientWidth)).toBe(0)
})

test('on the dashboard no choice is cut off, and labels of figures stay on one line', async ({ page, foyer }) => {
  await onceOnline(foyer, await make(foyer, '/properties-create', { name: 'Figures Quay', draft: true }))
  await enter(page, await operatorToken(foyer))
  const heightOf = (text: string) =>
    page
      .getByText(text, { exact: true })
      .first()
      .evaluate((part) => part.getBoundingClientRect().height)
  for (const width of [1048, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/customer/dashboard')
    await expect(page.getByRole('group', { name: 'Measure' })).toBeVisible()
    for (const word of ['Sessions today', 'Guests online'])
      expect(await heightOf(word), `${word} at ${width} px`).toBeLessThan(30)
    const choices = page.getByRole('group', { name: 'Measure' }).locator('label span')
    const cut = await choices.evaluateAll((spans) => spans.filter((span) => span.scrollWidth > span.clientWidth).length)
    expect(cut, `choices cut at ${width} px`).toBe(0)
  }
})

test('the search above a list stays wide enough to type in', async ({ page, foyer }) => {
  const group_id = await make(foyer, '/groups-create', { name: 'Search Quays' })
  await make(foyer, '/properties-create', { name: 'Search Quay', group_id, draft: true })
  await page.setViewportSize({ width: 839, height: 1100 })
  await enter(page, await operatorToken(foyer))
  await page.goto(`/customer/groups/update?id=${group_id}&tab=properties`)
  await expect(page.getByRole('row', { name: /Search Quay/ })).toBeVisible()
  const box = await page.getByRole('textbox', { name: 'Search properties' }).boundingBox()
  expect(box?.width).toBeGreaterThanOrEqual(160)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
})

test('at 200 % what stands above a list in a tab fits, and from right to left the open tab is whole', async ({
  page,
  foyer,
}) => {
  const property_id = await make(foyer, '/properties-create', { name: 'Wide Quay', draft: true })
  const gateway_id = await make(foyer, '/gateways-create', { gateway_type_id: 1, property_id })
  const admin = await connect(foyer.database())
  await admin.query(
    `insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, started_at, last_seen_at)
     select customer_id, $2, id, 'wide', 'wide', now(), now() from properties where id = $1`,
    [property_id, gateway_id],
  )
  await admin.end()
  await enter(page, await operatorToken(foyer))
  // 1440 by 900 at 200 %.
  await page.setViewportSize({ width: 720, height: 450 })
  await page.goto(`/customer/properties/update?id=${property_id}&tab=sessions`)
  await expect(page.getByRole('row', { name: /Online/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign-in attempts' })).toBeInViewport({ ratio: 1 })
  await expectFitting(page)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.addInitScript(() => addEventListener('DOMContentLoaded', () => (document.documentElement.dir = 'rtl')))
  await page.goto(`/customer/properties/update?id=${property_id}`)
  await expect(page.getByRole('tab', { selected: true })).toBeInViewport({ ratio: 1 })
  // It is the other edge that fades, beyond which there are more.
  await expect(page.getByRole('tablist')).toHaveCSS('mask-image', /^linear-gradient\(to left/)
  await expectFitting(page)
})

test('fields side by side are aligned, and stay so if one has an error', async ({ page, foyer }) => {
  const property_id = await make(foyer, '/properties-create', { name: 'Fields Quay', draft: true })
  const room_id = await make(foyer, '/rooms-create', { property_id, number: '12' })
  await enter(page, await operatorToken(foyer))
  await page.goto(`/customer/room-guests/update?room_id=${room_id}`)
  const room = page.getByRole('combobox', { name: /^Room/ })
  const reservation = page.getByRole('textbox', { name: /^Reservation/ })
  await expect(room).toHaveValue('12')
  const bottomOf = async (field: typeof room) => {
    const box = await field.boundingBox()
    return Math.round((box?.y ?? 0) + (box?.height ?? 0))
  }
  expect(await bottomOf(room)).toBe(await bottomOf(reservation))
  const last = page.getByRole('textbox', { name: /^Last name/ })
  const first = page.getByRole('textbox', { name: /^First name/ })
  await last.focus()
  await first.focus()
  await expect(last).toHaveAttribute('aria-invalid', 'true')
  expect(await bottomOf(last)).toBe(await bottomOf(first))
})

test('the button beside a password is level with it, whatever is said below', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  await page.goto('/customer/accounts/update')
  const middleOf = (part: Locator) =>
    part.evaluate((element) => {
      const { top, height } = element.getBoundingClientRect()
      return Math.round(top + height / 2)
    })
  const password = page.getByLabel('Password', { exact: true })
  await expect(password).toBeVisible()
  expect(await middleOf(page.getByRole('button', { name: 'Generate' }))).toBe(await middleOf(password))
})

test('all columns of the session report are visible at 1440 pixels', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const group_id = await make(foyer, '/groups-create', { name: 'Coast Holiday Parks', draft: true })
  const package_id = await make(foyer, '/packages-create', { name: 'Park week pass' })
  const place = { name: 'Report Quay Residence and Suites', draft: true, group_id, package_id }
  const property_id = await make(foyer, '/properties-create', place)
  const gateway_id = await make(foyer, '/gateways-create', { gateway_type_id: 1, property_id })
  const admin = await connect(foyer.database())
  await admin.query(
    `insert into radius_sessions (customer_id, gateway_id, property_id, package_id, session_key, acct_session_id, username,
       started_at, last_seen_at, stopped_at, seconds)
     select customer_id, $2, id, package_id, n::text, n::text, 'B4S2-YJ7Q-7QFV', now() - interval '2 hours', now(), now(), 7199
     from properties, generate_series(1, 3) as n where id = $1`,
    [property_id, gateway_id],
  )
  await admin.end()
  await page.setViewportSize({ width: 1440, height: 900 })
  await enter(page, token)
  await page.goto('/customer/reports/session')
  const table = page.getByRole('region', { name: 'Session report' })
  await expect(table.getByRole('row', { name: /Report Quay/ }).first()).toBeVisible()
  expect(await table.evaluate((part) => part.scrollWidth - part.clientWidth)).toBe(0)
})

test('a time of yesterday is whole in the list of sessions, also by a clock of twelve hours', async ({
  page,
  foyer,
}) => {
  const token = await operatorToken(foyer)
  const property_id = await make(foyer, '/properties-create', { name: 'Yesterday Quay', draft: true })
  const gateway_id = await make(foyer, '/gateways-create', { gateway_type_id: 1, property_id })
  const now = new Date()
  const yesterday = new Date(new Date(now).setHours(0, -1))
  const admin = await connect(foyer.database())
  await admin.query(
    `insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, username,
       started_at, last_seen_at, stopped_at, seconds)
     select customer_id, $2, id, 'y', 'y', 'B4S2-YJ7Q-7QFV', $3, $3, $3, 0 from properties where id = $1`,
    [property_id, gateway_id, yesterday],
  )
  await admin.end()
  await page.clock.setFixedTime(now)
  await page.setViewportSize({ width: 1440, height: 900 })
  await enter(page, token)
  await page.goto(`/customer/properties/update?id=${property_id}&tab=sessions`)
  const cell = page.getByRole('gridcell', { name: /yesterday, 11:59/ })
  await expect(cell).toBeVisible()
  expect(await cell.evaluate((part) => part.scrollWidth - part.clientWidth)).toBe(0)
})

test('beside the sidebar of a portal, its menu is visible from 500 pixels on', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  await enter(page, token)
  // Each customer starts with one portal.
  const [portal] = (await ask(foyer, '/portals', {}, token)).data as unknown as { id: number }[]
  for (const width of [500, 640, 840]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`/customer/portals/update?id=${portal?.id}`)
    await expect(page.getByRole('complementary', { name: 'Portal' })).toBeVisible()
    await page.getByRole('button', { name: 'More about this portal' }).click()
    await expect(page.getByRole('menuitem').first()).toBeInViewport()
  }
})

test('a form, a list and the actions above share one right edge', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const property_id = await make(foyer, '/properties-create', { name: 'Edge Quay', draft: true })
  await make(foyer, '/rooms-create', { property_id, numbers: ['101'] })
  await enter(page, token)
  const parts =
    '#main header, #main form:not(search form, search, [role=search]), #main [role=grid], #main [role=tablist], #main [role=tabpanel]'
  for (const width of [1048, 1440, 1920])
    for (const address of [
      `properties/update?id=${property_id}&tab=details`,
      `properties/update?id=${property_id}&tab=rooms`,
      'accounts/update',
      'user-profile',
      'vouchers/create',
    ]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`/customer/${address}`)
      await expect(
        page.locator('#main :is(form:not(search form, search, [role=search]), [role=grid])').first(),
      ).toBeVisible()
      const ends = await page
        .locator(parts)
        .evaluateAll((some) =>
          some
            .filter((part) => part.checkVisibility() && part.parentElement?.closest('section') === null)
            .map((part) => Math.round(part.getBoundingClientRect().right)),
        )
      expect(
        Math.max(...ends) - Math.min(...ends),
        `${address} at ${width} px ends at ${ends.join(', ')}`,
      ).toBeLessThanOrEqual(1)
    }
})

test('in the widest windows fields have a maximum width, and the save button is aligned with their right end', async ({
  page,
  foyer,
}) => {
  await enter(page, await operatorToken(foyer))
  await page.setViewportSize({ width: 2560, height: 1200 })
  for (const address of ['groups/create', 'reports/create', 'properties/create']) {
    await page.goto(`/customer/${address}`)
    const form = page.locator('#main form')
    const field = form.getByRole('textbox').first()
    await expect(field).toBeVisible()
    const ends = (part: typeof field) => part.evaluate((element) => Math.round(element.getBoundingClientRect().right))
    const width = await field.evaluate((element) => element.getBoundingClientRect().width)
    expect(width, address).toBeLessThanOrEqual(1000)
    const save = form.locator('button[type=submit]')
    expect(Math.abs((await ends(save)) - (await ends(field))), address).toBeLessThanOrEqual(1)
  }
})
