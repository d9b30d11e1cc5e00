// Drafts: which lines of an approved run become which draft in the accounting system, and why some cannot yet.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { askedColumns } from '#server/access/present-rights.ts'
import { amountText, negative, roundedTo, sumOf } from './formula.ts'
import { mergers } from './merged-contacts.ts'
import { monthName } from './words.ts'

/** Every supported accounting system rounds each line to this many places, whatever the currency has. */
const provider_places = 2

interface LineToSend {
  id: number
  property_id: number | null
  property_name: string
  kind: 'charge' | 'correction'
  month: string
  currency: string
  amount: string
  unit_days: number
  days_in_month: number
  rate_per_unit: string | null
  reason: string
  /** The contact of the month, and the property's present one. */
  contact_then: number | null
  contact_now: number | null
  is_removed: boolean
}
interface Contact {
  id: number
  name: string
  status: string | null
  accounting_integration_id: number
  /** The contact that is left after all mergers, if Foyer has it. */
  next_id: number | null
  is_merged: boolean
}
interface Connection {
  id: number
  integration_type: string
  tenant_id: string | null
  organisation_id: string | null
  account_code: string | null
  tax_type: string | null
  invoice_per: 'property' | 'contact'
  needs_reconnect: boolean
}
/** `stops`: it cannot be sent. A contact may have been corrected in the books already, so in that case the provider decides. */
interface Problem {
  problem: string
  fix: 'contact' | 'connection' | null
  stops: boolean
}

export interface Planned {
  lines: { id: number; description: string; amount: string }[]
  properties: { id: number | null; name: string }[]
  contact: Contact | null
  connection: Connection | null
  currency: string
  kind: 'invoice' | 'credit_note'
  amount: string
  amount_expected: string
  obstacle: Problem | null
}

/** Lines of a run that are in no draft. */
const linesToSend = (scope: Scope, run_id: number) =>
  scope.run(sql<LineToSend>`
    select t.id, t.property_id, t.property_name, t.kind, t.month::text, t.currency, t.amount::text, t.unit_days, t.days_in_month,
      t.rate_per_unit::text, t.reason, t.accounting_contact_id as contact_then, p.accounting_contact_id as contact_now,
      p.id is null as is_removed
    from billing_lines as t
    left join properties as p on p.customer_id = t.customer_id and p.id = t.property_id and ${scope.inReach('properties', 'p')}
    where t.billing_run_id = ${run_id} and ${scope.inReach('billing_lines', 't')}
      and not exists (select from billing_invoice_lines as i where i.customer_id = t.customer_id and i.billing_line_id = t.id
        and not i.released and ${scope.inReach('billing_invoice_lines', 'i')})
    order by t.property_name, t.property_id, t.currency, t.month, t.kind, t.id`)

async function contactsOf(scope: Scope, lines: readonly LineToSend[]): Promise<Map<number, Contact>> {
  const ids = [...new Set(lines.flatMap(({ contact_then, contact_now }) => [contact_then, contact_now]))]
  const named = ids.filter((id) => id !== null)
  const isNamed = (contact: string) => sql`${sql.ref(`${contact}.id`)} = any(${named})`
  const found = await scope.run(sql<Contact>`
    with next as (select * from ${mergers(scope, isNamed)} as m)
    select t.id, coalesce(t.name, t.first_name, t.last_name, t.email_address, t.external_id) as name, t.status,
      t.accounting_integration_id, t.merged_into is not null as is_merged,
      (select n.next_id from next as n where n.was_id = t.id) as next_id
    from accounting_contacts as t
    where ${scope.inReach('accounting_contacts', 't')} and (${isNamed('t')} or t.id in (select n.next_id from next as n))`)
  return new Map(found.map((contact) => [contact.id, contact]))
}

async function connectionsOf(scope: Scope): Promise<Map<number, Connection>> {
  const found = await scope.run(sql<Connection>`
    select t.id, t.integration_type, t.tenant_id, t.organisation_id, t.account_code, t.tax_type, t.invoice_per, t.needs_reconnect
    from accounting_integrations as t where ${scope.inReach('accounting_integrations', 't')}`)
  return new Map(found.map((connection) => [connection.id, connection]))
}

const isInUse = ({ status, is_merged }: Contact) => !is_merged && (status === null || status === 'active')

/** The contact of a line: the one of its month or, if that cannot be billed any more, the property's present one. */
function contactOf({ contact_then, contact_now }: LineToSend, { contacts, connections }: Known): Contact | null {
  const follow = (id: number | null) => {
    const contact = id === null ? undefined : contacts.get(id)
    return contact && ((contact.next_id === null ? undefined : contacts.get(contact.next_id)) ?? contact)
  }
  const [then, now] = [follow(contact_then), follow(contact_now)]
  const good = [then, now].find((one) => one && isInUse(one) && connections.has(one.accounting_integration_id))
  return good ?? now ?? then ?? null
}

interface Known {
  contacts: Map<number, Contact>
  connections: Map<number, Connection>
}

const stop = (problem: string, fix: Problem['fix']): Problem => ({ problem, fix, stops: true })

function problemOf(line: LineToSend, contact: Contact | null, connection: Connection | null): Problem | null {
  if (!contact)
    return line.is_removed
      ? stop('This property was removed and has no contact: enter it in the books by hand.', null)
      : stop('No contact is chosen for this property.', 'contact')
  if (!connection)
    return stop(
      `${contact.name} came from an accounting connection that has been removed. Connect it again.`,
      'connection',
    )
  if (connection.needs_reconnect) return stop('Reconnect the accounting system first.', 'connection')
  if (connection.organisation_id === null) return stop('Choose the organisation of the connection first.', 'connection')
  if (isInUse(contact)) return null
  const fix = line.is_removed ? null : 'contact'
  // Nobody can restore one that was merged.
  if (contact.is_merged)
    return {
      problem: `${contact.name} was merged into a contact that Foyer does not know. Choose another one for the property.`,
      fix,
      stops: false,
    }
  return {
    problem: `${contact.name} was no longer in use when Foyer last looked. Restore this contact in the books, or choose another one.`,
    fix,
    stops: false,
  }
}

/** The line's text for an accountant: who, when, how much, and why. */
function described({
  property_name,
  month,
  kind,
  unit_days,
  days_in_month,
  rate_per_unit,
  reason,
}: LineToSend): string {
  const head = `${property_name}, ${monthName(month)}`
  if (kind === 'correction') return `${head}, correction. ${reason}`
  const rate = rate_per_unit === null ? '' : ` at ${rate_per_unit} a unit and month`
  return `${head}: ${unit_days} unit nights of a month of ${days_in_month} days${rate}. ${reason}`
}

const isNothing = (amount: string) => !/[1-9]/.test(amount)

/** The drafts that a push of an approved run would send now, and those that it could not send. */
export async function planDrafts(scope: Scope, run_id: number): Promise<Planned[]> {
  const lines = await linesToSend(scope, run_id)
  const known = { contacts: await contactsOf(scope, lines), connections: await connectionsOf(scope) }
  const addressed = lines.map((line) => {
    const contact = contactOf(line, known)
    const connection = contact ? (known.connections.get(contact.accounting_integration_id) ?? null) : null
    return { line, contact, connection, obstacle: problemOf(line, contact, connection) }
  })
  const draftOf = ({ line, contact, connection, obstacle }: (typeof addressed)[number]) => {
    const for_all = !obstacle?.stops && connection?.invoice_per === 'contact'
    return [
      for_all ? '' : `${line.property_id} ${line.property_name}`,
      contact?.id,
      line.currency,
      obstacle?.problem,
    ].join()
  }
  return [...Map.groupBy(addressed, draftOf).values()].flatMap((of) => {
    const [first] = of
    return first
      ? [
          planned(
            first,
            of.map(({ line }) => line),
          ),
        ]
      : []
  })
}

function planned(
  {
    line: { currency },
    contact,
    connection,
    obstacle,
  }: Pick<Planned, 'contact' | 'connection' | 'obstacle'> & { line: LineToSend },
  lines: readonly LineToSend[],
): Planned {
  const amount = sumOf(lines.map((line) => line.amount))
  const kind = amount.startsWith('-') ? 'credit_note' : 'invoice'
  const expected = lines.map((line) => roundedTo(line.amount, provider_places))
  const properties = new Map(
    lines.map(({ property_id, property_name }) => [
      property_id ?? property_name,
      { id: property_id, name: property_name },
    ]),
  )
  return {
    lines: lines.map((line) => ({
      id: line.id,
      description: described(line),
      amount: kind === 'invoice' ? line.amount : negative(line.amount),
    })),
    properties: [...properties.values()],
    contact,
    connection,
    currency,
    kind,
    amount,
    amount_expected: amountText(sumOf(expected), currency),
    obstacle:
      isNothing(amount) && !obstacle?.stops ? stop('The total is zero, so no draft is needed.', null) : obstacle,
  }
}

/** Stores the drafts to be sent, in the caller's transaction; a job sends them. */
export async function keepDrafts(scope: Scope, run_id: number, drafts: readonly Planned[]): Promise<void> {
  const [{ today } = { today: '' }] = await scope.run(sql<{ today: string }>`
    select local_day(app_now(), c.time_zone)::text as today from customers as c where c.id = ${scope.customer_id}`)
  for (const { contact, connection, properties, kind, currency, amount, lines, obstacle } of drafts) {
    if (obstacle?.stops || !contact || !connection) continue
    const [only, another] = properties
    const billing_invoice_id = await scope.insert('billing_invoices', {
      ...askedColumns(scope),
      billing_run_id: run_id,
      accounting_integration_id: connection.id,
      integration_type: connection.integration_type,
      tenant_id: connection.tenant_id,
      accounting_contact_id: contact.id,
      property_id: another ? null : only?.id,
      property_name: another ? null : only?.name,
      kind,
      currency,
      amount,
      account_code: connection.account_code,
      tax_type: connection.tax_type,
      dated_on: today,
    })
    await scope.insertMany(
      'billing_invoice_lines',
      lines.map(({ id, ...line }) => ({ billing_invoice_id, billing_line_id: id, ...line })),
    )
  }
}

/**
 * Prepares failed drafts for another try. Returns those that are none any more. A draft that the provider has certainly not accepted
 * is deleted, and planned again with
 * the present contact and settings; one that it may have accepted is looked up and sent unchanged, if its organisation is still
 * connected. From now on all that are not sent are asked for by the caller.
 */
export async function tryAgain(scope: Scope, run_id: number): Promise<number[]> {
  await scope.change(
    'billing_invoices',
    sql<boolean>`(t.billing_run_id = ${run_id} and t.state in ('waiting', 'failed'))`,
    askedColumns(scope),
  )
  const failed = sql<boolean>`(t.billing_run_id = ${run_id} and t.state = 'failed')`
  const gone = await scope.run(sql<ColumnsOf<'billing_invoices', 'id'>>`
    delete from billing_invoices as t where ${failed} and not t.is_unsure and ${scope.inReach('billing_invoices', 't')} returning t.id`)
  await scope.run(sql`
    update billing_invoices as t set state = 'waiting', attempts = 0, next_try_at = null, accounting_integration_id = i.id
    from accounting_integrations as i
    where i.customer_id = t.customer_id and i.integration_type = t.integration_type and i.tenant_id = t.tenant_id
      and ${scope.inReach('accounting_integrations', 'i')}
      and ${failed} and ${scope.inReach('billing_invoices', 't')}`)
  return gone.map(({ id }) => id)
}

/** Releases the lines of drafts that are gone from the books; the drafts are kept as a record. */
export async function releaseGone(scope: Scope, run_id: number): Promise<void> {
  const gone = sql<boolean>`(t.billing_run_id = ${run_id} and t.state = 'gone' and t.replaced_at is null)`
  const ids = await scope.change('billing_invoices', gone, { replaced_at: sql`now()` })
  await scope.change('billing_invoice_lines', sql<boolean>`t.billing_invoice_id = any(${ids})`, { released: true })
}
