// Xero's drafts: invoices and credit notes that an accountant looks at and approves there.
//
// Xero rounds each line to two places and reckons with what it has rounded, so a line is one of the amount that we bill, and how
// that came about stands in its description. A sum of ours for it to check would only be refused where it rounds otherwise.
import { z } from 'zod'
import type { Books, Draft, Drafted, DraftKind, Gone } from '#server/integrations/accounting-provider.ts'
import { ProviderFailure, readAnswer, type Ask, type Fix } from '#server/integrations/provider.ts'
import { askXero, inOrganisation } from './ask.ts'
import { definition } from './definition.ts'

const description_chars_max = 4000
/** What fits an address, and one page of an answer, copies included. */
const references_per_call = 20

const shared = {
  SubTotal: z.number(),
  TotalTax: z.number(),
  Status: z.string().nullish(),
  Reference: z.string().nullish(),
}
const Invoices = z.object({
  Invoices: z.array(z.object({ ...shared, InvoiceID: z.string().min(1), InvoiceNumber: z.string().nullish() })),
})
const CreditNotes = z.object({
  CreditNotes: z.array(
    z.object({ ...shared, CreditNoteID: z.string().min(1), CreditNoteNumber: z.string().nullish() }),
  ),
})

/** How each kind is asked for, read and opened. */
const kinds = {
  invoice: {
    path: '/api.xro/2.0/Invoices',
    of: 'Invoices',
    type: 'ACCREC',
    page: (id: string) => `/AccountsReceivable/Edit.aspx?InvoiceID=${id}`,
    read: (answer: Parameters<typeof readAnswer>[2]) =>
      readAnswer(definition.name, Invoices, answer).Invoices.map(({ InvoiceID, InvoiceNumber, ...of }) => ({
        ...of,
        id: InvoiceID,
        number: InvoiceNumber,
      })),
  },
  credit_note: {
    path: '/api.xro/2.0/CreditNotes',
    of: 'CreditNotes',
    type: 'ACCRECCREDIT',
    page: (id: string) => `/AccountsReceivable/EditCreditNote.aspx?creditNoteID=${id}`,
    read: (answer: Parameters<typeof readAnswer>[2]) =>
      readAnswer(definition.name, CreditNotes, answer).CreditNotes.map(({ CreditNoteID, CreditNoteNumber, ...of }) => ({
        ...of,
        id: CreditNoteID,
        number: CreditNoteNumber,
      })),
  },
}

/** Opens in the organisation that it is of, whichever the accountant has looked at last. */
function addressOf({ short_code }: Books, page: string): string {
  if (short_code === null) return `https://go.xero.com${page}`
  const query = new URLSearchParams({ shortcode: short_code, redirecturl: page })
  return `https://go.xero.com/organisationlogin/default.aspx?${query.toString()}`
}

const gone = new Map<string, Gone>([
  ['DELETED', 'deleted'],
  ['VOIDED', 'voided'],
])

function asDrafted(
  books: Books,
  kind: DraftKind,
  { id, number, SubTotal, TotalTax, Status }: ReturnType<(typeof kinds)[DraftKind]['read']>[number],
): Drafted {
  return {
    external_id: id,
    number: number || null,
    url: addressOf(books, kinds[kind].page(id)),
    amount: String(SubTotal),
    tax: String(TotalTax),
    gone: gone.get(Status ?? '') ?? null,
  }
}

/** Xero answers what was deleted or voided, too. A draft that an accountant copied has the reference of the first. */
export async function findDrafts(ask: Ask, books: Books, kind: DraftKind, references: readonly string[]) {
  const found = new Map<string, Drafted>()
  const headers = inOrganisation(books.tenant_id)
  for (let from = 0; from < references.length; from += references_per_call) {
    const asked = references.slice(from, from + references_per_call)
    const query = new URLSearchParams({ where: asked.map((one) => `Reference=="${one}"`).join(' OR ') })
    for (const one of kinds[kind].read(await askXero(ask, `${kinds[kind].path}?${query.toString()}`, { headers }))) {
      const drafted = asDrafted(books, kind, one)
      const reference = one.Reference ?? ''
      const stands = found.get(reference)?.gone === null
      if (asked.includes(reference) && !stands) found.set(reference, drafted)
    }
  }
  return found
}

export async function makeDraft(ask: Ask, books: Books, draft: Draft): Promise<Drafted> {
  const { path, of, type, read } = kinds[draft.kind]
  const made = {
    Type: type,
    Status: 'DRAFT',
    Contact: { ContactID: draft.contact },
    Date: draft.dated_on,
    Reference: draft.reference,
    CurrencyCode: draft.currency,
    LineAmountTypes: 'Exclusive',
    LineItems: draft.lines.map(({ description, amount }) => ({
      Description: description.slice(0, description_chars_max),
      Quantity: 1,
      UnitAmount: Number(amount),
      ...(draft.account_code === null ? {} : { AccountCode: draft.account_code }),
      ...(draft.tax_type === null ? {} : { TaxType: draft.tax_type }),
    })),
  }
  const headers = {
    ...inOrganisation(books.tenant_id),
    'content-type': 'application/json',
    'idempotency-key': draft.idempotency_key,
  }
  const call = { method: 'PUT' as const, headers, body: JSON.stringify({ [of]: [made] }) }
  // Four places, so that the amount of a currency with three comes as it is.
  const [found] = read(await withAdvice(draft, askXero(ask, `${path}?unitdp=4`, call)))
  if (!found) throw new ProviderFailure('later', 'Xero did not say what became of it.')
  return asDrafted(books, draft.kind, found)
}

/** What a person does about a refusal, by Xero's words. */
const advice: [RegExp, (draft: Draft) => string, Fix?][] = [
  [
    /archived/i,
    () => 'This contact is archived in Xero. Restore it there, or choose another one for the property.',
    'contact',
  ],
  [
    /contact.*not be found/i,
    () => 'Xero does not have this contact any more. Choose another one for the property.',
    'contact',
  ],
  [
    /subscribed to currency|currency.*(invalid|not enabled)/i,
    ({ currency }) => `This organisation does not use ${currency}. Add ${currency} to its currencies in Xero.`,
  ],
  [/lock date/i, () => 'The books are locked for this date. Move the lock date in Xero.'],
  [/account code/i, () => 'Xero does not take the account. Choose another one at the connection.', 'connection'],
  [/tax type|tax rate/i, () => 'Xero does not take the tax rate. Choose another one at the connection.', 'connection'],
]

async function withAdvice<R>(draft: Draft, work: Promise<R>): Promise<R> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.failing !== 'refused') throw error
    const [, say, fix] = advice.find(([words]) => words.test(error.message)) ?? []
    throw new ProviderFailure('refused', say ? `${say(draft)} Then try again.` : error.message, fix ? { fix } : {})
  }
}
