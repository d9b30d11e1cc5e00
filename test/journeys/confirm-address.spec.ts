// Confirm address: what a user who has just signed up sees until their address is confirmed.
import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, linkTo, password, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible } from '#test/journeys/watch.ts'

const waiting = /^Mails to other people wait until you confirm/

/** The number of mails sent to an address. */
function mailsTo({ dataDir }: Foyer, email: string) {
  const outbox = path.join(dataDir, 'outbox')
  const texts = fs.existsSync(outbox)
    ? fs.readdirSync(outbox).map((name) => fs.readFileSync(path.join(outbox, name), 'utf8'))
    : []
  return texts.filter((text) => text.startsWith(`To: ${email}\n`)).length
}

async function signUp(page: Page, { company, name, email }: Record<'company' | 'name' | 'email', string>) {
  await page.goto('/signup')
  await page.getByRole('textbox', { name: /^Company/ }).fill(company)
  await page.getByRole('textbox', { name: /^Your name/ }).fill(name)
  await page.getByRole('textbox', { name: /^E-mail/ }).fill(email)
  await page.getByRole('textbox', { name: /^Password/ }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/(customer\/dashboard|mobile)$/)
}

test('a new user sees that mails are held, requests the link again and confirms in another browser', async ({
  page,
  foyer,
  browser,
}) => {
  const email = 'ines@cove.example'
  await signUp(page, { company: 'Cove Hotels', name: 'Ines Cove', email })
  await expect(page.getByText(waiting)).toContainText(email)
  const first = await linkTo(foyer, email)
  await page.getByRole('button', { name: 'Send it again' }).click()
  await expect(page.getByText(/^A new link is on its way/)).toContainText(email)
  await expect.poll(() => mailsTo(foyer, email)).toBe(2)
  await expectAccessible(page)

  // The notice is on other screens, too; the mail of an invitation is held.
  const token = (await page.evaluate(() => sessionStorage.getItem('foyer-session'))) ?? ''
  const colleague = 'jo@elsewhere.example'
  await ask(foyer, '/users-invite', { name: 'Jo', email: colleague, user_type_id: 1 }, token)
  await page.goto('/customer/groups')
  await expect(page.getByText(waiting)).toBeVisible()

  const elsewhere = await (await browser.newContext({ baseURL: foyer.url })).newPage()
  await elsewhere.goto(first)
  await expect(elsewhere.getByText('This link is no longer valid. Please ask for a new one.')).toBeVisible()
  await expectAccessible(elsewhere)
  await elsewhere.goto(await linkTo(foyer, email))
  expect(mailsTo(foyer, colleague)).toBe(0)
  await expect(elsewhere.getByText(/^Cove Hotels signed up to Foyer with it on/)).toBeVisible()
  // By keyboard: the browser that has not signed up gives the password.
  const field = elsewhere.getByRole('textbox', { name: /^Password/ })
  await field.fill('not the password')
  await field.press('Enter')
  await expect(elsewhere.getByText('This is not the password that you signed up with.')).toBeVisible()
  await expectAccessible(elsewhere)
  await field.fill(password)
  await field.press('Enter')
  await expect(elsewhere.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible()
  await expectAccessible(elsewhere)
  await expect.poll(() => mailsTo(foyer, colleague)).toBe(1)
  await elsewhere.getByRole('link', { name: 'Sign in' }).click()
  await expect(elsewhere).toHaveURL('/customer/login')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Groups', exact: true })).toBeVisible()
  await expect(page.getByText(waiting)).toHaveCount(0)
})

test('a signed-in user confirms in another tab, and the notice disappears in both', async ({
  page,
  foyer,
  context,
}) => {
  const email = 'rui@cove.example'
  await signUp(page, { company: 'Rui Parks', name: 'Rui Alves', email })
  await expect(page.getByText(waiting)).toBeVisible()
  const next = await context.newPage()
  await next.goto(await linkTo(foyer, email))
  await next.getByRole('button', { name: 'Confirm my address' }).click()
  await expect(next).toHaveURL('/customer/dashboard')
  await expect(next.getByText('Your address is confirmed')).toBeVisible()
  await expect(next.getByText(waiting)).toHaveCount(0)
  await expect(page.getByText(waiting)).toHaveCount(0)
})

test('whoever did not sign up takes their address off, and the browser that signed up gives another', async ({
  page,
  foyer,
  browser,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signUp(page, { company: 'Borrowed Hotels', name: 'Max Borrow', email: 'owner@borrowed.example' })
  const token = (await page.evaluate(() => sessionStorage.getItem('foyer-session'))) ?? ''
  await ask(foyer, '/groups-create', { name: 'North' }, token)
  const holder = await (await browser.newContext({ baseURL: foyer.url })).newPage()
  await holder.goto(await linkTo(foyer, 'owner@borrowed.example'))
  await holder.getByRole('button', { name: 'This was not me' }).click()
  await holder.getByRole('button', { name: 'It was not me' }).click()
  await expect(holder.getByRole('heading', { name: 'Your address has been removed' })).toBeVisible()
  await expectAccessible(holder)

  await page.goto('/customer/dashboard')
  const field = page.getByRole('textbox', { name: /^Your address/ })
  await field.fill('owner@borrowed.example')
  await field.press('Enter')
  await expect(page.getByText('This address cannot be used here. Please give another one.')).toBeVisible()
  await expectAccessible(page)
  await field.fill('max@borrowed.example')
  await field.press('Enter')
  await expect(page.getByText(waiting)).toContainText('max@borrowed.example')
  expect(await linkTo(foyer, 'max@borrowed.example')).toContain('/confirm-address?token=')
})

test('a failure to send the link is explained and can be retried; a truncated link is refused', async ({
  page,
  foyer,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signUp(page, { company: 'Lea Camping', name: 'Lea Roth', email: 'lea@cove.example' })
  const again = page.getByRole('button', { name: 'Send it again' })
  await page.route('**/auth/send-confirmation', (route) => route.abort())
  await again.click()
  await expect(page.getByText(/^Foyer cannot be reached/)).toBeVisible()
  await page.unroute('**/auth/send-confirmation')
  for (let sent = 0; sent < 5; sent++) {
    await again.click()
    await expect(page.getByText(/^A new link is on its way/)).toBeVisible()
    await expect(again).toBeEnabled()
  }
  await again.click()
  await expect(page.getByText(/^Too many/)).toBeVisible()
  await expectAccessible(page)
  await page.goto(`${foyer.url}/confirm-address?token=cut`)
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
})
