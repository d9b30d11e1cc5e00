// Sessions: who may open which address, how a session ends, and where a broken link leads.

import type { Page } from '@playwright/test'
import { refusals } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, join, operator, operatorToken, password } from '#test/journeys/people.ts'
import { expectAccessible } from '#test/journeys/watch.ts'

test('when the session has ended, the log-in says so and leads back', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  await enter(page, token)
  // Otherwise a look-up that is still to come would be refused first: this is the last one.
  const known = page.waitForResponse(/\/connectivity-types$/)
  await page.goto('/customer/groups')
  await expect(page.getByRole('heading', { name: 'Groups', exact: true })).toBeVisible()
  await known
  await page.waitForLoadState('networkidle')
  await ask(foyer, '/auth/logout', {}, token)
  await page.getByRole('link', { name: 'Packages', exact: true }).click()
  await expect(page).toHaveURL(/\/customer\/login\?loggedOutAt=\d+$/)
  await expect(page.getByText(/^Your session ended/)).toBeVisible()
  await page.getByRole('textbox', { name: /^E-mail/ }).fill(operator.email)
  await page.getByRole('textbox', { name: /^Password/ }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/customer/packages')
  await expect(page.getByRole('heading', { name: 'Packages', exact: true })).toBeVisible()
})

for (const [why, answer, sentence, heading] of [
  ['nobody answers', null, /^Foyer cannot be reached/, 'This could not be loaded'],
  ['Foyer is busy', 503, refusals.unavailable.message, messages.errorPages.error],
] as const)
  test(`opened while ${why}, the app says so, and then continues at the same address`, async ({ page, foyer }) => {
    await enter(page, await operatorToken(foyer))
    await page.route('**/api/v1/**', (route) =>
      answer === null ? route.abort() : route.fulfill({ status: answer, json: { message: sentence } }),
    )
    await page.goto('/customer/groups?searchValue=harbour')
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    await expect(page.getByText(sentence)).toBeVisible()
    await expectAccessible(page)
    // A second failed try shows it again.
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText(sentence)).toBeVisible()
    await page.unroute('**/api/v1/**')
    // By itself.
    await expect(page.getByRole('heading', { name: 'Groups', exact: true })).toBeVisible()
    await expect(page).toHaveURL('/customer/groups?searchValue=harbour')
  })

test('a new tab shares the session, and logging out in one logs out both', async ({ page, context, foyer }) => {
  await enter(page, await operatorToken(foyer))
  await page.goto('/customer/groups')
  await expect(page.getByRole('heading', { name: 'Groups', exact: true })).toBeVisible()
  const other = await context.newPage()
  await other.goto('/customer/packages')
  await expect(other.getByRole('heading', { name: 'Packages', exact: true })).toBeVisible()
  await page.getByRole('button', { name: /user menu/i }).click()
  await page.getByRole('menuitem', { name: messages.userMenu.logOut }).click()
  await expect(page).toHaveURL('/customer/login')
  await expect(other).toHaveURL('/customer/login')
})

test('users are redirected to the screens of their own context', async ({ page, foyer }) => {
  test.slow()
  const customer = await operatorToken(foyer)
  const { data: group } = await ask(foyer, '/groups-create', { name: 'Harbour Hotels' }, customer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Lantern Quay', draft: true }, customer)
  const of = (owner_type: string, owner_id: unknown) =>
    join(foyer, { email: `${owner_type}@harbour.example`, name: owner_type, user_type_id: 1, owner_type, owner_id })
  const visitors = { customer, group: await of('group', group['id']), property: await of('property', property['id']) }
  for (const [home, token] of Object.entries(visitors)) {
    await enter(page, token)
    const dashboard = `/${home}/dashboard`
    const visits = {
      '/': dashboard,
      '/login': dashboard,
      '/signup': dashboard,
      [`/${home}/login`]: dashboard,
      '/customer/groups': home === 'customer' ? '/customer/groups' : dashboard,
      '/group/properties': home === 'group' ? '/group/properties' : dashboard,
      '/property/dashboard': dashboard,
      [`/${home}/user-profile`]: `/${home}/user-profile`,
    }
    for (const [visited, reached] of Object.entries(visits)) {
      await page.goto(visited)
      await expect(page.getByRole('heading', { level: 1 }), `${home} at ${visited}`).toBeVisible()
      await expect(page, `${home} at ${visited}`).toHaveURL(reached)
    }
    await page.goto(`/${home}/nowhere`)
    await expect(page.getByText(messages.errorPages.routeNotFound)).toBeVisible()
    await page.getByRole('link', { name: messages.errorPages.home }).click()
    await expect(page).toHaveURL(dashboard)
    for (const contextless of ['/nowhere/at/all', '/customer', '/group', '/property', '/forgot-password']) {
      await page.goto(contextless)
      await expect(page, `${home} at ${contextless}`).toHaveURL(dashboard)
    }
  }
})

for (const home of ['customer', 'group', 'property'])
  test(`users who are not signed in are redirected to the log-in of the ${home} context`, async ({ page, foyer }) => {
    await operatorToken(foyer)
    await page.goto(`/${home}/dashboard`)
    await expect(page).toHaveURL(`/${home}/login`)
    await expect(page.getByText(messages.footer.terms)).toBeVisible()
  })

test('users who are not signed in find nothing at an unknown address without a context', async ({ page, foyer }) => {
  await operatorToken(foyer)
  await page.goto('/nowhere/at/all')
  await expect(page.getByText(messages.errorPages.notFound)).toBeVisible()
  for (const [address, title] of [
    ['/forgot-password', 'Reset your password'],
    ['/reset-password', 'This link does not work'],
  ] as const) {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
  }
})

test('an error in the address is shown with the integrations, from any screen', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  for (const address of ['/customer/groups', '/customer/user-profile', '/customer/user-profile?context=integrations']) {
    await page.goto(`${address}${address.includes('?') ? '&' : '?'}error=access_denied`)
    await expect(page).toHaveURL(
      /\/customer\/user-profile\?user_id=\d+&context=integrations&error_message=access_denied$/,
    )
    await expect(page.getByRole('alert')).toContainText('Access was not allowed there.')
  }
})

test("another user's profile is read-only, and one out of reach is not found", async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const { data } = await ask(foyer, '/users-create', { email: 'kim@harbour.example', name: 'Kim Vale' }, token)
  await enter(page, token)
  await page.goto(`/customer/user-profile?user_id=${String(data['id'])}&context=profile`)
  await expect(page.getByRole('heading', { name: 'Kim Vale', level: 1 })).toBeVisible()
  await expect(page.getByText('kim@harbour.example')).toBeVisible()
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0)
  for (const wrong of ['2147483000', 'x']) {
    await page.goto(`/customer/user-profile?user_id=${wrong}`)
    await expect(page.getByText(messages.errorPages.routeNotFound)).toBeVisible()
  }
})

test('the user is fetched after a log-in', async ({ page, foyer }) => {
  await operatorToken(foyer)
  await page.goto('/login')
  await page.getByRole('textbox', { name: /^E-mail/ }).fill(operator.email)
  await page.getByRole('textbox', { name: /^Password/ }).fill(password)
  const fetched = page.waitForResponse('**/api/v1/auth/me')
  await page.getByRole('button', { name: 'Sign in' }).click()
  expect((await fetched).status()).toBe(200)
  await expect(page).toHaveURL('/customer/dashboard')
})

test('after a sign-in the browser keeps its device id as signed by the server, and sends it with the next one', async ({
  page,
  foyer,
}) => {
  await operatorToken(foyer)
  const signIn = async () => {
    await page.goto('/customer/login')
    await page.getByRole('textbox', { name: /^E-mail/ }).fill(operator.email)
    await page.getByRole('textbox', { name: /^Password/ }).fill(password)
    const [request] = await Promise.all([
      page.waitForRequest('**/auth/login'),
      page.getByRole('button', { name: 'Sign in' }).click(),
    ])
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).not.toHaveURL(/login/)
    return (await request.allHeaders())['x-device'] ?? ''
  }
  const first = await signIn()
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  await page.evaluate(() => sessionStorage.clear())
  expect(await signIn()).toMatch(new RegExp(`^${first}[.][\\w-]{43}$`))
})

test('a section of the profile that does not exist is not found', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  await page.goto('/customer/user-profile?context=nothing')
  await expect(page.getByText(messages.errorPages.routeNotFound)).toBeVisible()
})

/** Turns prefetching off. */
const saveData = (page: Page) =>
  page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { configurable: true, value: { saveData: true } }),
  )

test('a missing part of the app reloads the page once, and then shows an error', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  // Otherwise the part would be loaded already.
  await saveData(page)
  const known = new Set<string>()
  let gone = false
  await page.route('**/assets/*.js', async (route) => {
    const url = route.request().url()
    if (!gone) known.add(url)
    await (known.has(url) ? route.continue() : route.abort())
  })
  await page.goto('/customer/groups')
  await expect(page.getByRole('heading', { name: 'Groups', exact: true })).toBeVisible()
  await page.waitForLoadState('networkidle')
  gone = true
  const reloaded = page.waitForEvent('load')
  await page.getByRole('link', { name: 'Packages', exact: true }).click()
  await reloaded
  await expect(page.getByText(messages.errorPages.failed, { exact: true })).toBeVisible()
  await expect(page.getByText(messages.errorPages.error)).toBeVisible()
})

test('a failed prefetch changes neither the page nor what was typed', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  await saveData(page)
  await page.goto('/customer/users')
  const search = page.getByRole('textbox', { name: 'Search users' })
  await search.fill('somebody')
  await page.waitForLoadState('networkidle')
  let loads = 0
  page.on('load', () => loads++)
  const asked = new Set<string>()
  await page.route('**/assets/*.js', async (route) => {
    asked.add(route.request().url())
    await route.abort()
  })
  // Turns prefetching on: the screen of a link is fetched when the pointer is over it.
  await page.evaluate(() => Object.defineProperty(navigator, 'connection', { value: { saveData: false } }))
  for (const name of ['Packages', 'Groups', 'Properties']) {
    const before = asked.size
    await page.getByRole('link', { name, exact: true }).hover()
    await expect.poll(() => asked.size, name).toBeGreaterThan(before)
  }
  expect(loads).toBe(0)
  await expect(search).toHaveValue('somebody')
})
