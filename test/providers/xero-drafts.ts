// Xero drafts: invoices and credit notes as Xero accepts, rounds, finds and refuses them, and as people delete, void and copy them
// there.
import { randomUUID } from 'node:crypto'
import type { ProviderRequest, Reply } from './provider-server.ts'

export interface XeroContact {
  ContactID: string
  Name?: string
  FirstName?: string
  LastName?: string
  EmailAddress?: string
  ContactStatus: string
  IsCustomer?: boolean
  IsSupplier?: boolean
  MergedToContactID?: string
  /** When it last changed. */
  at: Date
}
export interface XeroOrganisation {
  tenantId: string
  name: string
  connected: boolean
  contacts: XeroContact[]
  currencies: string[]
  lock_date: string | null
}

interface Line {
  Description?: string
  Quantity?: number | string
  UnitAmount?: number | string
  LineAmount?: number
  AccountCode?: string
  TaxType?: string
}
export interface Draft {
  Type: string
  Contact?: { ContactID?: string }
  Date?: string
  Reference?: string
  CurrencyCode?: string
  Status?: string
  LineItems?: Line[]
  InvoiceID: string
  InvoiceNumber: string
  SubTotal: number
  TotalTax: number
  Total: number
}

const refused = (Message: string): Reply => ({
  status: 400,
  body: {
    ErrorNumber: 10,
    Type: 'ValidationException',
    Message: 'A validation exception occurred',
    Elements: [{ ValidationErrors: [{ Message }] }],
  },
})
const cents = (amount: number) => Math.round(amount * 100 + Math.sign(amount) * 1e-6) / 100

export function draftBooks() {
  const drafts: Draft[] = []
  const keys = new Map<string, { body: string; reply: Reply }>()

  /** Why it is refused, in Xero's words. */
  function reasonAgainst(given: Partial<Draft>, organisation: XeroOrganisation): string | null {
    const contact = organisation.contacts.find(({ ContactID }) => ContactID === given.Contact?.ContactID)
    if (!contact) return 'The Contact could not be found'
    if (contact.ContactStatus === 'ARCHIVED')
      return 'The contact is archived. It must be un-archived before creating new invoices.'
    if (given.Status !== 'DRAFT') return 'Status must be DRAFT in this test'
    if (given.CurrencyCode && !organisation.currencies.includes(given.CurrencyCode))
      return `Organisation is not subscribed to currency ${given.CurrencyCode}`
    if (organisation.lock_date && (given.Date ?? '') <= organisation.lock_date)
      return 'The document date cannot be before the period lock date'
    for (const { Quantity = 1, UnitAmount = 0, LineAmount } of given.LineItems ?? []) {
      const expected = cents(Number(Quantity) * Number(UnitAmount))
      if (LineAmount !== undefined && LineAmount !== expected)
        return `The line total ${LineAmount} does not match the expected line total ${expected}`
    }
    return (given.LineItems ?? []).length === 0 ? 'One or more line items must be specified' : null
  }

  function make(given: Partial<Draft>, kind: 'Invoices' | 'CreditNotes', organisation: XeroOrganisation): Reply {
    const against = reasonAgainst(given, organisation)
    if (against !== null) return refused(against)
    const lines = given.LineItems ?? []
    // Each line and its tax are rounded, and then summed.
    const amounts = lines.map(({ Quantity = 1, UnitAmount = 0 }) => cents(Number(Quantity) * Number(UnitAmount)))
    const taxes = lines.map(({ TaxType }, index) => (TaxType === 'OUTPUT2' ? cents((amounts[index] ?? 0) * 0.2) : 0))
    const sum = (values: number[]) => cents(values.reduce((total, value) => total + value, 0))
    const draft: Draft = {
      ...given,
      Type: given.Type ?? '',
      InvoiceID: randomUUID(),
      InvoiceNumber: `${kind === 'Invoices' ? 'INV' : 'CN'}-${String(drafts.length + 1).padStart(4, '0')}`,
      SubTotal: sum(amounts),
      TotalTax: sum(taxes),
      Total: sum([...amounts, ...taxes]),
    }
    drafts.push(draft)
    return { status: 200, body: { [kind]: [shown(draft, kind)] } }
  }

  const shown = ({ InvoiceID, InvoiceNumber, ...draft }: Draft, kind: string) =>
    kind === 'Invoices'
      ? { ...draft, InvoiceID, InvoiceNumber }
      : { ...draft, CreditNoteID: InvoiceID, CreditNoteNumber: InvoiceNumber }

  const named = (number: string) => {
    const found = drafts.find(({ InvoiceNumber }) => InvoiceNumber === number)
    if (!found) throw new Error(`there is no ${number}`)
    return found
  }

  return {
    drafts,
    /** What a person does with a draft in Xero. An approved one can only be voided; neither can be undone. */
    remove: (number: string, Status: 'DELETED' | 'VOIDED' = 'DELETED') => void Object.assign(named(number), { Status }),
    approve: (number: string) => void Object.assign(named(number), { Status: 'AUTHORISED' }),
    /** A copy has the same reference as the original. */
    copy(number: string) {
      const InvoiceNumber = `INV-${String(drafts.length + 1).padStart(4, '0')}`
      drafts.push({ ...named(number), InvoiceID: randomUUID(), InvoiceNumber, Status: 'DRAFT' })
    },
    answer(path: string, asked: ProviderRequest, organisation: XeroOrganisation): Reply {
      const kind = path === '/Invoices' ? 'Invoices' : path === '/CreditNotes' ? 'CreditNotes' : null
      if (kind === null) return { status: 404, text: 'The resource you are looking for cannot be found' }
      const type = kind === 'Invoices' ? 'ACCREC' : 'ACCRECCREDIT'
      if (asked.method === 'GET') {
        // Without a filter by status it answers all of them, including deleted and voided ones.
        const where = /^Reference=="[^"]*"( OR Reference=="[^"]*")*$/.exec(asked.query.get('where') ?? '')
        if (!where) return refused('The where clause is not understood by this stand-in')
        const references = [...where[0].matchAll(/"([^"]*)"/g)].map(([, reference]) => reference)
        const found = drafts.filter(({ Type, Reference }) => Type === type && references.includes(Reference))
        return { status: 200, body: { [kind]: found.map((draft) => shown(draft, kind)) } }
      }
      const key = asked.headers['idempotency-key']
      const before = typeof key === 'string' ? keys.get(key) : undefined
      if (before)
        return before.body === asked.body ? before.reply : refused('The idempotency key was used for another request')
      const body = JSON.parse(asked.body) as Record<string, Partial<Draft>[]>
      const [given] = body[kind] ?? []
      if (!given || given.Type !== type) return refused('Type is missing')
      const reply = make(given, kind, organisation)
      if (typeof key === 'string' && reply.status === 200) keys.set(key, { body: asked.body, reply })
      return reply
    },
  }
}
