// Xero's drafts: invoices and credit notes that an accountant reviews and approves there.
//
// Xero rounds each line to two places and calculates with the rounded values, so each line has a quantity of one at the amount that
// we bill, and its description explains the amount. A total of ours would only be refused where Xero rounds differently.
import { z } from 'zod'
import type { Books, Draft, Drafted, DraftKind, Gone } from '#server/integrations/accounting-provider.ts'
import { ProviderFailure, readAnswer, type Ask, type Fix } from '#server/connections/provider.ts'
import { callXero, inOrganisation } from './requests.ts'
import { definition } from './definition.ts'

const description_chars_max = 4000
/** As many as fit into a URL, and with copies into one page of an answer. */
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

/** How each kind is requested, read and opened. */
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

/** Opens in the draft's own organisation, even if the accountant last used another one. */
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

/** Xero's answers include deleted and voided drafts. A copy made by an accountant has the reference of the original. */
export async function findDrafts(ask: Ask, books: Books, kind: DraftKind, references: readonly string[]) {
  const found = new Map<string, Drafted>()
  const headers = inOrganisation(books.tenant_id)
  for (let from = 0; from < references.length; from += references_per_call) {
    const asked = references.slice(from, from + references_per_call)
    const query = new URLSearchParams({ where: asked.map((one) => `Reference=="${one}"`).join(' OR ') })
    for (const one of kinds[kind].read(await callXero(ask, `${kinds[kind].path}?${query.toString()}`, { headers }))) {
      const drafted = asDrafted(books, kind, one)
      const reference = one.Reference ?? ''
      const is_found = found.get(reference)?.gone === null
      if (asked.includes(reference) && !is_found) found.set(reference, drafted)
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
  // Four places, so that amounts of currencies with three places are not rounded.
  const [found] = read(await withAdvice(draft, callXero(ask, `${path}?unitdp=4`, call)))
  if (!found) throw new ProviderFailure('later', 'Xero did not say what became of it.')
  return asDrafted(books, draft.kind, found)
}

/** Advice for users about a refusal, by Xero's messages. */
const advice: [RegExp, (draft: Draft) => string, Fix?][] = [
  [
    /archived/i,
    () => 'This contact is archived in Xero. Restore it there, or choose another one for the property.',
    'contact',
  ],
  [/contact.*not be found/i, () => 'Xero no longer has this contact. Choose another one for the property.', 'contact'],
  [
    /subscribed to currency|currency.*(invalid|not enabled)/i,
    ({ currency }) => `This organisation does not use ${currency}. Add ${currency} to its currencies in Xero.`,
  ],
  [/lock date/i, () => 'The books are locked for this date. Move the lock date in Xero.'],
  [/account code/i, () => 'Xero does not accept this account. Choose another one at the connection.', 'connection'],
  [
    /tax type|tax rate/i,
    () => 'Xero does not accept this tax rate. Choose another one at the connection.',
    'connection',
  ],
]

async function withAdvice<R>(draft: Draft, work: Promise<R>): Promise<R> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.failing !== 'refused') throw error
    const [, explain, fix] = advice.find(([words]) => words.test(error.message)) ?? []
    throw new ProviderFailure(
      'refused',
      explain ? `${explain(draft)} Then try again.` : error.message,
      fix ? { fix } : {},
    )
  }
}
