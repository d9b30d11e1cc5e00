// Record pages: an overview first, then the form; what a viewer sees of both; and their accessibility.

import type { Page } from '@playwright/test'
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { mouse } from '#test/journeys/hands.ts'
import { ask, enter, join, operatorToken, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible } from '#test/journeys/watch.ts'

async function make(foyer: Foyer, call: string, body: object): Promise<number> {
  const { status, data } = await ask(foyer, call, body, await operatorToken(foyer))
  expect(status, call).toBe(201)
  return Number(data['id'])
}
const complete = {
  address: '1 Quay Street',
  city: 'Porto',
  country_id: 1,
  property_type_id: 1,
  connectivity_type_id: 1,
}
const badge = (page: Page, word: string) => page.getByRole('main').getByText(word, { exact: true }).first()

test('a draft says what it lacks, and becomes active by one choice', async ({ page, foyer }) => {
  const id = await make(foyer, '/properties-create', { name: 'Lantern Quay', draft: true })
  await enter(page, await operatorToken(foyer))
  await page.goto(`/customer/properties/update?id=${id}`)
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Overview')
  await expect(page.getByText('Before it can be activated, fill in: country.')).toBeVisible()
  await page.getByRole('link', { name: 'Fill in' }).click()

  const hand = mouse(page)
  await page.getByRole('radio', { name: 'Active' }).check()
  await hand.press(messages.portal.update)
  await expect(page.getByText(messages.fields.notValid)).toBeVisible()
  await hand.choose('Country', 'Andorra')
  await hand.press(messages.portal.update)
  await expect(page.getByText('The property has been updated')).toBeVisible()
  await expect(badge(page, messages.status.active)).toBeVisible()
  await page.getByRole('radio', { name: 'Disabled' }).check()
  await hand.press(messages.portal.update)
  await expect(badge(page, messages.status.disabled)).toBeVisible()
})

test('a package cannot be a draft', async ({ page, foyer }) => {
  const id = await make(foyer, '/packages-create', { name: 'Lobby' })
  await enter(page, await operatorToken(foyer))
  await page.goto(`/customer/packages/update?id=${id}&tab=details`)
  await expect(page.getByRole('radio')).toHaveCount(2)
})

test('an account without a sign-in says so, and gets one, and then a new password', async ({ page, foyer }) => {
  const property_id = await make(foyer, '/properties-create', { name: 'Lantern Quay', ...complete })
  await enter(page, await operatorToken(foyer))
  await page.goto(`/customer/accounts/update?property_id=${property_id}`)
  const hand = mouse(page)
  await hand.type('Name', 'Zoë Núñez')
  await expect(page.getByText(/^Without a username and a password, this guest cannot sign in/)).toBeVisible()
  await expectAccessible(page)
  await hand.press('Make a username and a password')
  await expect(page.getByRole('textbox', { name: /^Username/ })).toHaveValue(/^zoe-nunez-\d{3}$/)
  await expect(page.getByText(/this guest cannot sign in/)).toHaveCount(0)
  await hand.press(messages.portal.create)
  const password = page.getByRole('definition').filter({ hasText: /^[a-z2-9]{4}-[a-z2-9]{4}$/ })
  const first = await password.textContent()
  await hand.press('New password')
  await expect(page.getByText('The guest has a new password')).toBeVisible()
  await expect(password).not.toHaveText(first ?? '')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(password).toHaveText(first ?? '')
})

test('a user is made step by step, with fields that the invitation does not have', async ({ page, foyer }) => {
  const group = await make(foyer, '/groups-create', { name: 'Harbour Hotels' })
  await enter(page, await operatorToken(foyer))
  await page.goto(`/customer/users/update?group_id=${group}`)
  const hand = mouse(page)
  await hand.type('Full name', 'Milan Kovač')
  await hand.type('E-mail', 'milan.records@harbour.example')
  await hand.type('Company', 'Harbour IT')
  await expectAccessible(page)
  await hand.press(messages.portal.continue)
  await expect(page.getByRole('radio', { name: 'A group' })).toBeChecked()
  await expectAccessible(page)
  await hand.press(messages.portal.continue)
  await expect(page.getByRole('definition').filter({ hasText: 'Harbour Hotels' })).toBeVisible()
  await hand.press(messages.portal.create)
  await expect(page.getByRole('heading', { name: 'Milan Kovač' })).toBeVisible()
  await expect(page.getByText('Has not accepted the invitation yet')).toBeVisible()
})

const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

const records: Record<string, (foyer: Foyer) => Promise<number>> = {
  groups: (foyer) => make(foyer, '/groups-create', { name: 'Harbour Hotels' }),
  packages: (foyer) => make(foyer, '/packages-create', { name: 'Lobby' }),
  properties: (foyer) => make(foyer, '/properties-create', { name: 'Lantern Quay', ...complete }),
  accounts: async (foyer) => {
    const property_id = await make(foyer, '/properties-create', { name: 'Lantern Quay', ...complete })
    return make(foyer, '/accounts-create', { name: 'Bram Nowak', property_id })
  },
  users: (foyer) => make(foyer, '/users-create', { name: 'Mira Holt', email: 'mira.axe@harbour.example' }),
}
for (const [area, made] of Object.entries(records))
  test(`${area}: the page of a record and its form are accessible, and fit a phone`, async ({ page, foyer }) => {
    test.slow()
    const id = await made(foyer)
    await enter(page, await operatorToken(foyer))
    for (const tab of ['Overview', 'Details']) {
      await page.setViewportSize(desk)
      await page.goto(`/customer/${area}/update?id=${id}&tab=${tab.toLowerCase()}`)
      await expect(page.getByRole('tabpanel', { name: tab })).toBeVisible()
      await page.waitForLoadState('networkidle')
      await expectAccessible(page)
      await page.setViewportSize(phone)
      const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(overhang, tab).toBeLessThanOrEqual(0)
    }
  })

test('a viewer sees the fields of editors read-only, and is offered nothing that would be refused', async ({
  page,
  foyer,
}) => {
  const id = await make(foyer, '/groups-create', { name: 'Quiet Hotels', contact_email: 'quiet@harbour.example' })
  await enter(page, await join(foyer, { name: 'Mira Lund', email: 'mira.viewer@harbour.example', user_type_id: 1 }))
  await page.goto(`/customer/groups/update?id=${id}`)
  await expect(page.getByRole('heading', { name: 'Quiet Hotels' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'New property' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^More about/ })).toHaveCount(0)
  await page.getByRole('tab', { name: 'Details' }).click()
  const panel = page.getByRole('tabpanel')
  await expect(panel.getByRole('definition').filter({ hasText: 'quiet@harbour.example' })).toBeVisible()
  await expect(panel.getByRole('textbox')).toHaveCount(0)
  await expect(panel.getByRole('button')).toHaveCount(0)

  const pack = await make(foyer, '/packages-create', { name: 'Quiet day', max_users: 0, speed_mbps: 20 })
  await page.goto(`/customer/packages/update?id=${pack}&tab=details`)
  const limit = (name: string) => panel.getByRole('definition').filter({ hasText: name })
  await expect(limit('20 Mbit/s')).toBeVisible()
  // Volume, devices, session time and idle time.
  await expect(limit('No limit')).toHaveCount(4)

  await page.goto('/customer/users')
  await page.getByRole('row', { name: /Mira Lund/ }).click()
  await expect(panel.getByRole('definition').filter({ hasText: /^Viewer$/ })).toBeVisible()
  await expect(panel.getByRole('combobox')).toHaveCount(0)
})

test('rare actions are in the menu: a group is disabled, activated again, and deleted', async ({ page, foyer }) => {
  const id = await make(foyer, '/groups-create', { name: 'Short-lived Hotels' })
  await enter(page, await operatorToken(foyer))
  await page.goto(`/customer/groups/update?id=${id}`)
  const pick = async (entry: string) => {
    await page.getByRole('button', { name: 'More about this group' }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  const dialog = page.getByRole('dialog')
  await pick(messages.lists.disable)
  await dialog.getByRole('button', { name: messages.lists.disable }).click()
  await expect(page.getByText('This group is disabled')).toBeVisible()
  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  await expect(page.getByText('This group is disabled')).toHaveCount(0)
  await pick(messages.lists.delete)
  await dialog.getByRole('button', { name: messages.team.remove }).click()
  await expect(page).toHaveURL('/customer/groups')
  await expect(page.getByText('The group has been deleted')).toBeVisible()
})

test("the terms of a property are shown to a group's editors, who cannot change them", async ({ page, foyer }) => {
  const group = await make(foyer, '/groups-create', { name: 'Harbour Hotels' })
  const id = await make(foyer, '/properties-create', {
    name: 'Lantern Quay',
    ...complete,
    group_id: group,
    rate_per_unit: 4.2,
  })
  const person = { name: 'Ines Prado', email: 'ines.locks@harbour.example', user_type_id: 2 }
  await enter(page, await join(foyer, { ...person, owner_type: 'group', owner_id: group }))
  await page.goto(`/group/properties/update?id=${id}&tab=details`)
  await expect(page.getByRole('textbox', { name: /^Name/ })).toBeVisible()
  await expect(page.getByRole('textbox', { name: /^(Units|Rate per unit|Billed at least)/ })).toHaveCount(0)
  await expect(page.getByText('Set by head office').first()).toBeVisible()
  await expect(page.getByText('4.20', { exact: true })).toBeVisible()
  await expect(page.getByText('100%', { exact: true }).first()).toBeVisible()

  // The wizard has no step without a field that they can fill in.
  await page.goto('/group/properties/create')
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem')
  await expect(steps.last()).toContainText('Review')
  await expect(steps).toHaveCount(4)
})

test('the codes of a batch are filtered to the unused ones', async ({ page, foyer }) => {
  const property_id = await make(foyer, '/properties-create', { name: 'Slipway Rooms', ...complete })
  const package_id = await make(foyer, '/packages-create', { name: 'Slipway day' })
  const batch = await make(foyer, '/voucher-batches-create', { quantity: 3, package_id, property_id })
  await enter(page, await operatorToken(foyer))
  await page.goto(`/customer/vouchers/update?id=${batch}`)
  const rows = page.getByRole('grid', { name: 'Codes' }).getByRole('row').filter({ hasText: 'Valid, and not used' })
  await expect(rows).toHaveCount(3)
  const used = page.getByRole('group', { name: 'Used' })
  await used.getByRole('button', { name: 'Used', exact: true }).click()
  await expect(rows).toHaveCount(0)
  await used.getByRole('button', { name: 'Unused' }).click()
  await expect(rows).toHaveCount(3)
  await page.reload()
  await expect(used.getByRole('button', { name: 'Unused' })).toHaveAttribute('aria-pressed', 'true')
  await expect(rows).toHaveCount(3)
})
