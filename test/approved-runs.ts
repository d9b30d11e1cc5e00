// Approved runs: billing runs of a customer who is connected to Xero's books, and what sends their drafts. A file that
// calls `openForEachFile` has a Foyer and a Xero of its own, and for each test a customer of its own.
import { afterAll, beforeAll, beforeEach } from 'vitest'
import * as integrations from '#contract/accounting-integrations.ts'
import * as invoices from '#contract/billing-invoices.ts'
import * as billing from '#contract/billing-runs.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { syncAccounting } from '#server/integrations/accounting.ts'
import { draftWork, queueDrafts } from '#server/integrations/push.ts'
import { doDue } from '#test/due.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { inDatabase, later, sinceDay, todayAt, writeNights } from '#test/nights.ts'
import { openXero, type Xero } from '#test/providers/xero.ts'

export let xero: Xero
export let foyer: TestFoyer
export let editor: Person
/** Opens both for the tests of a file, and makes a customer for each. */
export function openForEachFile() {
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
}

export const organisation = () => {
  const [first] = xero.organisations
  if (!first) throw new Error('there is one')
  return first
}
export const aContact = (name: string, more: object = {}) => {
  const contact = { ContactID: crypto.randomUUID(), Name: name, ContactStatus: 'ACTIVE', at: new Date(), ...more }
  organisation().contacts.push(contact)
  return contact
}
export async function connect(again?: number) {
  const { data } = await foyer.get(integrations.authorize, again === undefined ? {} : { id: again }, editor)
  const { data: made } = await foyer.get(integrations.create, await xero.consent(data.url), editor)
  await syncAccounting(foyer.services, editor.user.customer.id, made.id)
  return made.id
}
export const contactId = async (name: string) => {
  const { data } = await foyer.get(integrations.contacts, { searchValue: name }, editor)
  return data[0]?.id ?? 0
}

/** A property that owes 123.40 for last month, with or without a contact to bill. */
export async function aProperty(accounting_contact_id: number | null, values: object = {}) {
  const terms = { total_units: 10, rate_per_unit: 12.34, minimum_billable_percentage: 100, currency: 'GBP' }
  const property = await foyer.property(editor, { ...terms, accounting_contact_id, ...values })
  const today = await todayAt(foyer, property.id)
  const period_end = later(`${today.slice(0, 7)}-01`, -1)
  const period_start = `${period_end.slice(0, 7)}-01`
  await sinceDay(foyer, property.id, period_start)
  await writeNights(foyer)
  return { id: property.id, name: property.name, period_start, period_end }
}
export async function anApprovedRun(...of: Awaited<ReturnType<typeof aProperty>>[]) {
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
export async function ready() {
  const contact = aContact('Harbour Group')
  const connection = await connect()
  const property = await aProperty(await contactId('Harbour'))
  return { run: await anApprovedRun(property), property, contact, connection }
}

export const asked = (id: number) => foyer.ask(invoices.push, { id }, editor)
export const work = (on = foyer) => doDue(draftWork, on.services, editor.user.customer.id)
export async function push(id: number) {
  await foyer.get(invoices.push, { id }, editor)
  await work()
  return drafts(id)
}
export const drafts = async (billing_run_id: number) =>
  (await foyer.get(invoices.list, { params: { billing_run_id } }, editor)).data
export const preview = async (id: number) => (await foyer.get(invoices.preview, { id }, editor)).data
export const runOf = async (id: number) => (await foyer.get(billing.getRun, { id }, editor)).data
export const stateOf = async (id: number) => (await foyer.get(integrations.get, { id }, editor)).data.state
/** Makes all retries due. */
export const due = () =>
  inDatabase(foyer, `update due_work set next_at = now() where kind = 'draft' and state = 'waiting'`)
/** As the job of a node of the release before has a run sent. */
export const adopted = (run_id: number) =>
  foyer.services.tenancy.enter(callerOfJob(editor.user.customer.id, 'drafts'), 'write', (scope) =>
    queueDrafts(scope, foyer.services.queue, run_id),
  )
export const claimFirst = ([first]: number[]) =>
  inDatabase(
    foyer,
    `update billing_invoices set claim = gen_random_uuid(), claimed_until = now() + interval '240 seconds' where id = $1`,
    [first],
  )
export const created = /^PUT .*(Invoices|CreditNotes)/
export const lookedUp = /^GET .*(Invoices|CreditNotes)/
