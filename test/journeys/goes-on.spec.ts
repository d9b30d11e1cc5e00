// Goes on: what happens to somebody's work when the server is away for a while, and when their session ends: screens load by themselves,
// and what was typed stands there again for whoever typed it.

import type { Page } from '@playwright/test'
import { frame } from '#catalogue/en/frame.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, join, operator, operatorToken, password } from '#test/journeys/people.ts'
import { expectAccessible, watch } from '#test/journeys/watch.ts'

const field = (page: Page, label: string) => page.getByRole('textbox', { name: new RegExp(`^${label}`) })

async function signIn(page: Page, email: string) {
  await expect(page).toHaveURL(/\/customer\/login\?loggedOutAt=\d+$/)
  await field(page, 'E-mail').fill(email)
  await field(page, 'Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

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
  await expect(page.getByText('This goes on by itself once Foyer answers.')).toBeVisible()
  await expectAccessible(page)
  await page.unroute(away)
  await expect(page.getByRole('row', { name: /Evening/ }).first()).toBeVisible()
  await expect(page.getByRole('heading', { name: frame['not-loaded'] })).toHaveCount(0)
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
  /** The server ends the session; the app learns of it by the press, or by a look-up of its own before. */
  const ended = async (session: string, press: string) => {
    await ask(foyer, '/auth/logout', {}, session)
    const button = page.getByRole('button', { name: press, exact: true })
    await button.click({ timeout: 5000 }).catch(() => undefined)
  }
  await enter(page, token)

  await test.step('a new record', async () => {
    await page.goto('/customer/packages/create')
    await field(page, 'Name').fill(`Night ${own}`)
    await ended(token, 'Create')
    await signIn(page, operator.email)
    await expect(page).toHaveURL('/customer/packages/create')
    await expect(field(page, 'Name')).toHaveValue(`Night ${own}`)
    await expect(page.getByText('What you had typed is here again')).toBeVisible()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByRole('row', { name: new RegExp(`Night ${own}`) })).toBeVisible()
  })

  const address = `/customer/groups/update?id=${String(data['id'])}&tab=details`
  const session = () => page.evaluate(() => sessionStorage.getItem('foyer-session') ?? '')
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
