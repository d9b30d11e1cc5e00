// Made since: whoever changes the password, or resets it by a link, sees what was made under it, and ends what they did not make.
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, linkTo, operatorToken, password, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'
import { refusals } from '#contract/errors.ts'

const next = 'a quieter harbour lantern 43'

async function makeKey(foyer: Foyer, token: string, name: string) {
  const { data } = await ask(foyer, '/user-api-tokens-create', { name, permissions: ['full'] }, token)
  const works = () => ask(foyer, '/properties', {}, String(data['token']))
  expect((await works()).status).toBe(200)
  return works
}

test('the password is changed, and a key and a webhook that were made under it end', async ({ page, foyer }) => {
  const person = { email: 'nora@made.example', name: 'Nora Vik', company_name: 'Made Hotels' }
  const token = await operatorToken(foyer, person)
  const [strange, own] = [await makeKey(foyer, token, 'Strange'), await makeKey(foyer, token, 'Till')]
  const hook = { url: 'https://strange.example/', events: ['guest.signed_in'] }
  const { data: webhook } = await ask(foyer, '/webhooks-create', hook, token)
  const { expectNothing } = watch(page)
  await enter(page, token)
  await page.goto('/customer/user-profile?context=security')
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Present password/ }).fill(password)
  await dialog.getByRole('textbox', { name: /^New password/ }).fill(next)
  await dialog.getByRole('checkbox', { name: /^Strange · .* in this session$/ }).check()
  await dialog.getByRole('checkbox', { name: /^https:\/\/strange\.example\/ · / }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(dialog).toBeHidden()
  expect(await strange()).toMatchObject(refusals.unauthenticated)
  expect((await own()).status).toBe(200)
  const { data: ended } = await ask(foyer, `/webhooks/${String(webhook['id'])}`, {}, token)
  expect(ended['status']).toBe('disabled')
  expectNothing()
})

test('a forgotten password is reset on a phone, and a key that was made under it ends', async ({ page, foyer }) => {
  const person = { email: 'odd@made.example', name: 'Odd Vik', company_name: 'Odd Hotels' }
  const strange = await makeKey(foyer, await operatorToken(foyer, person), 'Strange')
  await page.setViewportSize({ width: 390, height: 844 })
  const { expectNothing } = watch(page)
  await ask(foyer, '/auth/forgot-password', { email: person.email })
  await expect.poll(() => linkTo(foyer, person.email)).toContain('reset-password')
  await page.goto(await linkTo(foyer, person.email))
  await page.getByRole('textbox', { name: /^New password/ }).fill(next)
  await page.getByRole('checkbox', { name: /^Strange · / }).check()
  await expectAccessible(page)
  await expectFitting(page)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('heading', { name: 'Your password has been changed' })).toBeVisible()
  expect(await strange()).toMatchObject(refusals.unauthenticated)
  expectNothing()
})

test('a password is changed at a node of the release before, which lists fewer kinds', async ({ page, foyer }) => {
  const person = { email: 'liv@made.example', name: 'Liv Vik', company_name: 'Early Hotels' }
  const token = await operatorToken(foyer, person)
  const strange = await makeKey(foyer, token, 'Strange')
  await page.route('**/api/v1/auth/made-since', async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = (await response.json()) as { data: Record<string, unknown> }
    const { webhooks: _webhooks, gateways: _gateways, ...before } = data
    await route.fulfill({ json: { ...rest, data: before } })
  })
  const { expectNothing } = watch(page)
  await enter(page, token)
  await page.goto('/customer/user-profile?context=security')
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Present password/ }).fill(password)
  await dialog.getByRole('textbox', { name: /^New password/ }).fill(next)
  await dialog.getByRole('checkbox', { name: /^Strange · / }).check()
  const asked = page.waitForRequest('**/api/v1/auth/password')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  const { end } = (await asked).postDataJSON() as { end: object }
  // That node knows no other kinds either.
  expect(Object.keys(end)).toEqual(['keys'])
  await expect(dialog).toBeHidden()
  expect(await strange()).toMatchObject(refusals.unauthenticated)
  expectNothing()
})
