// Connections: all that is plugged in stands in one list; one of a kind that no release has is made by its definition, with the keyboard,
// connected by consent at its company, tried, given consent anew and deleted; and what those see who may only read.
import { pathToFileURL } from 'node:url'
import { expect, test } from '#test/journeys/fixtures.ts'
import { keyboard, walkTo } from '#test/journeys/hands.ts'
import { ask, enter, join, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'

test.use({
  settings: {
    SIGNUP: 'open',
    // In a process of its own, RADIUS would have these companies, too.
    ROLES: 'api,jobs',
    NODE_OPTIONS: `--import=${pathToFileURL('test/journeys/with-owls.ts').href}`,
    ACME_OWLS_CLIENT_ID: 'foyer-at-owls',
    ACME_OWLS_CLIENT_SECRET: 'a secret of the owls',
    ALLOWED_HOSTS: '127.0.0.1',
  },
})

test('a connection is made, connected by consent, tried, connected again and deleted', async ({ page, foyer }) => {
  test.setTimeout(90_000)
  const token = await operatorToken(foyer)
  const { expectNothing } = watch(page)
  await enter(page, token)
  await page.goto('/customer/user-profile?context=integrations')
  await page.getByRole('link', { name: 'Open connections' }).click()
  await expect(page.getByText('No connections yet')).toBeVisible()
  await expectAccessible(page)

  const hands = keyboard(page)
  await walkTo(page, 'Tab', page.getByRole('link', { name: 'New connection' }).first())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Connect property systems' })).toBeVisible()
  await expectAccessible(page)
  await hands.choose('System', 'Acme Owls, Night owls')
  await hands.press('Continue')
  await page.getByRole('textbox', { name: 'Wood' }).fill('oak')
  await page.getByLabel('Hoot').fill('a quiet hoot')
  await expectAccessible(page)
  await hands.press('Continue')
  await expect(page.getByText('Next, you allow access at Acme Owls')).toBeVisible()
  await expect(page.getByText('a quiet hoot')).toBeHidden()
  await hands.press('Create')
  await expect(page.getByText('Consent is missing')).toBeVisible()
  await expectAccessible(page)

  await hands.press('Connect Acme Owls')
  const allow = page.getByRole('link', { name: 'Allow access' })
  await expect(allow).toBeVisible()
  const owls = new URL(page.url()).origin
  await allow.click()
  await expect(page.getByText('Barn nest is connected')).toBeVisible()
  await expect(page).not.toHaveURL(/code=|state=/)
  await expect(page.getByText('Works', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Try now' }).click()
  await expect(page.getByText('It works')).toBeVisible()

  // Somebody takes their consent back there.
  await fetch(`${owls}/end`)
  await page.getByRole('button', { name: 'Try now' }).click()
  await expect(page.getByRole('button', { name: 'Connect Acme Owls again' })).toBeVisible()
  await expect(page.getByText('Needs you', { exact: true })).toBeVisible()
  for (const width of [1048, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await expectFitting(page)
  }
  await expectAccessible(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Connect Acme Owls again' }).click()
  await allow.click()
  await expect(page.getByText('Works', { exact: true })).toBeVisible()

  // A secret is entered, and never shown.
  await page.getByRole('tab', { name: 'Details' }).click()
  await expect(page.getByLabel('New hoot')).toHaveValue('')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'More about this connection' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText('No connections yet')).toBeVisible()
  expectNothing()

  await page.goto('/customer/connections?code=of-nobody&state=of-nobody')
  await expect(page.getByText('This was started elsewhere, or too long ago. Please connect again.')).toBeVisible()
  await expect(page).not.toHaveURL(/code=|state=/)
})

test('all kinds stand in one list and lead to where each is kept; who may only read changes nothing', async ({
  page,
  foyer,
}) => {
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Quay House', draft: true }, token)
  const of = { property_interface_type_id: 4, name: 'Apaleo', owner_type: 'Property', owner_id: property['id'] }
  await ask(foyer, '/property-interfaces-create', of, token)
  const nest = { kind: 'night_owls', integration_type: 'acme-owls', name: 'The nest', settings: { wood: 'oak' } }
  await ask(foyer, '/connections-create', nest, token)
  const { expectNothing } = watch(page)
  await enter(page, token)
  await page.goto('/customer/connections')
  await expect(page.getByRole('row', { name: /The nest/ })).toContainText('Needs you')
  const system = page.getByRole('row', { name: /Apaleo/ })
  await expect(system).toContainText('Quay House')
  await expect(system).toContainText('Not heard yet')
  await expectAccessible(page)
  for (const width of [1152, 839, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await expectFitting(page)
  }
  await expectAccessible(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await system.getByRole('link', { name: 'Apaleo' }).click()
  await expect(page).toHaveURL(/property-interfaces\/update/)

  const viewer = await join(foyer, { email: 'lea@harbour.example', name: 'Lea Moss', user_type_id: 1 })
  await enter(page, viewer)
  await page.goto('/customer/connections')
  await page
    .getByRole('row', { name: /The nest/ })
    .getByText('The nest')
    .click()
  await expect(page.getByText('Consent is missing')).toBeVisible()
  for (const name of ['Connect Acme Owls', 'Try now', 'More about this connection'])
    await expect(page.getByRole('button', { name })).toBeHidden()
  await page.goto('/customer/connections/update')
  await expect(page.getByRole('textbox', { name: 'System' })).toBeHidden()
  expectNothing()
})
