// Integrations: Xero is connected, what its drafts need is chosen, it is had anew after consent has ended, and taken down; a
// refusal comes back in words; Mailchimp's audience is chosen. Against stand-ins that behave as the providers do.
import { connect } from '#server/db/logins.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible, watch } from '#test/journeys/watch.ts'
import { openMailchimp, type Mailchimp } from '#test/providers/mailchimp.ts'
import { openXero, type Xero } from '#test/providers/xero.ts'

const anOperator = (name: string) => ({
  email: `${name.toLowerCase()}@connections.example`,
  name,
  company_name: `${name} Hospitality`,
})

let xero: Xero
let mailchimp: Mailchimp
test.beforeAll(async () => {
  xero = await openXero(ports.xero)
  mailchimp = await openMailchimp(ports.mailchimp)
})
test.afterAll(async () => {
  await Promise.all([xero.close(), mailchimp.close()])
})

/** Known before anything listens: a worker's Foyer is started with its settings. */
const ports = { xero: 21_207, mailchimp: 21_208 }
const at = (port: number) => `http://127.0.0.1:${port}`
test.use({
  settings: {
    SIGNUP: 'open',
    XERO_CLIENT_ID: 'foyer-at-xero',
    XERO_CLIENT_SECRET: 'a secret of this test',
    XERO_LOGIN_URL: at(ports.xero),
    XERO_TOKEN_URL: at(ports.xero),
    XERO_API_URL: at(ports.xero),
    MAILCHIMP_CLIENT_ID: 'foyer-at-mailchimp',
    MAILCHIMP_CLIENT_SECRET: 'another secret of this test',
    MAILCHIMP_LOGIN_URL: at(ports.mailchimp),
    MAILCHIMP_API_URL: at(ports.mailchimp),
    ALLOWED_HOSTS: '127.0.0.1',
  },
})

test('Xero is connected, an organisation chosen, had anew after consent has ended, and taken down', async ({
  page,
  foyer,
}) => {
  test.slow()
  xero.organisations.push(xero.anOrganisation('Oak Hotels Ltd'))
  const owner = await operatorToken(foyer, anOperator('Connie'))
  const { expectNothing } = watch(page)
  await enter(page, owner)
  await page.goto('/customer/user-profile?context=integrations')
  await page.getByRole('button', { name: 'Connect Xero' }).click()

  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page.getByText('The other side said: “access_denied”')).toBeVisible()

  await page.getByRole('button', { name: 'Connect Xero' }).click()
  await page.getByRole('link', { name: 'Allow access' }).click()
  const card = page.getByRole('article')
  await expect(card.getByText('Not finished')).toBeVisible()
  await expect(page).not.toHaveURL(/code=|state=|error_message/)
  await card.getByLabel('Organisation').click()
  await page.getByRole('option', { name: 'Oak Hotels Ltd' }).click()
  await expect(card.getByText('Connected', { exact: true })).toBeVisible()
  await card.getByLabel('Account', { exact: true }).click()
  await page.getByRole('option', { name: '260 Other Revenue' }).click()
  await expect(page.getByText('Saved').first()).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(card.getByLabel('Account', { exact: true })).toHaveValue('260 Other Revenue')

  // Consent ends there; the next round finds out.
  xero.endConsent()
  const admin = await connect(foyer.database())
  await admin.query('update accounting_integrations set next_sync_at = now()')
  await admin.end()
  await expect(async () => {
    const { data } = await ask(foyer, '/accounting-integrations', {}, owner)
    expect(data).toMatchObject([{ state: 'reconnect' }])
  }).toPass({ timeout: 150_000 })
  await page.reload()
  await expect(card.getByText('Please reconnect')).toBeVisible()
  await expectAccessible(page)
  await card.getByRole('button', { name: 'Reconnect' }).click()
  await page.getByRole('link', { name: 'Allow access' }).click()
  await expect(card.getByText('Connected', { exact: true })).toBeVisible()
  await expect(card.getByLabel('Account', { exact: true })).toHaveValue('260 Other Revenue')

  await page.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByRole('button', { name: 'Connect Xero' })).toBeVisible()
  expect(xero.askedOf(/revocation/).length).toBe(1)
  expectNothing()
})

test('Mailchimp is connected on a phone, and its only audience is taken', async ({ page, foyer }) => {
  const owner = await operatorToken(foyer, anOperator('Mara'))
  await page.setViewportSize({ width: 390, height: 844 })
  const { expectNothing } = watch(page)
  await enter(page, owner)
  await page.goto('/customer/user-profile?context=integrations')
  await page.getByRole('button', { name: 'Connect Mailchimp' }).click()
  await page.getByRole('link', { name: 'Allow access' }).click()
  const card = page.getByRole('article')
  await expect(card.getByText('Connected', { exact: true })).toBeVisible()
  await expect(card.getByText('Hotel guests')).toBeVisible()
  await expectAccessible(page)
  expectNothing()
})
