// API keys: one is made, its first call works on a real command line, and its use is seen; then it is deleted. At a desk, on a
// phone, and by keyboard alone.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { messages } from '#contract/messages.ts'
import { refusals } from '#contract/errors.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { keyboard, mouse } from '#test/journeys/hands.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible, watch } from '#test/journeys/watch.ts'
import { sample } from '#test/proofs/proof.ts'

const run = promisify(execFile)

const ways = [
  { way: 'by mouse, 390 wide', width: 390, hands: mouse, name: 'Till system' },
  { way: 'by mouse, 1440 wide', width: 1440, hands: mouse, name: 'Booking system' },
  { way: 'by keyboard alone', width: 1440, hands: keyboard, name: 'Door system' },
]

for (const { way, width, hands, name } of sample(ways, 1))
  test(`a key is made, used, seen in use, and deleted: ${way}`, async ({ page, foyer }) => {
    test.slow()
    const owner = await operatorToken(foyer)
    const [house, made] = [`House of the ${name}`, `Made by the ${name}`]
    await ask(foyer, '/properties-create', { name: house, draft: true }, owner)
    await page.setViewportSize({ width, height: 900 })
    const hand = hands(page)
    const { expectNothing } = watch(page)
    await enter(page, owner)
    await page.goto('/customer/user-profile?context=api_keys')
    await hand.follow('New API key')
    await expect(page).toHaveURL('/customer/api-keys/create')
    await hand.type('Name', name)
    await hand.pick('In some areas')
    await hand.press(messages.portal.create)
    await expect(page.getByText(messages.fields.required)).toBeVisible()
    await hand.tick('Properties')
    await hand.pick('Read and write')
    await expectAccessible(page)
    await hand.press(messages.portal.create)

    await expect(page.getByRole('heading', { name: 'The key is ready' })).toBeVisible()
    await expect(page.getByText(`${name} · Read and write: Properties`)).toBeVisible()
    const token = (await page.getByText(/^foyer_[\w-]{43}$/).textContent()) ?? ''
    const call = (await page.getByText(/^curl /).textContent()) ?? ''
    expect(call).toContain(token)
    await expectAccessible(page)

    const { stdout } = await run('sh', ['-c', `${call} --silent --show-error`])
    const { data } = JSON.parse(stdout) as { data: { name: string }[] }
    expect(data.map(({ name }) => name)).toContain(house)
    const asProgram = (path: string, body: object) => ask(foyer, path, body, token, '')
    expect((await asProgram('/properties-create', { name: made, draft: true })).status).toBe(201)
    expect(await asProgram('/packages', {})).toMatchObject(refusals.forbidden)
    expect(await asProgram('/users', {})).toMatchObject(refusals.forbidden)

    // The key is not shown again when one returns.
    await hand.follow('All API keys')
    const row = page.getByRole('row').filter({ hasText: name })
    await expect(row).toContainText(token.slice(0, 11))
    await expect(row).toContainText(String(new Date().getFullYear()))
    await page.goBack()
    await expect(page.getByRole('textbox', { name: /^Name/ })).toHaveValue('')
    await page.goto('/customer/user-profile?context=activity')
    await expect(page.getByText(`${name} (API key) created property ${made}`)).toBeVisible()

    await page.goto('/customer/user-profile?context=api_keys')
    await hand.fromMenu(row, messages.lists.delete)
    await expect(page.getByRole('dialog')).toBeVisible()
    await hand.press(messages.team.remove)
    await expect(row).toHaveCount(0)
    expect(await asProgram('/properties', {})).toMatchObject(refusals.unauthenticated)
    expectNothing()
  })

test('a group and a property have their own keys', async ({ page, foyer }) => {
  const owner = await operatorToken(foyer)
  const { data: group } = await ask(foyer, '/groups-create', { name: 'Key Group' }, owner)
  const inGroup = { name: 'Key Cottage', draft: true, group_id: group['id'] }
  const { data: property } = await ask(foyer, '/properties-create', inGroup, owner)
  await enter(page, owner)
  for (const [area, id, name] of [
    ['groups', group['id'], 'Chain report'],
    ['properties', property['id'], 'Door system'],
  ] as const) {
    await page.goto(`/customer/${area}/update?id=${String(id)}&tab=api_keys`)
    await page.getByRole('link', { name: 'New API key' }).first().click()
    await expect(page).toHaveURL(new RegExp(`/customer/${area}/api-keys/create\\?\\w+_id=${String(id)}$`))
    await page.getByRole('textbox', { name: /^Name/ }).fill(name)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'The key is ready' })).toBeVisible()
    // The form that had the focus is gone.
    await expect(page.getByRole('status').filter({ hasText: 'The key is ready' })).toBeFocused()
    await page.getByRole('link', { name: 'All API keys' }).click()
    await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible()
  }
})
