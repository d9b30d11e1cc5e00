// Team: a viewer is invited, accepts by the link in the mail, and sees what a viewer may see; and the last editor cannot be downgraded.

import { messages } from '#contract/messages.ts'
import { refusals } from '#contract/errors.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, join, linkTo, operator, operatorToken, password } from '#test/journeys/people.ts'
import { expectAccessible, watch } from '#test/journeys/watch.ts'

const vera = { name: 'Vera Okafor', email: 'vera@harbour.example' }

test('an invited viewer accepts, and can see but not change things', async ({ page, browser, foyer }) => {
  test.slow()
  const { expectNothing } = watch(page)
  await enter(page, await operatorToken(foyer))
  await page.goto('/customer/users')
  await page.getByRole('button', { name: 'Invite user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite user' })
  const send = dialog.getByRole('button', { name: messages.team.sendInvite })
  await expect(send).toBeDisabled()
  await dialog.getByRole('textbox', { name: /^Full name/ }).fill(vera.name)
  await expect(send).toBeDisabled()
  await dialog.getByRole('textbox', { name: /^E-mail/ }).fill(vera.email)
  await expectAccessible(page)
  await send.click()
  await expect(page.getByText(messages.team.invited)).toBeVisible()
  await expect(page.getByRole('row', { name: /Vera Okafor/ })).toContainText(messages.status.draft, {
    ignoreCase: true,
  })
  expectNothing()

  const context = await browser.newContext()
  const hers = await context.newPage()
  await hers.goto(await linkTo(foyer, vera.email))
  await hers.getByRole('textbox', { name: /^Password/ }).fill(password)
  await hers.getByRole('button', { name: 'Accept invitation' }).click()
  await expect(hers).toHaveURL(/\/customer\/dashboard$/)
  for (const list of ['Groups', 'Properties', 'Packages', 'Users']) {
    await hers.getByRole('link', { name: list, exact: true }).click()
    await expect(hers.getByRole('heading', { name: list, level: 1 })).toBeVisible()
    await expect(hers.getByRole('link', { name: /^New/ })).toHaveCount(0)
    await expect(hers.getByRole('button', { name: 'Invite user' })).toHaveCount(0)
    await expect(hers.getByRole('checkbox')).toHaveCount(0)
  }
  await hers.goto(`${foyer.url}/customer/packages/create`)
  await expect(hers.getByText('Your permission does not include this')).toBeVisible()
  await hers.goto(`${foyer.url}/customer/user-profile?context=activity`)
  await expect(hers.getByText('Ana Silva invited Vera Okafor')).toBeVisible()
  const token = await hers.evaluate(() => sessionStorage.getItem('foyer-session'))
  expect(await ask(foyer, '/groups-create', { name: 'Hers' }, String(token))).toMatchObject(refusals.forbidden)
  await context.close()
})

test('an invitation without an answer says so, and keeps what was typed', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  await page.route('**/api/v1/users-invite*', (route) => route.abort())
  await page.goto('/customer/users')
  await page.getByRole('button', { name: 'Invite user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite user' })
  await dialog.getByRole('textbox', { name: /^Full name/ }).fill('Nuno Reis')
  await dialog.getByRole('textbox', { name: /^E-mail/ }).fill('nuno@harbour.example')
  await dialog.getByRole('button', { name: messages.team.sendInvite }).click()
  await expect(page.getByText(messages.team.inviteFailed)).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: /^Full name/ })).toHaveValue('Nuno Reis')
})

test('a downgrade is confirmed first, and the last editor cannot be downgraded', async ({ page, foyer }) => {
  const tomas = { name: 'Tomás Pereira', email: 'tomas@harbour.example', user_type_id: 2 }
  await join(foyer, tomas)
  const token = await operatorToken(foyer)
  // Removes the editors of other journeys.
  const { data } = await ask(foyer, '/users', { filters: { status: 'active' }, per_page: 200 }, token)
  const others = (Object.values(data) as { id: number; name: string; user_type_id: number }[])
    .filter(({ name, user_type_id }) => user_type_id === 2 && name !== tomas.name && name !== operator.name)
    .map(({ id }) => id)
  if (others.length > 0) expect((await ask(foyer, '/users-deactivate', { ids: others }, token)).status).toBe(200)
  await enter(page, token)
  await page.goto(`/customer/users?q=${encodeURIComponent(tomas.name)}`)
  const permission = page.getByRole('combobox', { name: /^Permission/ })
  const dialog = page.getByRole('dialog')

  await page.getByRole('link', { name: tomas.name }).click()
  await permission.click()
  await page.getByRole('option', { name: 'Viewer', exact: true }).click()
  await expect(dialog).toContainText(messages.team.downgradeWarning)
  await dialog.getByRole('button', { name: messages.team.cancel }).click()
  await expect(permission).toHaveValue('Editor')
  await permission.click()
  await page.getByRole('option', { name: 'Viewer', exact: true }).click()
  await dialog.getByRole('button', { name: messages.team.downgrade }).click()
  await expect(page.getByText(messages.team.permissionsUpdated)).toBeVisible()
  await expect(permission).toHaveValue('Viewer')

  await page.goto('/customer/users?q=Ana')
  await page.getByRole('link', { name: 'Ana Silva', exact: true }).click()
  await permission.click()
  await page.getByRole('option', { name: 'Viewer', exact: true }).click()
  await dialog.getByRole('button', { name: messages.team.downgrade }).click()
  await expect(page.getByText(/^The last active editor must stay/)).toBeVisible()
  await expect(permission).toHaveValue('Editor')
})
