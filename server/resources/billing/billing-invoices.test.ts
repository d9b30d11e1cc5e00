// Billing invoices: an approved run becomes drafts in Xero's books, each exactly once, to the coin.
import { describe, expect, test } from 'vitest'
import * as integrations from '#contract/accounting-integrations.ts'
import * as invoices from '#contract/billing-invoices.ts'
import * as billing from '#contract/billing-runs.ts'
import * as nights from '#contract/occupancy-nights.ts'
import * as properties from '#contract/properties.ts'
import * as users from '#contract/users.ts'
import { connect as connectTo } from '#server/db/logins.ts'
import { sumOf } from '#server/billing/formula.ts'
import { forbidden, notFound } from '#server/errors/refused.ts'
import { type Person } from '#test/foyer.ts'
import { inDatabase } from '#test/nights.ts'
import {
  xero,
  foyer,
  editor,
  organisation,
  aContact,
  connect,
  contactId,
  aProperty,
  anApprovedRun,
  ready,
  asked,
  work,
  push,
  drafts,
  preview,
  runOf,
  created,
  openForEachFile,
} from '#test/approved-runs.ts'
import { expectRefused } from '#test/refused.ts'

openForEachFile()

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

test('a neighbour sees and sends nothing of it', async () => {
  const { run } = await ready()
  await push(run)
  const neighbour = await foyer.customer()
  expectRefused(await foyer.ask(invoices.push, { id: run }, neighbour), notFound())
  expectRefused(await foyer.ask(invoices.preview, { id: run }, neighbour), notFound())
  expect((await foyer.get(invoices.list, {}, neighbour)).data).toEqual([])
  const viewer = await foyer.viewer(editor)
  expectRefused(await foyer.ask(invoices.push, { id: run }, viewer), forbidden())
  expect((await foyer.get(invoices.list, {}, viewer)).data.length).toBe(1)
})
