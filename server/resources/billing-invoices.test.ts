// Billing invoices: an approved run becomes drafts in Xero's books, each exactly once whatever fails on the way, and users read what
// to do.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as integrations from '#contract/accounting-integrations.ts'
import * as activity from '#contract/activity.ts'
import * as invoices from '#contract/billing-invoices.ts'
import * as billing from '#contract/billing-runs.ts'
import * as dueWork from '#contract/due-work.ts'
import * as nights from '#contract/occupancy-nights.ts'
import * as properties from '#contract/properties.ts'
import * as users from '#contract/users.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { connect as connectTo } from '#server/db/logins.ts'
import { syncAccounting } from '#server/integrations/accounting.ts'
import { draftWork, queueDrafts } from '#server/integrations/push.ts'
import { sumOf } from '#server/billing/formula.ts'
import { doDue } from '#test/due.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { inDatabase, later, sinceDay, todayAt, writeNights } from '#test/nights.ts'
import { openXero, type Xero } from '#test/providers/xero.ts'

let xero: Xero
let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  xero = await openXero()
  foyer = await openFoyer({ env: xero.env })
})
afterAll(async () => {
  await foyer?.close()
  await xero?.close()
})
beforeEach(async () => {
  xero.goRight()
  xero.organisations.splice(0, Infinity, xero.anOrganisation('Maple Hotels Ltd'))
  xero.books.drafts.splice(0)
  await inDatabase(foyer, 'delete from rate_limits')
  editor = await foyer.customer()
})

const organisation = () => {
  const [first] = xero.organisations
  if (!first) throw new Error('there is one')
  return first
}
const aContact = (name: string, more: object = {}) => {
  const contact = { ContactID: crypto.randomUUID(), Name: name, ContactStatus: 'ACTIVE', at: new Date(), ...more }
  organisation().contacts.push(contact)
  return contact
}
async function connect(again?: number) {
  const { data } = await foyer.get(integrations.authorize, again === undefined ? {} : { id: again }, editor)
  const { data: made } = await foyer.get(integrations.create, await xero.consent(data.url), editor)
  await syncAccounting(foyer.services, editor.user.customer.id, made.id)
  return made.id
}
const contactId = async (name: string) => {
  const { data } = await foyer.get(integrations.contacts, { searchValue: name }, editor)
  return data[0]?.id ?? 0
}

/** A property that owes 123.40 for last month, with or without a contact to bill. */
async function aProperty(accounting_contact_id: number | null, values: object = {}) {
  const terms = { total_units: 10, rate_per_unit: 12.34, minimum_billable_percentage: 100, currency: 'GBP' }
  const property = await foyer.property(editor, { ...terms, accounting_contact_id, ...values })
  const today = await todayAt(foyer, property.id)
  const period_end = later(`${today.slice(0, 7)}-01`, -1)
  const period_start = `${period_end.slice(0, 7)}-01`
  await sinceDay(foyer, property.id, period_start)
  await writeNights(foyer)
  return { id: property.id, name: property.name, period_start, period_end }
}
async function anApprovedRun(...of: Awaited<ReturnType<typeof aProperty>>[]) {
  const [first] = of
  const ask = {
    property_ids: of.map(({ id }) => id),
    period_start: first?.period_start ?? '',
    period_end: first?.period_end ?? '',
  }
  const { data } = await foyer.get(billing.createRun, ask, editor)
  await foyer.get(billing.approveRun, { id: data.id }, editor)
  return data.id
}
/** One property of one contact, connected and approved. */
async function ready() {
  const contact = aContact('Harbour Group')
  const connection = await connect()
  const property = await aProperty(await contactId('Harbour'))
  return { run: await anApprovedRun(property), property, contact, connection }
}

const asked = (id: number) => foyer.ask(invoices.push, { id }, editor)
const work = (on = foyer) => doDue(draftWork, on.services, editor.user.customer.id)
async function push(id: number) {
  await foyer.get(invoices.push, { id }, editor)
  await work()
  return drafts(id)
}
const drafts = async (billing_run_id: number) =>
  (await foyer.get(invoices.list, { params: { billing_run_id } }, editor)).data
const preview = async (id: number) => (await foyer.get(invoices.preview, { id }, editor)).data
const runOf = async (id: number) => (await foyer.get(billing.getRun, { id }, editor)).data
const stateOf = async (id: number) => (await foyer.get(integrations.get, { id }, editor)).data.state
/** Makes all retries due. */
const due = () => inDatabase(foyer, `update due_work set next_at = now() where kind = 'draft' and state = 'waiting'`)
/** As the job of a node of the release before has a run sent. */
const adopted = (run_id: number) =>
  foyer.services.tenancy.enter(callerOfJob(editor.user.customer.id, 'drafts'), 'write', (scope) =>
    queueDrafts(scope, foyer.services.queue, run_id),
  )
const claimFirst = ([first]: number[]) =>
  inDatabase(
    foyer,
    `update billing_invoices set claim = gen_random_uuid(), claimed_until = now() + interval '240 seconds' where id = $1`,
    [first],
  )
const created = /^PUT .*(Invoices|CreditNotes)/
const lookedUp = /^GET .*(Invoices|CreditNotes)/

describe('what is sent', () => {
  test.each([
    [
      'is gone',
      (colleague: Person) => foyer.get(users.deactivate, { ids: [colleague.user.id] }, editor),
      /no longer has access/,
    ],
    [
      'may not any more',
      (colleague: Person) => inDatabase(foyer, 'update users set user_type_id = 1 where id = $1', [colleague.user.id]),
      /may no longer do that/,
    ],
  ])('nothing of whoever %s, until another sends it', async (_, take, sentence) => {
    const { run } = await ready()
    const colleague = await foyer.invited(editor)
    await foyer.get(invoices.push, { id: run }, colleague)
    await take(colleague)
    const before = xero.requestsTo(created).length
    await work()
    expect(xero.requestsTo(created)).toHaveLength(before)
    expect(await drafts(run)).toMatchObject([{ state: 'failed', error: expect.stringMatching(sentence) as string }])
    expect(await push(run)).toMatchObject([{ state: 'sent', error: null }])
  })

  test('a draft for each property, to the coin, with number and link on the run', async () => {
    aContact('Harbour Group')
    const id = await connect()
    await foyer.get(integrations.update, { id, account_code: '200', tax_type: 'OUTPUT2' }, editor)
    const contact = await contactId('Harbour')
    const [one, other] = [await aProperty(contact), await aProperty(contact)]
    const run = await anApprovedRun(one, other)
    expect(await preview(run)).toMatchObject([
      { properties: [{ id: one.id }], amount: '123.40', amount_expected: '123.40', ready: true, problem: null },
      { properties: [{ id: other.id }], contact: { id: contact, name: 'Harbour Group' }, kind: 'invoice' },
    ])
    expect(xero.books.drafts).toEqual([])
    const { data: pushed } = await foyer.get(invoices.push, { id: run }, editor)
    expect(pushed.drafts).toEqual({ waiting: 2, sent: 0, failed: 0, gone: 0, unsent: 0 })
    await work()
    const sent = await drafts(run)
    expect(sent).toMatchObject([
      {
        property: { id: one.id, name: one.name },
        properties: 1,
        contact: { name: 'Harbour Group' },
        state: 'sent',
        kind: 'invoice',
        amount: '123.40',
        amount_answered: '123.40',
        tax_answered: '24.68',
        number: 'INV-0001',
        error: null,
      },
      { property: { id: other.id }, number: 'INV-0002' },
    ])
    const [first] = xero.books.drafts
    expect(sent[0]?.url).toContain(encodeURIComponent(first?.InvoiceID ?? '-'))
    expect(sent[0]?.url).toMatch(/^https:\/\/go\.xero\.com\/.*shortcode=%21abc/)
    expect(first).toMatchObject({ Status: 'DRAFT', CurrencyCode: 'GBP', LineAmountTypes: 'Exclusive' })
    expect(first?.LineItems).toMatchObject([{ Quantity: 1, UnitAmount: 123.4, AccountCode: '200', TaxType: 'OUTPUT2' }])
    expect(first?.LineItems?.[0]).not.toHaveProperty('LineAmount')
    expect(first?.LineItems?.[0]?.Description).toMatch(new RegExp(`^${one.name}, \\w+ \\d{4}: \\d+ unit nights`))
    const { totals, drafts: counted } = await runOf(run)
    expect(counted).toEqual({ waiting: 0, sent: 2, failed: 0, gone: 0, unsent: 0 })
    expect(totals).toEqual([
      {
        currency: 'GBP',
        amount: sumOf(sent.map(({ amount }) => amount)),
      },
    ])
  })

  test('asked again, nothing is sent twice', async () => {
    const { run } = await ready()
    await push(run)
    expect(await preview(run)).toEqual([])
    await push(run)
    await Promise.all([work(), work()])
    expect(xero.books.drafts.length).toBe(1)
  })

  test('for each contact one draft with a line for each property, where the connection says so', async () => {
    aContact('Harbour Group')
    const id = await connect()
    await foyer.get(integrations.update, { id, invoice_per: 'contact' }, editor)
    const contact = await contactId('Harbour')
    const run = await anApprovedRun(await aProperty(contact), await aProperty(contact))
    const [sent, another] = await push(run)
    expect(sent).toMatchObject({ property: null, properties: 2, amount: '246.80', amount_answered: '246.80' })
    expect(another).toBeUndefined()
    expect(xero.books.drafts[0]?.LineItems?.length).toBe(2)
  })

  test('a credit becomes a credit note', async () => {
    const { property, run } = await ready()
    await push(run)
    await foyer.get(properties.update, { id: property.id, rate_per_unit: 6.17 }, editor)
    const correction = { property_id: property.id, night: property.period_start, occupied_units: 0, note: 'Half' }
    await foyer.get(nights.correctNight, { ...correction, take_present_terms: true }, editor)
    const next = await anApprovedRun(property)
    const [planned] = await preview(next)
    expect(planned).toMatchObject({ kind: 'credit_note', amount: expect.stringMatching(/^-\d+\.\d\d$/) })
    const [credit] = await push(next)
    expect(credit).toMatchObject({ kind: 'credit_note', state: 'sent', number: 'CN-0002', amount: planned?.amount })
    expect(credit?.amount_answered).toBe(planned?.amount)
    expect(credit?.url).toContain('creditNoteID')
    expect(xero.books.drafts[1]).toMatchObject({ Type: 'ACCRECCREDIT', SubTotal: -Number(planned?.amount) })
  })

  test('lines that come to nothing are no lines that are left to be sent', async () => {
    aContact('Harbour Group')
    await connect()
    const contact = await contactId('Harbour')
    const [one, other] = [await aProperty(contact), await aProperty(contact)]
    const run = await anApprovedRun(one, other)
    /** As if the other property were corrected for two months. */
    async function corrected(...amounts: [string, string]) {
      const admin = await connectTo(foyer.database.adminUrl)
      // What is approved is frozen.
      await admin.query('set session_replication_role = replica')
      await admin.query('delete from billing_lines where billing_run_id = $1 and property_id = $2', [run, other.id])
      await admin.query(
        `insert into billing_lines (customer_id, billing_run_id, property_id, property_name, month, days_in_month, unit_days, currency,
           amount, kind, accounting_contact_id)
         select $1, $2, $3, $4, m.month, 31, 1, 'GBP', m.amount, 'correction', $5
         from (values (date '2026-01-01', $6::numeric), (date '2026-03-01', $7::numeric)) as m(month, amount)`,
        [editor.user.customer.id, run, other.id, other.name, contact, ...amounts],
      )
      await admin.end()
    }
    await corrected('10', '-10')
    await push(run)
    expect(await preview(run)).toMatchObject([{ ready: false, problem: expect.stringContaining('total is zero') }])
    expect((await runOf(run)).drafts).toMatchObject({ sent: 1, unsent: 0 })
    await corrected('10', '-9')
    expect((await runOf(run)).drafts).toMatchObject({ sent: 1, unsent: 2 })
  })

  test('a currency of three decimal places: the difference is shown before anything is sent, and afterwards', async () => {
    aContact('Harbour Group')
    organisation().currencies.push('KWD')
    await connect()
    const terms = { currency: 'KWD', total_units: 1, rate_per_unit: 12.345 }
    const run = await anApprovedRun(await aProperty(await contactId('Harbour'), terms))
    expect(await preview(run)).toMatchObject([{ amount: '12.345', amount_expected: '12.350', ready: true }])
    expect(await push(run)).toMatchObject([{ state: 'sent', amount: '12.345', amount_answered: '12.350' }])
  })

  test('properties without a contact are named, the others are sent, and the rest follows once there is one', async () => {
    aContact('Harbour Group')
    await connect()
    const [one, other] = [await aProperty(await contactId('Harbour')), await aProperty(null)]
    const run = await anApprovedRun(one, other)
    expect(await preview(run)).toMatchObject([
      { ready: true },
      { properties: [{ id: other.id }], contact: null, ready: false, fix: 'contact' },
    ])
    expect(await push(run)).toMatchObject([{ property: { id: one.id }, state: 'sent' }])
    expect(await preview(run)).toMatchObject([{ properties: [{ id: other.id }], ready: false }])
    await foyer.get(properties.update, { id: other.id, accounting_contact_id: await contactId('Harbour') }, editor)
    expect(await preview(run)).toMatchObject([{ ready: true }])
    expect((await push(run)).map(({ state }) => state)).toEqual(['sent', 'sent'])
    expect(xero.books.drafts.length).toBe(2)
  })

  test('a draft of ours, a run without contacts and one without a connection are not sent, with the reason', async () => {
    const property = await aProperty(null)
    const ask = { property_ids: [property.id], period_start: property.period_start, period_end: property.period_end }
    const { data: draft } = await foyer.get(billing.createRun, ask, editor)
    expect((await asked(draft.id)).text).toContain('Approve this run first')
    await foyer.get(billing.approveRun, { id: draft.id }, editor)
    const refused = await asked(draft.id)
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('No contact is chosen')])
    const { meta } = await foyer.get(invoices.preview, { id: draft.id }, editor)
    expect(meta).toEqual({ provider: 'Xero', connected: false })
    await connect()
    expect((await foyer.get(invoices.preview, { id: draft.id }, editor)).meta.connected).toBe(true)
  })
})

describe('failures', () => {
  test.each<[string, Parameters<Xero['goWrong']>[0], string]>([
    ['down', { at: created, act: { status: 503, text: 'The Organisation is offline' } }, 'not working'],
    ['garbage', { at: created, act: { status: 200, text: '<html>' } }, 'does not understand'],
    ['an answer without the draft', { at: created, act: { status: 200, body: { Invoices: [] } } }, 'did not say'],
    ['slow', { at: created, act: 'hang' }, 'could not be reached'],
    ['lost after the work was done', { at: created, act: 'lose' }, 'could not be reached'],
  ])('%s: it is reported, looked up, and there is one draft', { timeout: 60_000 }, async (_how, fault, sentence) => {
    const { run } = await ready()
    xero.goWrong(fault)
    const [waiting] = await push(run)
    expect(waiting).toMatchObject({ state: 'waiting', number: null })
    expect(waiting?.error).toContain(sentence)
    expect(waiting?.error).toContain('tried again')
    const before = xero.requestsTo(lookedUp).length
    await due()
    await work()
    expect(xero.requestsTo(lookedUp).length).toBe(before + 1)
    expect(await drafts(run)).toMatchObject([{ state: 'sent', number: 'INV-0001', error: null }])
    expect(xero.books.drafts.length).toBe(1)
  })

  test('a look-up that fails sends nothing', async () => {
    const { run } = await ready()
    xero.goWrong({ at: created, act: 'lose' })
    await push(run)
    const sent = xero.requestsTo(created).length
    xero.goWrong({ at: lookedUp, act: { status: 500 } })
    await due()
    await work()
    expect(xero.requestsTo(created).length).toBe(sent)
    await due()
    await work()
    expect(await drafts(run)).toMatchObject([{ state: 'sent' }])
    expect(xero.books.drafts.length).toBe(1)
  })

  test('permanently out of order: after three days of attempts it is left to a user, and looked up once they try again', async () => {
    const { run } = await ready()
    xero.goWrong({ at: created, act: { status: 503 }, times: 100 })
    await push(run)
    // The tries of three days, but for the last two.
    const last_but_one = draftWork.tries_max - 2
    await inDatabase(foyer, `update due_work set tries = ${last_but_one} where kind = 'draft' and state = 'waiting'`)
    await due()
    await work()
    expect(await drafts(run)).toMatchObject([{ state: 'waiting' }])
    await due()
    await work()
    const [failed] = await drafts(run)
    expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('try again later') })
    xero.goRight()
    expect(await push(run)).toMatchObject([{ id: failed?.id, state: 'sent' }])
    expect(xero.books.drafts.length).toBe(1)
  })

  test('a token that is refused once is renewed, and the draft is made', async () => {
    const { run } = await ready()
    xero.expire()
    expect(await push(run)).toMatchObject([{ state: 'sent' }])
  })

  test('consent that has ended stops everything and asks for a user; once renewed, it goes on', async () => {
    aContact('Harbour Group')
    const connection = await connect()
    const contact = await contactId('Harbour')
    const run = await anApprovedRun(await aProperty(contact), await aProperty(contact))
    xero.endConsent()
    const failed = await push(run)
    expect(failed.map(({ state }) => state)).toEqual(['failed', 'failed'])
    expect(failed[0]?.error).toContain('reconnect')
    expect(failed.map(({ fix }) => fix)).toEqual(['connection', 'connection'])
    expect(await stateOf(connection)).toBe('reconnect')
    expect(xero.books.drafts).toEqual([])
    const refused = await asked(run)
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Reconnect the accounting system')])
    expect((await drafts(run)).length).toBe(2)
    await connect(connection)
    expect((await push(run)).map(({ state }) => state)).toEqual(['sent', 'sent'])
    expect(xero.books.drafts.length).toBe(2)
  })

  test('a token that is refused even when new is used twice and no more, and a user is asked for', async () => {
    const { run, connection } = await ready()
    const over = { status: 401, body: { Title: 'Unauthorized', Status: 401, Detail: 'AuthenticationUnsuccessful' } }
    xero.goWrong({ at: created, act: over, times: 100 })
    const [renewed, made] = [xero.requestsTo(/token/).length, xero.requestsTo(created).length]
    expect(await push(run)).toMatchObject([
      { state: 'failed', fix: 'connection', error: expect.stringContaining('reconnect') },
    ])
    expect(xero.requestsTo(/token/).length).toBe(renewed + 1)
    expect(xero.requestsTo(created).length).toBe(made + 2)
    expect(await stateOf(connection)).toBe('reconnect')
    await due()
    await work()
    expect(xero.requestsTo(created).length).toBe(made + 2)
    xero.goRight()
    await connect(connection)
    expect(await push(run)).toMatchObject([{ state: 'sent' }])
    expect(xero.books.drafts.length).toBe(1)
  })

  test.each<[string, () => string]>([
    ['seconds', () => '900'],
    ['a date', () => new Date(Date.now() + 900_000).toUTCString()],
  ])('too many calls: it waits as long as the provider asks for, by %s, however often', async (_how, retryAfter) => {
    const { run } = await ready()
    xero.goWrong({ at: created, act: { status: 429, headers: { 'retry-after': retryAfter() } }, times: 20 })
    await push(run)
    for (let tries = 0; tries < 10; tries++) {
      await due()
      await work()
    }
    const [waiting] = await inDatabase<{ wait_s: number; state: string }>(
      foyer,
      `select d.state, extract(epoch from d.next_at - now())::float as wait_s from billing_invoices as i join due_work as d
         on d.kind = 'draft' and d.about_id = i.id where billing_run_id = $1`,
      [run],
    )
    expect(waiting?.state).toBe('waiting')
    expect(waiting?.wait_s).toBeGreaterThan(850)
    // Nothing is asked before that.
    const before = xero.requestsTo(created).length
    await work()
    expect(xero.requestsTo(created).length).toBe(before)
    xero.goRight()
    await due()
    await work()
    expect(await drafts(run)).toMatchObject([{ state: 'sent' }])
  })

  test('a renewal whose answer is lost: the same refresh token is sent again, and one draft is made', async () => {
    const { run, connection } = await ready()
    await inDatabase(foyer, 'update integration_tokens set expires_at = now() where accounting_integration_id = $1', [
      connection,
    ])
    xero.goWrong({ at: /token/, act: 'lose', times: 2 })
    expect(await push(run)).toMatchObject([
      { state: 'waiting', error: expect.stringContaining('could not be reached') },
    ])
    await due()
    await work()
    expect(await drafts(run)).toMatchObject([{ state: 'sent' }])
    expect(xero.books.drafts.length).toBe(1)
    expect(xero.grants.at(-1)?.access.length).toBe(1)
  })

  test('two nodes at once make each draft once, and renew once', async () => {
    aContact('Harbour Group')
    const connection = await connect()
    const contact = await contactId('Harbour')
    const run = await anApprovedRun(await aProperty(contact), await aProperty(contact), await aProperty(contact))
    const other = await openFoyer({ env: xero.env, database: foyer.database })
    await inDatabase(foyer, 'update integration_tokens set expires_at = now() where accounting_integration_id = $1', [
      connection,
    ])
    const [before, made] = [xero.requestsTo(/token/).length, xero.requestsTo(created).length]
    await Promise.all([asked(run), asked(run)])
    await Promise.all([work(), work(other), work(), work(other)])
    expect((await drafts(run)).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent'])
    expect(xero.books.drafts.length).toBe(3)
    expect(xero.requestsTo(created).length).toBe(made + 3)
    expect(xero.requestsTo(/token/).length).toBe(before + 1)
    await other.services.tenancy.close()
  })

  test.each<[string, () => void, string]>([
    [
      'an archived contact',
      () => organisation().contacts.forEach((one) => Object.assign(one, { ContactStatus: 'ARCHIVED' })),
      'This contact is archived in Xero',
    ],
    ['a contact that is gone', () => void organisation().contacts.splice(0), 'no longer has this contact'],
    [
      'a currency that is not enabled',
      () => organisation().currencies.splice(0, 9, 'EUR'),
      'Add GBP to its currencies',
    ],
    ['a locked period', () => (organisation().lock_date = '2999-01-01'), 'Move the lock date in Xero'],
    [
      'a line total that is refused',
      () =>
        xero.goWrong({
          at: created,
          act: {
            status: 400,
            body: {
              Message: 'A validation exception occurred',
              Elements: [
                { ValidationErrors: [{ Message: 'The line total 1 does not match the expected line total 2' }] },
              ],
            },
          },
        }),
      'Xero says: “The line total 1 does not match',
    ],
  ])('%s is reported with what to do; once corrected, it is sent once', async (what, spoil, sentence) => {
    const { run, contact } = await ready()
    spoil()
    const [failed] = await push(run)
    expect(failed).toMatchObject({ state: 'failed', number: null, amount: '123.40' })
    expect(failed?.error).toContain(sentence)
    expect(failed?.fix).toBe(what.includes('contact') ? 'contact' : null)
    expect((await runOf(run)).drafts).toEqual({ waiting: 0, sent: 0, failed: 1, gone: 0, unsent: 0 })
    expect(xero.books.drafts).toEqual([])
    Object.assign(organisation(), { currencies: ['GBP'], lock_date: null })
    organisation().contacts.splice(0, 9, Object.assign(contact, { ContactStatus: 'ACTIVE', at: new Date() }))
    expect(await push(run)).toMatchObject([{ state: 'sent', error: null }])
    expect(xero.books.drafts.length).toBe(1)
  })

  test('another contact can be chosen for the property if the month’s own is archived', async () => {
    const { run, property, contact, connection } = await ready()
    aContact('Bay Group')
    Object.assign(contact, { ContactStatus: 'ARCHIVED', at: new Date() })
    await syncAccounting(foyer.services, editor.user.customer.id, connection)
    expect(await preview(run)).toMatchObject([{ ready: true, fix: 'contact', contact: { name: 'Harbour Group' } }])
    await foyer.get(properties.update, { id: property.id, accounting_contact_id: await contactId('Bay') }, editor)
    expect(await preview(run)).toMatchObject([{ ready: true, problem: null, contact: { name: 'Bay Group' } }])
    expect(await push(run)).toMatchObject([{ state: 'sent', contact: { name: 'Bay Group' } }])
  })

  test('tried again in the list of due work, it is planned anew: with the contact that was chosen for it since', async () => {
    const { run, property, contact, connection } = await ready()
    aContact('Bay Group')
    Object.assign(contact, { ContactStatus: 'ARCHIVED', at: new Date() })
    await syncAccounting(foyer.services, editor.user.customer.id, connection)
    const [failed] = await push(run)
    expect(failed).toMatchObject({ state: 'failed', fix: 'contact' })
    const listed = async () => (await foyer.get(dueWork.list, { filters: { kind: ['draft'] } }, editor)).data
    const ids = (await listed()).map(({ id }) => id)
    const retried = () => foyer.ask(dueWork.retry, { ids }, editor)

    await foyer.get(properties.update, { id: property.id, accounting_contact_id: await contactId('Bay') }, editor)
    await foyer.get(integrations.update, { id: connection, account_code: '260' }, editor)
    // What stops it is said, and it stays as it was.
    await inDatabase(foyer, 'update accounting_integrations set needs_reconnect = true where id = $1', [connection])
    const refused = await retried()
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Reconnect the accounting system')])
    expect(await drafts(run)).toEqual([failed])
    await inDatabase(foyer, 'update accounting_integrations set needs_reconnect = false where id = $1', [connection])

    expect((await retried()).status).toBe(200)
    await work()
    expect(await drafts(run)).toMatchObject([{ state: 'sent', contact: { name: 'Bay Group' } }])
    expect(xero.books.drafts.map(({ LineItems }) => LineItems?.[0]?.AccountCode)).toEqual(['260'])
    expect(await listed()).toEqual([])
    const { data: lines } = await foyer.get(activity.list, { filters: { object_type: ['due_work'] } }, editor)
    expect(lines).toMatchObject([{ object_id: ids[0], after: { state: 'waiting' } }])
  })

  test('one that may be in the books of an organisation that was disconnected is not tried again in that list', async () => {
    const { run, connection } = await ready()
    xero.goWrong({ at: created, act: 'lose' })
    await push(run)
    await foyer.get(integrations.remove, { id: connection }, editor)
    await due()
    await work()
    const before = await drafts(run)
    const { data } = await foyer.get(dueWork.list, { filters: { kind: ['draft'] } }, editor)
    const refused = await foyer.ask(dueWork.retry, { ids: data.map(({ id }) => id) }, editor)
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('no longer connected')])
    expect(await drafts(run)).toEqual(before)
  })

  test('a merged contact is followed, before and after the push was requested', async () => {
    const { run, contact, connection } = await ready()
    const next = aContact('Harbour Holdings')
    const merged = () =>
      Object.assign(contact, { ContactStatus: 'ARCHIVED', MergedToContactID: next.ContactID, at: new Date() })
    await foyer.get(invoices.push, { id: run }, editor)
    merged()
    await work()
    expect(await drafts(run)).toMatchObject([{ state: 'sent', contact: { name: 'Harbour Holdings' } }])
    expect(xero.books.drafts[0]?.Contact?.ContactID).toBe(next.ContactID)
    const { data } = await foyer.get(integrations.contacts, { searchValue: 'Holdings' }, editor)
    expect(data[0]?.accounting_integration_id).toBe(connection)
  })

  test('a contact merged twice is followed for a draft that may be in the books, once these do not have it', async () => {
    const { run, contact } = await ready()
    const [next, last] = [aContact('Harbour Holdings'), aContact('Harbour International')]
    // The call itself is lost: nothing was made.
    xero.goWrong({ at: created, act: { status: 503 } })
    await push(run)
    Object.assign(contact, { ContactStatus: 'ARCHIVED', MergedToContactID: next.ContactID, at: new Date() })
    Object.assign(next, { ContactStatus: 'ARCHIVED', MergedToContactID: last.ContactID, at: new Date() })
    await due()
    await work()
    expect(await drafts(run)).toMatchObject([{ state: 'sent', contact: { name: 'Harbour International' } }])
    expect(xero.books.drafts.map((draft) => draft.Contact?.ContactID)).toEqual([last.ContactID])
  })

  test('one that was made before its contact was merged is found, and not made again', async () => {
    const { run, contact } = await ready()
    const next = aContact('Harbour Holdings')
    xero.goWrong({ at: created, act: 'lose' })
    await push(run)
    Object.assign(contact, { ContactStatus: 'ARCHIVED', MergedToContactID: next.ContactID, at: new Date() })
    await due()
    await work()
    // It stands there under the contact that it was made for.
    expect(await drafts(run)).toMatchObject([{ state: 'sent', number: 'INV-0001', contact: { name: 'Harbour Group' } }])
    expect(xero.books.drafts.length).toBe(1)
  })

  test('a contact merged into one that Foyer does not have is said to be that: nobody can restore it', async () => {
    const { run, contact, connection } = await ready()
    Object.assign(contact, { ContactStatus: 'ARCHIVED', MergedToContactID: crypto.randomUUID(), at: new Date() })
    await syncAccounting(foyer.services, editor.user.customer.id, connection)
    expect(await preview(run)).toMatchObject([{ fix: 'contact', problem: expect.stringContaining('was merged into') }])
    const [failed] = await push(run)
    expect(failed).toMatchObject({ state: 'failed', fix: 'contact', error: expect.stringContaining('was merged into') })
    expect(failed?.error).not.toContain('Restore')
  })

  test('a provider that asks to wait is not asked for the other drafts either', async () => {
    aContact('Harbour Group')
    await connect()
    const contact = await contactId('Harbour')
    const run = await anApprovedRun(await aProperty(contact), await aProperty(contact), await aProperty(contact))
    const before = xero.requestsTo(created).length
    xero.goWrong({ at: created, act: { status: 429, headers: { 'retry-after': '300' } }, times: 100 })
    await push(run)
    await work()
    expect(xero.requestsTo(created).length).toBe(before + 1)
    expect((await drafts(run)).map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting'])
  })

  test('an organisation that revoked Foyer’s access asks for a user', async () => {
    const { run, connection } = await ready()
    organisation().connected = false
    expect(await push(run)).toMatchObject([{ state: 'failed', error: expect.stringContaining('Please reconnect') }])
    expect(await stateOf(connection)).toBe('reconnect')
    organisation().connected = true
    await connect(connection)
    expect(await push(run)).toMatchObject([{ state: 'sent' }])
  })

  test('disconnected while it waits: nothing is sent; connected again, what may have been made is looked up first', async () => {
    const { run, connection } = await ready()
    xero.goWrong({ at: created, act: 'lose' })
    await push(run)
    await foyer.get(integrations.remove, { id: connection }, editor)
    await due()
    await work()
    expect(await drafts(run)).toMatchObject([
      { state: 'failed', error: expect.stringContaining('no longer connected') },
    ])
    const refused = await asked(run)
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('no longer connected')])
    // Another organisation knows nothing of it.
    const maple = organisation()
    xero.organisations.splice(0, 1, xero.anOrganisation('Oak Hotels Ltd'))
    await connect()
    expect((await asked(run)).status).toBe(409)
    xero.organisations.splice(0, 1, maple)
    await connect()
    expect(await push(run)).toMatchObject([{ state: 'sent', number: 'INV-0001' }])
    expect(xero.books.drafts.length).toBe(1)
  })

  test('a draft that another node is sending is left to it until its lease expires', async () => {
    const { run } = await ready()
    await foyer.get(invoices.push, { id: run }, editor)
    const claim = (until: string) =>
      inDatabase(
        foyer,
        `update billing_invoices set claim = gen_random_uuid(), is_unsure = true, claimed_until = now() + $2::interval
         where billing_run_id = $1`,
        [run, until],
      )
    await claim('1 minute')
    await work()
    expect(await drafts(run)).toMatchObject([{ state: 'waiting' }])
    const [job] = await inDatabase<{ count: number }>(
      foyer,
      `select count(*)::integer as count from due_work as d join billing_invoices as i on i.id = d.about_id
       where d.kind = 'draft' and d.next_at > now() + interval '30 seconds' and i.billing_run_id = $1`,
      [run],
    )
    expect(job?.count).toBe(1)
    await claim('0')
    await due()
    await work()
    expect(await drafts(run)).toMatchObject([{ state: 'sent' }])
  })

  test.each<[string, (made: number[], run: number) => Promise<void>]>([
    [
      'which a node of the release before was sending',
      async (made, run) => {
        await inDatabase(foyer, `delete from due_work where kind = 'draft' and about_id = any($1)`, [made])
        await claimFirst(made)
        await adopted(run)
      },
    ],
    [
      'which a node of the release before began to send once it was queued',
      async (made) => {
        await claimFirst(made)
        await inDatabase(
          foyer,
          `update due_work set is_unsure = false, next_at = now() where kind = 'draft' and about_id = any($1)`,
          [made],
        )
      },
    ],
    [
      'which somebody has dismissed as unknown',
      async (_, run) => {
        await inDatabase(foyer, `update due_work set tries = $1 where kind = 'draft'`, [draftWork.tries_max - 1])
        xero.goWrong({ at: lookedUp, act: { status: 503 }, times: 2 })
        await due()
        await work()
        const { data } = await foyer.get(dueWork.list, { filters: { kind: ['draft'], state: ['unknown'] } }, editor)
        expect(data).toHaveLength(2)
        await foyer.get(dueWork.dismiss, { ids: data.map(({ id }) => id), reason: 'Nothing found' }, editor)
        await foyer.get(invoices.push, { id: run }, editor)
      },
    ],
  ])('a draft that may be in the books, %s, is looked up also after its connection has failed', async (_, prepare) => {
    aContact('Harbour Group')
    const connection = await connect()
    const contact = await contactId('Harbour')
    const run = await anApprovedRun(await aProperty(contact), await aProperty(contact))
    await foyer.get(invoices.push, { id: run }, editor)
    const ids = (await drafts(run)).map(({ id }) => id).toSorted((a, b) => a - b)
    // Both were made, and their answers are lost.
    xero.goWrong({ at: created, act: 'lose', times: 2 })
    await work()
    await prepare(ids, run)
    xero.endConsent()
    await work()
    expect((await drafts(run)).map(({ state }) => state)).toEqual(['failed', 'failed'])
    await connect(connection)
    expect((await push(run)).map(({ state }) => state)).toEqual(['sent', 'sent'])
    expect(xero.books.drafts).toHaveLength(2)
  })
})

describe('what an accountant deleted', () => {
  const look = async (id: number) => (await foyer.get(invoices.check, { id }, editor)).data.drafts
  const renew = async (id: number) => {
    await foyer.get(invoices.push, { id, renew: true }, editor)
    await work()
    return drafts(id)
  }

  test.each<[string, string]>([
    ['deleted', 'DELETED'],
    ['voided', 'VOIDED'],
  ])(
    '%s in the books: it is noticed, and made again once when a user asks for it; the first is kept as a trace',
    async (as, status) => {
      const { run } = await ready()
      await push(run)
      expect(await look(run)).toMatchObject({ sent: 1, gone: 0 })
      xero.books.remove('INV-0001', status === 'VOIDED' ? 'VOIDED' : 'DELETED')
      expect(await look(run)).toMatchObject({ sent: 0, gone: 1, unsent: 0 })
      expect(await drafts(run)).toMatchObject([{ state: 'gone', gone_as: as, number: 'INV-0001', replaced_at: null }])

      // Not without a request: it may have been deleted on purpose.
      const refused = await asked(run)
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('made again')])
      expect(await preview(run)).toEqual([])
      expect(xero.books.drafts.length).toBe(1)

      await Promise.all([1, 2, 3].map(() => foyer.ask(invoices.push, { id: run, renew: true }, editor)))
      await Promise.all([work(), work()])
      const [first, second, another] = await drafts(run)
      const [gone, sent] = first?.state === 'gone' ? [first, second] : [second, first]
      expect(gone).toMatchObject({ state: 'gone', number: 'INV-0001', replaced_at: expect.stringMatching(/^20/) })
      expect(sent).toMatchObject({ state: 'sent', number: 'INV-0002', amount: '123.40' })
      expect(another).toBeUndefined()
      expect(xero.books.drafts.map(({ Status }) => Status)).toEqual([status, 'DRAFT'])
      expect(xero.books.drafts[0]?.Reference).not.toBe(xero.books.drafts[1]?.Reference)
      expect(await look(run)).toMatchObject({ sent: 1, gone: 0 })
      await renew(run)
      expect(xero.books.drafts.length).toBe(2)
    },
  )

  test('what still exists there is never made a second time: a draft, an approved one, the copy of a deleted one', async () => {
    const { run } = await ready()
    await push(run)
    await renew(run)
    xero.books.approve('INV-0001')
    expect(await look(run)).toMatchObject({ sent: 1, gone: 0 })
    await renew(run)
    xero.books.copy('INV-0001')
    xero.books.remove('INV-0001', 'VOIDED')
    expect(await look(run)).toMatchObject({ sent: 1, gone: 0 })
    await renew(run)
    expect(xero.books.drafts.length).toBe(2)
    xero.books.remove('INV-0002')
    expect(await look(run)).toMatchObject({ sent: 0, gone: 1 })
  })

  test('among many invoices and credit notes, only the deleted ones are made again', async () => {
    aContact('Harbour Group')
    await connect()
    const contact = await contactId('Harbour')
    const of: Awaited<ReturnType<typeof aProperty>>[] = []
    for (let made = 0; made < 22; made++) of.push(await aProperty(contact))
    const run = await anApprovedRun(...of)
    await push(run)
    xero.books.remove('INV-0001')
    xero.books.remove('INV-0022')
    expect(await look(run)).toMatchObject({ sent: 20, gone: 2 })
    await renew(run)
    expect(await runOf(run)).toMatchObject({ drafts: { waiting: 0, sent: 22, failed: 0, gone: 0, unsent: 0 } })
    expect(xero.books.drafts.filter(({ Status }) => Status === 'DRAFT').length).toBe(22)
  })

  test.each<[string, () => void, number, string]>([
    ['is out of order', () => xero.goWrong({ at: lookedUp, act: { status: 503 } }), 409, 'not working'],
    [
      'answers garbage',
      () => xero.goWrong({ at: lookedUp, act: { status: 200, text: '<html>' } }),
      409,
      'does not understand',
    ],
    ['does not know it', () => void xero.books.drafts.splice(0), 200, ''],
  ])('if the provider %s, the draft is assumed to exist', async (_how, fault, status, sentence) => {
    const { run } = await ready()
    await push(run)
    fault()
    const answer = await foyer.ask(invoices.check, { id: run }, editor)
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(sentence)])
    expect(await drafts(run)).toMatchObject([{ state: 'sent' }])
    expect((await foyer.ask(invoices.push, { id: run, renew: true }, editor)).status).toBe(200)
    expect((await drafts(run)).length).toBe(1)
  })

  test('ended consent is reported, also on the connection; so is a removed connection', async () => {
    const { run, connection } = await ready()
    await push(run)
    xero.endConsent()
    expect((await foyer.ask(invoices.check, { id: run }, editor)).text).toContain('reconnect')
    expect(await stateOf(connection)).toBe('reconnect')
    await foyer.get(integrations.remove, { id: connection }, editor)
    expect((await foyer.ask(invoices.check, { id: run }, editor)).text).toContain('no longer connected')
    expect(await drafts(run)).toMatchObject([{ state: 'sent' }])
  })

  test('deleted there before its lost answer was looked up, it is gone and not sent again automatically', async () => {
    const { run } = await ready()
    xero.goWrong({ at: created, act: 'lose' })
    await push(run)
    xero.books.remove('INV-0001')
    await due()
    await work()
    expect(await drafts(run)).toMatchObject([{ state: 'gone', gone_as: 'deleted', number: 'INV-0001' }])
    expect(xero.books.drafts.length).toBe(1)
    await renew(run)
    expect(xero.books.drafts.length).toBe(2)
  })
})

test('a neighbour sees and sends nothing of it', async () => {
  const { run } = await ready()
  await push(run)
  const neighbour = await foyer.customer()
  expect((await foyer.ask(invoices.push, { id: run }, neighbour)).status).toBe(404)
  expect((await foyer.ask(invoices.preview, { id: run }, neighbour)).status).toBe(404)
  expect((await foyer.get(invoices.list, {}, neighbour)).data).toEqual([])
  const viewer = await foyer.viewer(editor)
  expect((await foyer.ask(invoices.push, { id: run }, viewer)).status).toBe(403)
  expect((await foyer.get(invoices.list, {}, viewer)).data.length).toBe(1)
})
