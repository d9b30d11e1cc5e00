// One's own sign-in: setting up a second factor, signing in with it, ending a session; and a customer that requires it of everybody.

import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, linkTo, operatorToken, password } from '#test/journeys/people.ts'

/** The code of a phone whose clock is a number of half minutes ahead. */
const codeOf = (secret: string, ahead = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({
    timestamp: Date.now() + ahead * 30_000,
  })

async function setUp(page: Page): Promise<{ secret: string; codes: string[] }> {
  await page.getByRole('textbox', { name: /^Present password/ }).fill(password)
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect(page.getByRole('img', { name: 'QR code for the app' })).toBeVisible()
  const secret = (await page.locator('code').textContent()) ?? ''
  const code = page.getByRole('textbox', { name: /^Code/ })
  await code.fill('000000')
  await page.getByRole('button', { name: 'Switch on' }).click()
  await expect(page.getByText('This code is wrong')).toBeVisible()
  await code.fill(codeOf(secret))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your second factor is on')).toBeVisible()
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'I have kept them' }).click()
  return { secret, codes }
}

async function signIn(page: Page, email: string) {
  await page.goto('/login')
  await page.getByRole('textbox', { name: /^E-mail/ }).fill(email)
  await page.getByRole('textbox', { name: /^Password/ }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('a second factor is set up, used at the sign-in, and required of a colleague', async ({
  page,
  foyer,
  browser,
}) => {
  test.slow()
  const person = { email: 'mira@quay.example', name: 'Mira Holm', company_name: 'Quay Hotels' }
  const token = await operatorToken(foyer, person)
  await enter(page, token)
  await page.goto('/customer/user-profile?context=security')
  await expect(page.getByText('Your password alone signs you in')).toBeVisible()
  await page.getByRole('button', { name: 'Set up' }).click()
  const { secret, codes } = await setUp(page)
  await expect(page.getByText(/On since/)).toBeVisible()
  await expect(page.getByText('10 of 10 left')).toBeVisible()

  await page.getByRole('button', { name: /user menu/i }).click()
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  await signIn(page, person.email)
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
  await page.getByRole('textbox', { name: /^Code/ }).fill(codeOf(secret, 1))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/customer/dashboard')

  // A second browser signs in with a recovery code; the first one sees its session, and ends it.
  const elsewhere = await browser.newPage({ baseURL: foyer.url })
  await signIn(elsewhere, person.email)
  await elsewhere.getByRole('textbox', { name: /^Code/ }).fill(codes[0]?.toLowerCase() ?? '')
  await elsewhere.keyboard.press('Enter')
  await expect(elsewhere).toHaveURL('/customer/dashboard')
  await page.goto('/customer/user-profile?context=security')
  const sessions = page.getByRole('list', { name: 'Sessions' })
  await expect(page.getByText('9 of 10 left')).toBeVisible()
  const ends = sessions.getByRole('button', { name: 'End' })
  await expect(ends.first()).toBeVisible()
  const open = await ends.count()
  await ends.first().focus()
  await page.keyboard.press('Enter')
  await expect(ends).toHaveCount(open - 1)
  await expect(sessions).toBeFocused()
  await elsewhere.goto('/customer/groups')
  await expect(elsewhere).toHaveURL(/\/customer\/login/)
  await elsewhere.close()

  // Required of everybody: a colleague must set one up first.
  await ask(
    foyer,
    '/users-invite',
    { email: 'ola@quay.example', name: 'Ola Berg', user_type_id: 2 },
    await page.evaluate(() => sessionStorage.getItem('foyer-session') ?? ''),
  )
  const invited = new URL(await linkTo(foyer, 'ola@quay.example')).searchParams.get('token')
  const accepted = await ask(foyer, '/auth/accept-invitation', { token: invited, password })
  await page.getByRole('switch', { name: /^Everybody/ }).click()
  await page.getByRole('button', { name: 'Ask everybody' }).click()
  await expect(page.getByRole('switch', { name: /^Everybody/ })).toBeChecked()

  const colleague = await browser.newPage({ baseURL: foyer.url })
  await enter(colleague, String(accepted.data['access_token']))
  await colleague.goto('/customer/groups')
  await expect(colleague).toHaveURL('/second-factor')
  await expect(colleague.getByText('Quay Hotels requires it of everybody')).toBeVisible()
  await setUp(colleague)
  await expect(colleague).toHaveURL('/customer/dashboard')
  await colleague.close()
})

test('a second company is signed up with an existing address, its password and its second factor', async ({
  page,
  foyer,
}) => {
  const person = { email: 'ines@quay.example', name: 'Ines Roth', company_name: 'Roth Hotels' }
  await enter(page, await operatorToken(foyer, person))
  await page.goto('/customer/user-profile?context=security')
  await page.getByRole('button', { name: 'Set up' }).click()
  const { secret } = await setUp(page)
  await page.getByRole('button', { name: /user menu/i }).click()
  await page.getByRole('menuitem', { name: 'Log Out' }).click()

  await page.goto('/signup')
  await page.getByRole('textbox', { name: /^Company/ }).fill('Roth Campsites')
  await page.getByRole('textbox', { name: /^Your name/ }).fill(person.name)
  await page.getByRole('textbox', { name: /^E-mail/ }).fill(person.email)
  await page.getByRole('textbox', { name: /^Password/ }).fill('a password of nobody here')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('These credentials do not match our records.')).toBeVisible()
  await page.getByRole('textbox', { name: /^Password/ }).fill(password)
  await expect(page.getByRole('textbox', { name: /^E-mail/ })).toHaveValue(person.email)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
  await page.getByRole('textbox', { name: /^Code/ }).fill(codeOf(secret, 1))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/customer/dashboard')
  await expect(page.getByText('Roth Campsites').first()).toBeVisible()
})

test('after a mistyped password only the password is typed again', async ({ page, foyer }) => {
  const person = { email: 'una@quay.example', name: 'Una Lind', company_name: 'Lind Hotels' }
  await operatorToken(foyer, person)
  await page.goto('/login')
  await page.getByRole('textbox', { name: /^E-mail/ }).fill(person.email)
  await page.getByRole('textbox', { name: /^Password/ }).fill(`${password}!`)
  await page.keyboard.press('Enter')
  await expect(page.getByText('These credentials do not match our records.')).toBeVisible()
  await page.getByRole('textbox', { name: /^Password/ }).fill(password)
  await expect(page.getByText('These credentials do not match our records.')).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/customer/dashboard')
})

test('the password is changed with the present one', async ({ page, foyer }) => {
  const person = { email: 'tom@quay.example', name: 'Tom Vale', company_name: 'Vale Hotels' }
  await enter(page, await operatorToken(foyer, person))
  await page.goto('/customer/user-profile?context=security')
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Present password/ }).fill('not the present one')
  await dialog.getByRole('textbox', { name: /^New password/ }).fill('lantern over the quiet quay')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(dialog.getByText('This is not your present password.')).toBeVisible()
  await dialog.getByRole('textbox', { name: /^Present password/ }).fill(password)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Your password has been changed')).toBeVisible()
  await expect(dialog).toBeHidden()
  const login = await ask(foyer, '/auth/login', { email: person.email, password: 'lantern over the quiet quay' })
  expect(login.status).toBe(200)
})
