// Integrations: Xero is connected, the settings of its drafts are chosen, it is reconnected after consent has ended, and removed; a
// refusal is shown with its reason; Mailchimp's audience is chosen, and whom it does not erase is seen to by a person. Uses stand-ins that
// behave like the providers.
import { randomUUID } from 'node:crypto'
import { connect } from '#server/db/logins.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { mouse } from '#test/journeys/hands.ts'
import { aLedger } from '#test/journeys/ledgers.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'
import { keyOf, openMailchimp, type Mailchimp } from '#test/providers/mailchimp.ts'
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

/** Fixed ports, because a worker's Foyer is started with its settings before the stand-ins listen. */
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

test('Xero is connected, an organisation chosen, reconnected after consent has ended, and removed', async ({
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
  await expect(page.getByText('The integration was not connected. Access was not allowed there.')).toBeVisible()

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

  // Consent ends at Xero; the next synchronisation notices it.
  xero.endConsent()
  const admin = await connect(foyer.database())
  await admin.query(`update due_work set next_at = now() where kind = 'accounting_connection'`)
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
  expect(xero.requestsTo(/revocation/).length).toBe(1)
  expectNothing()
})

test('a bill is made and sent to Xero as a draft, also after a lost connection', async ({ page, foyer }) => {
  test.slow()
  const maple = xero.organisations[0]
  if (!maple) throw new Error('there is one')
  xero.organisations.splice(1)
  const payer = {
    ContactID: randomUUID(),
    Name: 'Harbour Group',
    ContactStatus: 'ACTIVE',
    IsCustomer: true,
    at: new Date(),
  }
  maple.contacts.push(payer)
  const owner = await operatorToken(foyer, anOperator('Dora'))
  const hand = mouse(page)
  const [quay, mill] = [await aLedger(foyer, owner, 'Quay House', 0), await aLedger(foyer, owner, 'Mill House', 0)]
  const { expectNothing } = watch(page)
  await enter(page, owner)

  // Connect, and choose the contact of one of the two properties.
  await page.goto('/customer/user-profile?context=integrations')
  await page.getByRole('button', { name: 'Connect Xero' }).click()
  await page.getByRole('link', { name: 'Allow access' }).click()
  await expect(page.getByRole('article').getByText('Connected', { exact: true })).toBeVisible()
  await expect(async () => {
    const { data } = await ask(foyer, '/accounting-contacts-list', {}, owner)
    expect(data).toMatchObject([{ name: 'Harbour Group' }])
  }).toPass({ timeout: 60_000 })
  await page.goto(`/customer/properties/update?id=${quay}&tab=details`)
  await hand.choose('Accounting contact', 'Harbour Group')
  await hand.press('Update')
  await expect(page.getByRole('button', { name: 'Update', exact: true })).toBeDisabled()

  // Make a bill, open one night, approve.
  await page.goto('/customer/reports/billing')
  await page.getByRole('link', { name: 'New bill' }).first().click()
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await expect(page).toHaveURL(/run_id=/)
  await expect(page.getByText('Drafts in Xero')).toHaveCount(0)
  const run = page.url()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  const drafts = page.getByRole('table', { name: 'Drafts in Xero' })
  await expect(drafts.getByRole('row', { name: /Quay House/ })).toContainText('Not sent yet')
  await expect(drafts.getByRole('row', { name: /Mill House/ })).toContainText('Choose a contact')
  await page.getByRole('button', { name: /Quay House/ }).click()
  await expect(
    page
      .getByRole('table', { name: /^Nights of Quay House/ })
      .getByRole('row')
      .nth(1),
  ).toContainText('6 of 10')
  await expectAccessible(page)

  // Push the drafts that have a contact; the number links to Xero.
  await page.getByRole('button', { name: 'Push to Xero' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Push to Xero' }).click()
  const number = drafts.getByRole('link', { name: 'INV-0001' })
  await expect(number).toBeVisible({ timeout: 60_000 })
  await expect(number).toHaveAttribute('href', /^https:\/\/go\.xero\.com\//)
  expect(xero.books.drafts).toMatchObject([{ Status: 'DRAFT', SubTotal: 186, Contact: { ContactID: payer.ContactID } }])

  // Choose the contact of the other property from the bill; consent has ended meanwhile.
  await drafts.getByRole('link', { name: 'Choose a contact' }).click()
  await expect(page).toHaveURL(new RegExp(`id=${mill}`))
  await hand.choose('Accounting contact', 'Harbour Group')
  await hand.press('Update')
  await expect(page.getByRole('button', { name: 'Update', exact: true })).toBeDisabled()
  xero.endConsent()
  await page.goto(run)
  await page.getByRole('button', { name: 'Push the rest' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Push the rest' }).click()
  await expect(drafts.getByText('Not taken')).toBeVisible({ timeout: 60_000 })
  await expect(drafts.getByText(/Please reconnect/)).toBeVisible()
  await expectAccessible(page)

  // Reconnect and try again; what was made stays.
  await page.goto('/customer/user-profile?context=integrations')
  await page.getByRole('button', { name: 'Reconnect' }).click()
  await page.getByRole('link', { name: 'Allow access' }).click()
  await expect(page.getByRole('article').getByText('Connected', { exact: true })).toBeVisible()
  await page.goto(run)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
  await expect(drafts.getByRole('link', { name: 'INV-0002' })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('button', { name: /Push|Try again/ })).toHaveCount(0)
  expect(xero.books.drafts.length).toBe(2)

  // A draft deleted in Xero is noticed, and made again once on request.
  xero.books.remove('INV-0001')
  await page.getByRole('button', { name: 'Look in Xero' }).click()
  await expect(drafts.getByText('Deleted in Xero')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/customer/reports/billing')
  await expect(page.getByText('1 deleted there').first()).toBeVisible()
  await page.goto(run)
  await page.getByRole('button', { name: 'Make again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make again' }).click()
  await expect(drafts.getByRole('link', { name: 'INV-0003' })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('button', { name: 'Make again' })).toHaveCount(0)
  await expect(drafts.getByRole('link', { name: 'INV-0001' })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectFitting(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/customer/user-profile?context=integrations')
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByRole('button', { name: 'Connect Xero' })).toBeVisible()
  expectNothing()
})

test('Mailchimp is connected on a phone, and its only audience is selected', async ({ page, foyer }) => {
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

test('guests whom Mailchimp refuses to erase are listed with what helps, tried again, and dismissed with what was found', async ({
  page,
  foyer,
}) => {
  test.slow()
  const owner = await operatorToken(foyer, anOperator('Nora'))
  const { expectNothing } = watch(page)
  await enter(page, owner)
  await page.goto('/customer/user-profile?context=integrations')
  await page.getByRole('button', { name: 'Connect Mailchimp' }).click()
  await page.getByRole('link', { name: 'Allow access' }).click()
  const card = page.getByRole('article')
  await expect(card.getByText('Connected', { exact: true })).toBeVisible()
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Elm House', draft: true }, owner)
  const admin = await connect(foyer.database())
  const { rows } = await admin.query<{ id: number }>(
    `with guest as (insert into guests (customer_id, property_id, email, name, confirmed_at)
         select customer_id, id, address.email, 'Ada', now()
         from properties, unnest(array['ada@elm.example', 'ben@elm.example']) as address(email)
         where id = $1 returning id, customer_id, property_id),
       consent as (insert into consent_records (customer_id, guest_id, property_id, purpose, wording, method)
         select customer_id, id, property_id, 'marketing_email', 'Write to me', 'checkbox' from guest)
     select id::integer from guest`,
    [property['id']],
  )
  const audience = mailchimp.audiences[0]
  const sent = () =>
    ['ada@elm.example', 'ben@elm.example'].filter((email) => audience?.members.has(keyOf(email))).length
  await expect(async () => {
    await admin.query(`update due_work set next_at = now() where kind = 'marketing_connection' and state = 'waiting'`)
    await expect.poll(sent, { timeout: 10_000 }).toBe(2)
  }).toPass({ timeout: 150_000 })
  await admin.end()

  const act = { status: 400, body: { title: 'Bad Request', detail: 'ada@elm.example is under a legal hold.' } }
  mailchimp.goWrong({ at: /delete-permanent/, act, times: 1000 })
  expect((await ask(foyer, '/guests-erase', { ids: rows.map(({ id }) => id) }, owner)).status).toBe(200)
  await page.goto('/customer/due-work')
  const erasures = page.getByRole('row', { name: /A guest who was erased, in “Hotel guests” of Maple Hotels/ })
  await expect(erasures).toHaveCount(2, { timeout: 30_000 })
  for (const row of await erasures.all()) {
    await expect(row).toContainText('Given up', { timeout: 30_000 })
    await expect(row).toContainText('Erase the contact there yourself')
  }
  await expect(page.getByText('ada@elm.example')).toHaveCount(0)
  await expectAccessible(page)
  await page.goto('/customer/user-profile?context=integrations')
  await expect(card.getByText('2 guests were erased here, and are still to be erased there.')).toBeVisible()
  await expect(card.getByText('2 of these were given up. Due work says why, and what helps.')).toBeVisible()
  await expectAccessible(page)

  mailchimp.goRight()
  await card.getByRole('link', { name: 'Due work' }).click()
  const actions = { name: /^Actions for/ }
  await erasures.first().getByRole('button', actions).click()
  await page.getByRole('menuitem', { name: 'Try again' }).click()
  await expect(erasures).toHaveCount(1, { timeout: 30_000 })
  await erasures.first().getByRole('button', actions).click()
  await page.getByRole('menuitem', { name: 'Dismiss' }).click()
  await page.getByLabel('Reason').fill('Erased there by hand.')
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click()
  await expect(erasures).toHaveCount(0)
  expect(audience?.barred.size).toBe(1)
  await page.goto('/customer/user-profile?context=integrations')
  await expect(card.getByText('Connected', { exact: true })).toBeVisible()
  await expect(card.getByText(/still to be erased there/)).toHaveCount(0)
  expectNothing()
})
