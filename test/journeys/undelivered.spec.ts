// Undelivered: a colleague is invited at a mailbox that a real mail server does not have; the operator is notified, sees why, and
// invites again once it exists.
import { messages } from '#contract/messages.ts'
import { openMailServer, type TakenMail } from '#test/mail-server.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken, password } from '#test/journeys/people.ts'
import { expectAccessible, watch } from '#test/journeys/watch.ts'

const jo = { name: 'Jo Lind', email: 'jo@harbour.example' }
const ida = { name: 'Ida Berg', email: 'ida@harbour.example' }
const unknown = new Set([jo.email, ida.email])
const taken: TakenMail[] = []

const noMailbox = () => Object.assign(new Error('5.1.1 No such mailbox'), { responseCode: 550 })
const mail_server = await openMailServer(
  (mail) => void taken.push(mail),
  (address) => (unknown.has(address) ? noMailbox() : undefined),
)

test.use({ settings: { SIGNUP: 'first', SMTP_URL: mail_server.url } })
test.afterAll(() => mail_server.close())

test('an undelivered mail is listed, sent again and dismissed', async ({ page, foyer }) => {
  test.slow()
  const { expectNothing } = watch(page)
  const token = await operatorToken(foyer)
  await enter(page, token)
  await page.goto('/customer/undelivered')
  await expect(page.getByText('Everything was delivered')).toBeVisible()
  await expectAccessible(page)

  for (const person of [jo, ida]) await ask(foyer, '/users-invite', { ...person, user_type_id: 1 }, token)
  const count = async () => ((await ask(foyer, '/undelivered', {}, token)).data as unknown as unknown[]).length
  await expect.poll(count, { timeout: 60_000 }).toBe(2)

  await page.goto('/customer/users')
  await expect(page.getByRole('row', { name: /Jo Lind/ })).toContainText('Not delivered')
  await page.goto('/customer/dashboard')
  await expect(page.getByText('2 not delivered')).toBeVisible()
  await page.getByRole('link', { name: 'See why: Mails and text messages' }).click()
  await expect(page).toHaveURL(/\/customer\/undelivered$/)
  const row = page.getByRole('row', { name: /jo@harbour\.example/ })
  await expect(row).toContainText('Invitation')
  await expect(row).toContainText('Nobody has this address or number.')
  await expect(row).toContainText('Send it again, with a new link')
  await expectAccessible(page)

  // The mailbox exists by now. With the keyboard alone.
  unknown.delete(jo.email)
  await row.getByRole('button', { name: /^Actions for/ }).press('Enter')
  await page.getByRole('menuitem', { name: 'Send again' }).press('Enter')
  await expect(page.getByText(`Sent again to ${jo.email}`)).toBeVisible()
  await expect(row).toHaveCount(0)
  await expect.poll(() => taken.filter(({ to }) => to.includes(jo.email)).length, { timeout: 60_000 }).toBe(1)

  const other = page.getByRole('row', { name: /ida@harbour\.example/ })
  await other.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Dismiss' }).click()
  await expect(page.getByText('Everything was delivered')).toBeVisible()
  await page.goto('/customer/users')
  await expect(page.getByRole('row', { name: /Jo Lind/ })).toContainText(messages.status.draft, { ignoreCase: true })
  await page.goto('/customer/dashboard')
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await expect(page.getByText('not delivered')).toHaveCount(0)
  expectNothing()
})

test('a user who may not see it is told so', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const viewer = 'vera@harbour.example'
  await ask(foyer, '/users-invite', { name: 'Vera', email: viewer, user_type_id: 1 }, token)
  await expect.poll(() => linkIn(viewer), { timeout: 60_000 }).toBeDefined()
  const token_of_link = new URL(linkIn(viewer) ?? '').searchParams.get('token')
  const accepted = await ask(foyer, '/auth/accept-invitation', { token: token_of_link, password }, '')
  await enter(page, String(accepted.data['access_token']))
  await page.goto('/customer/undelivered')
  await expect(page.getByText('Your permission does not include this')).toBeVisible()
})

/** The link in a mail, decoded from quoted-printable. */
function linkIn(email: string) {
  const mail = taken.find(({ to, text }) => to.includes(email) && text.includes('invite'))
  const text = mail?.text.replace(/=\r?\n/g, '').replace(/=3D/g, '=')
  return /https?:\/\/\S+token=\S+/.exec(text ?? '')?.[0]
}
