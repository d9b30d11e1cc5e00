// Collections: build one and its team, with the mouse at a desk and on a phone, and once with the keyboard alone.

import type { Page } from '@playwright/test'
import { constants } from '#contract/constants.ts'
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { keyboard, mouse, type Hands } from '#test/journeys/hands.ts'
import { ask, enter, linkTo, operatorToken, password, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, watch } from '#test/journeys/watch.ts'
import { sample } from '#test/proofs/proof.ts'

interface Place {
  token: string
  group_id: unknown
  ids: unknown[]
}

/** A new customer with three properties, one of them in a group, and a colleague who is an editor. */
async function settle(foyer: Foyer, name: string): Promise<Place> {
  const person = { email: `${name}@seaside.example`, name: 'Ines Costa', company_name: `Seaside ${name}` }
  const token = await operatorToken(foyer, person)
  const make = async (call: string, body: object) => (await ask(foyer, call, body, token)).data['id']
  const where = { address: '1 Quay', city: 'Porto', country_id: 1, property_type_id: 1, connectivity_type_id: 1 }
  const group_id = await make('/groups-create', { name: 'North' })
  const ids = [
    await make('/properties-create', { name: 'Quay House', group_id, ...where }),
    await make('/properties-create', { name: 'Albion Hotel', ...where }),
    await make('/properties-create', { name: 'Zetland Arms', ...where }),
  ]
  // An editor of the property, so that the downgrade does not concern the customer's last editor.
  const colleague = { email: `rui-${name}@seaside.example`, name: 'Rui Alves', user_type_id: 2 }
  await ask(foyer, '/users-invite', { ...colleague, owner_type: 'properties', owner_id: ids[0] }, token)
  const invitation = new URL(await linkTo(foyer, colleague.email)).searchParams.get('token')
  await ask(foyer, '/auth/accept-invitation', { token: invitation, password })
  return { token, group_id, ids }
}

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })
const pane = (page: Page, name: string) => page.getByRole('region', { name })
const row = (page: Page, of: string, name: string) => pane(page, of).getByRole('listitem').filter({ hasText: name })

/** Presses a button of the open dialog. */
async function pressInDialog(page: Page, hands: Hands, button: string) {
  await expect(page.getByRole('dialog').getByRole('button', { name: button, exact: true })).toBeVisible()
  await hands.press(button)
}

/** The same steps for mouse and keyboard, on every screen size. */
async function build(page: Page, hands: Hands) {
  await page.goto('/customer/dashboard')
  await hands.follow('Collections')
  await hands.follow('New collection')
  await hands.type('Name', 'Seaside')
  await hands.press('Continue')
  await hands.press('Continue')
  await hands.press('Create')
  await expect(page).toHaveURL(/\/collections\/create\/success\?id=\d+$/)
  await expectAccessible(page)

  await hands.follow('Properties None yet. Add those that belong together.')
  await expect(dialogOf(page, 'Properties of Seaside')).toBeVisible()
  await hands.press('Add Albion Hotel')
  await expect(page.getByText(messages.collections.propertyAdded)).toBeVisible()
  await expect(row(page, 'In this collection', 'Albion Hotel')).toBeVisible()
  await hands.press('Add Quay House')
  await hands.press('Add Zetland Arms')
  await expect(pane(page, 'In this collection').getByRole('listitem')).toHaveCount(3)
  await expectAccessible(page)
  await hands.press('Remove Zetland Arms')
  await pressInDialog(page, hands, messages.team.remove)
  await expect(page.getByText(messages.collections.propertyRemoved)).toBeVisible()
  await expect(pane(page, 'In this collection').getByRole('listitem')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/success\?id=\d+$/)

  await hands.follow('Team Nobody yet. Add the people who look after them.')
  await expect(dialogOf(page, 'Team of Seaside')).toBeVisible()
  await hands.press('Add Rui Alves')
  await expect(page.getByText(messages.collections.memberAdded)).toBeVisible()
  await hands.press('Add Ines Costa')
  await expect(pane(page, 'In the team').getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page)

  const permission = page.getByRole('combobox', { name: 'Permission of Rui Alves' })
  await hands.choose('Permission of Rui Alves', 'Viewer')
  await expect(page.getByText(messages.team.downgradeWarning)).toBeVisible()
  await pressInDialog(page, hands, messages.team.cancel)
  await expect(permission).toHaveValue('Editor')
  await hands.choose('Permission of Rui Alves', 'Viewer')
  await pressInDialog(page, hands, messages.team.downgrade)
  await expect(page.getByText(messages.team.permissionsUpdated)).toBeVisible()
  await expect(permission).toHaveValue('Viewer')
  // Upgrades are confirmed as well.
  await hands.choose('Permission of Rui Alves', 'Editor')
  await pressInDialog(page, hands, messages.modal.accept)
  await expect(permission).toHaveValue('Editor')

  await hands.press('Remove Ines Costa')
  await pressInDialog(page, hands, messages.team.remove)
  await expect(page.getByText(messages.collections.memberRemoved)).toBeVisible()
  await expect(pane(page, 'In the team').getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await hands.follow('All collections')
  await expect(page.getByRole('row', { name: /Seaside/ })).toContainText('Albion Hotel, Quay House')
  await expectAccessible(page)
}

const ways = [
  ['with the keyboard alone', 1440, 900, keyboard],
  ['on a phone', 390, 844, mouse],
  ['with the mouse', 1440, 900, mouse],
] as const
for (const [name, width, height, handsOf] of sample(ways, 1))
  test(`a collection and its team are built ${name}`, async ({ page, foyer }) => {
    test.slow()
    await page.setViewportSize({ width, height })
    const { expectNothing } = watch(page)
    const { token } = await settle(foyer, name.replaceAll(' ', '-'))
    await enter(page, token)
    await build(page, handsOf(page))
    expectNothing()
  })

test('a failed change of permission is shown, and logged in the console', async ({ page, foyer }) => {
  const { token } = await settle(foyer, 'failing')
  const me = (await ask(foyer, '/auth/me', {}, token)).data['id']
  const made = await ask(foyer, '/collections-create', { name: 'Alone', user_ids: [me] }, token)
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await enter(page, token)
  await page.goto(`/customer/collections?modal=collection-team&collection_id=${String(made.data['id'])}`)
  await mouse(page).choose('Permission of Ines Costa', 'Viewer')
  await page.getByRole('button', { name: messages.team.downgrade }).click()
  await expect(page.getByText(/^The last active editor must stay/)).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Permission of Ines Costa' })).toHaveValue('Editor')
  expect(logged.filter((line) => line.startsWith('/users-update: 422'))).toHaveLength(1)
})

test('each dialog has an address, and closing it removes only its own parameters', async ({ page, foyer }) => {
  const { token, group_id, ids } = await settle(foyer, 'addresses')
  const made = await ask(foyer, '/collections-create', { name: 'Coast', property_ids: [ids[1]] }, token)
  const id = String(made.data['id'])
  await enter(page, token)

  // Opened by its address, closing it leads to the collections.
  await page.goto(`/customer/dashboard?modal=collection-properties&collection_id=${id}`)
  await expect(dialogOf(page, 'Properties of Coast')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/customer\/collections$/)

  await page.goto('/customer/collections?q=Coast')
  await page.getByRole('button', { name: /Coast/ }).last().click()
  await page.getByRole('menuitem', { name: 'Team' }).click()
  await expect(page).toHaveURL(new RegExp(`q=Coast&modal=collection-team&collection_id=${id}$`))
  await page.reload()
  await expect(dialogOf(page, 'Team of Coast')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/customer\/collections\?q=Coast$/)

  // With a group, its properties are offered, once the collection is chosen.
  await page.goto(`/customer/groups/update?id=${String(group_id)}&tab=properties`)
  await page.getByRole('link', { name: 'To a collection' }).click()
  await mouse(page).choose('Collection', 'Coast')
  await expect(row(page, 'Add properties', 'Quay House')).toBeVisible()
  await expect(row(page, 'Add properties', 'Zetland Arms')).toHaveCount(0)
  await page.keyboard.press('Escape')

  // With a property, it is put into a collection.
  await page.goto(`/customer/properties?modal=collection-properties&property_id=${String(ids[2])}`)
  await expect(dialogOf(page, 'Collections of Zetland Arms')).toBeVisible()
  await page.getByRole('button', { name: 'Add Coast' }).click()
  await expect(page.getByText(messages.collections.propertyAdded)).toBeVisible()
  await expect(row(page, 'It is in', 'Coast')).toContainText('Albion Hotel, Zetland Arms')
})

test('a failure to add is shown, and no dialog is wider than its maximum', async ({ page, foyer }) => {
  const { token } = await settle(foyer, 'refused')
  const made = await ask(foyer, '/collections-create', { name: 'Inland' }, token)
  await page.setViewportSize({ width: 1920, height: 1000 })
  await enter(page, token)
  await page.route(/\/(collections-add-properties|add-team-members)\//, (route) => route.abort())
  for (const [dialog, button, sentence] of [
    ['collection-properties', 'Add Albion Hotel', messages.collections.propertyFailed],
    ['collection-team', 'Add Rui Alves', messages.collections.memberFailed],
  ] as const) {
    await page.goto(`/customer/collections?modal=${dialog}&collection_id=${String(made.data['id'])}`)
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByText(sentence)).toBeVisible()
    await expect(page.getByRole('button', { name: button })).toBeEnabled()
    const box = await page.getByRole('dialog').boundingBox()
    expect(box?.width).toBeLessThanOrEqual(constants.widths.collection_max_px)
  }
})

test('a group makes its own collections, and is offered no others', async ({ page, foyer }) => {
  const { token, group_id } = await settle(foyer, 'group')
  const south = await ask(foyer, '/groups-create', { name: 'South' }, token)
  await ask(foyer, '/collections-create', { name: 'South Coast', group_id: south.data['id'] }, token)
  const editor = { email: 'lena@seaside.example', name: 'Lena Groß', user_type_id: 2 }
  await ask(foyer, '/users-invite', { ...editor, owner_type: 'groups', owner_id: group_id }, token)
  const invitation = new URL(await linkTo(foyer, editor.email)).searchParams.get('token')
  const { data: theirs } = await ask(foyer, '/auth/accept-invitation', { token: invitation, password })
  const { expectNothing } = watch(page)
  const hands = mouse(page)

  await enter(page, String(theirs['access_token']))
  await page.goto('/group/dashboard')
  await hands.follow('Collections')
  await hands.follow('New collection')
  await hands.type('Name', 'North Coast')
  await hands.press('Continue')
  await hands.press('Continue')
  await hands.press('Create')
  await expect(page).toHaveURL(/\/group\/collections\/create\/success\?id=\d+$/)
  await hands.follow('Properties None yet. Add those that belong together.')
  await hands.press('Add Quay House')
  await expect(page.getByText(messages.collections.propertyAdded)).toBeVisible()
  await expect(pane(page, 'Add properties').getByRole('listitem')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await hands.follow('Team Nobody yet. Add the people who look after them.')
  await hands.press('Add Lena Groß')
  await expect(page.getByText(messages.collections.memberAdded)).toBeVisible()
  await expectAccessible(page)

  // Collections of another group cannot contain this group's properties.
  await enter(page, token)
  await page.goto(`/customer/collections?modal=collection-properties&group_id=${String(group_id)}`)
  await page.getByRole('combobox', { name: /^Collection/ }).click()
  await expect(page.getByRole('option', { name: 'North Coast' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'South Coast' })).toHaveCount(0)
  expectNothing()
})
