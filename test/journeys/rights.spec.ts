// Rights: what each kind of colleague sees of the app, and how soon an open browser follows a change of permission.

import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { keyboard, mouse } from '#test/journeys/hands.ts'
import { ask, enter, join, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible, watch } from '#test/journeys/watch.ts'
import { sample } from '#test/proofs/proof.ts'

const editor = 2
const frontDesk = 3

const ways = [
  { way: 'by mouse, 1440 wide', width: 1440, hands: mouse, first: 'Ines' },
  { way: 'by mouse, 390 wide', width: 390, hands: mouse, first: 'Iris' },
  { way: 'by keyboard alone', width: 1440, hands: keyboard, first: 'Ilda' },
]

for (const { way, width, hands, first } of sample(ways, 1))
  test(`a colleague who is downgraded loses the buttons in their open browser: ${way}`, async ({
    page,
    browser,
    foyer,
  }) => {
    test.slow()
    const owner = await operatorToken(foyer)
    const pack = `Package of ${first}`
    await ask(foyer, '/groups-create', { name: `Group of ${first}` }, owner)
    await ask(foyer, '/packages-create', { name: pack }, owner)
    const colleague = { name: `${first} Duarte`, email: `${first.toLowerCase()}@rights.example`, user_type_id: editor }
    const theirs = await join(foyer, colleague)
    const context = await browser.newContext({ baseURL: foyer.url, viewport: { width, height: 900 } })
    const open = await context.newPage()
    await open.clock.install()
    const theirWatch = watch(open, [403])
    await enter(open, theirs)
    await open.goto('/customer/groups')
    await expect(open.getByRole('link', { name: 'New group' })).toBeVisible()

    await page.setViewportSize({ width, height: 900 })
    await enter(page, owner)
    const ownWatch = watch(page)
    const [hand, theirHand] = [hands(page), hands(open)]
    await page.goto('/customer/users')
    await hand.fromMenu(page.getByRole('row').filter({ hasText: colleague.name }), 'Open')
    const permission = page.getByRole('combobox', { name: /^Permission/ })
    const change = async (to: string, accept: string) => {
      await hand.choose('Permission', to)
      await expect(page.getByRole('dialog').getByRole('button', { name: accept })).toBeVisible()
      await hand.press(accept)
      await expect(permission).toHaveValue(to)
      await expectAccessible(page)
    }

    // Upgrades are confirmed as well; from editor to front desk, or from there to viewer, is a downgrade.
    await change('Front desk (viewer)', messages.team.downgrade)
    // Without any action there: the browser asks again every minute.
    await open.clock.runFor(60_000)
    await expect(open.getByRole('link', { name: 'New group' })).toHaveCount(0)
    await expect(open.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Groups' })).toHaveCount(0)
    await change('Editor', messages.modal.accept)
    await open.clock.runFor(60_000)

    // After a refused request the change takes effect at once.
    await open.goto('/customer/packages')
    await expect(open.getByRole('link', { name: 'New package' })).toBeVisible()
    await change('Viewer', messages.team.downgrade)
    await theirHand.fromMenu(open.getByRole('row').filter({ hasText: pack }), messages.lists.disable)
    await expect(open.getByRole('dialog').getByRole('button', { name: messages.lists.disable })).toBeVisible()
    await theirHand.press(messages.lists.disable)
    await expect(open.getByRole('link', { name: 'New package' })).toHaveCount(0)
    await expectAccessible(open)
    theirWatch.expectNothing()
    ownWatch.expectNothing()
    await context.close()
  })

test('the front desk serves guests, and sees nothing that it may neither change nor read', async ({ page, foyer }) => {
  test.slow()
  const owner = await operatorToken(foyer)
  const property = { name: 'Desk House', address: '1 Quay', city: 'Bath', country_id: 1 }
  const kinds = { property_type_id: 1, connectivity_type_id: 1 }
  const { data: place } = await ask(foyer, '/properties-create', { ...property, ...kinds }, owner)
  const guest = { name: 'Desk Guest', username: 'desk-guest', password: 'old-secret', property_id: place['id'] }
  await ask(foyer, '/accounts-create', guest, owner)
  const desk = { name: 'Rui Desk', email: 'rui@rights.example', user_type_id: frontDesk }
  const token = await join(foyer, { ...desk, owner_type: 'Property', owner_id: place['id'] })
  const { expectNothing } = watch(page)
  await enter(page, token)
  await page.goto('/property/dashboard')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('link', { name: 'Accounts' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Users' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Give out a code' }).click()
  await page.getByRole('button', { name: 'Make voucher' }).click()
  await expect(page.getByRole('heading', { name: '1 voucher is ready' })).toBeVisible()
  await expect(page.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Print now' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'E-mail' })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await menu.getByRole('link', { name: 'Accounts' }).click()
  await expect(page.getByRole('link', { name: 'New account' })).toHaveCount(0)
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await page.getByRole('link', { name: guest.name }).click()
  await expect(page.getByText('Editors can see it')).toBeVisible()
  await page.getByRole('button', { name: 'New password' }).click()
  await expect(page.getByText('The guest has a new password')).toBeVisible()
  await expect(page.getByRole('dialog').getByText(/^[a-z2-9]{4}-[a-z2-9]{4}$/)).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await page.getByRole('tab', { name: 'Details' }).click()
  await expect(page.getByRole('textbox', { name: /^Password/ })).toBeEditable()
  await expect(page.getByRole('textbox', { name: /^Username/ })).toHaveCount(0)
  await expectAccessible(page)
  expectNothing()

  // A list that it may not see has no search.
  await page.goto('/property/users')
  await expect(page.getByText('Your permission does not include this')).toBeVisible()
  await expect(page.getByRole('main').getByRole('search')).toHaveCount(0)
})
