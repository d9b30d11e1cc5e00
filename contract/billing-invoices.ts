// Billing invoices: what approved runs become in the accounting system, as drafts that an accountant looks at and approves there.
import { z } from 'zod'
import { decimal, OneBillingRun } from './billing-runs.ts'
import { callsOf } from './endpoint.ts'
import { anyOf, byId, count, currency, id, listOf, moment, named, page, ref } from './shapes.ts'

const { read, write } = callsOf('billing')

export const invoiceKinds = ['invoice', 'credit_note'] as const
/** `gone`: it was made, and deleted or voided in the books since. */
export const invoiceStates = ['waiting', 'sent', 'failed', 'gone'] as const
const fixes = ['contact', 'connection'] as const
export const goneWords = ['deleted', 'voided'] as const

/** No id: it was erased. */
const namedOnce = z.object({ id: id.nullable(), name: z.string() })
/** What stands the same on a draft that is to be sent and on one that was. */
const draft = {
  contact: named.nullable(),
  /** What is below zero is a credit note, and its amounts are below zero here: drafts that are not gone add up to their run. */
  kind: z.enum(invoiceKinds),
  currency,
  amount: decimal,
}
/** A draft as it would be sent. */
export const PlannedInvoice = z.object({
  /** Those whose lines it has: one, or all that the contact pays for. */
  properties: z.array(namedOnce),
  ...draft,
  /** What the provider will make of it, which has two places for every currency. */
  amount_expected: decimal,
  /** It is sent by the next push. */
  ready: z.boolean(),
  /** Why it is not, or what may stand in its way. */
  problem: z.string().nullable(),
  /** Where that is put right: at the property's contact, or at the connection. */
  fix: z.enum(fixes).nullable(),
})
/** A draft in the accounting system, or on its way there. */
export const BillingInvoice = z
  .object({
    id,
    billing_run_id: id,
    /** Null where the contact pays for several. */
    property: namedOnce.nullable(),
    /** How many properties it has lines of. */
    properties: count,
    ...draft,
    state: z.enum(invoiceStates),
    /** As the provider numbered it. */
    number: z.string().nullable(),
    /** Where it is in the provider's books. */
    url: z.string().nullable(),
    /** Without tax, as the provider reckoned: another than `amount` is a difference to be looked at. */
    amount_answered: decimal.nullable(),
    tax_answered: decimal.nullable(),
    /** Why it waits or has failed, and what to do. */
    error: z.string().nullable(),
    /** Of one that has failed: where that is put right, unless it is at the provider. */
    fix: z.enum(fixes).nullable(),
    /** What became of one that is gone. */
    gone_as: z.enum(goneWords).nullable(),
    /** When the lines of one that is gone were asked for anew: others have them now. */
    replaced_at: moment.nullable(),
    sent_at: moment.nullable(),
    created_at: moment,
  })
  .meta({ id: 'BillingInvoice' })

/** What the next push would send of an approved run, and what it could not. */
export const preview = read(
  '/billing-runs-push-preview',
  byId('billing_runs'),
  z.object({
    data: z.array(PlannedInvoice),
    meta: z.object({
      /** The accounting system's name: the connected one's, or of one that can be connected; null where there is none. */
      provider: z.string().nullable(),
      connected: z.boolean(),
    }),
  }),
)
/**
 * Makes drafts of an approved run in the accounting system, after the answer: one for each property or contact, as the connection
 * says. Asked again, it tries what has failed, and sends what could not be sent before; nothing is sent twice. `renew`: makes anew
 * what is known to be gone from the books, too.
 */
export const push = write(
  '/billing-runs-push',
  byId('billing_runs').extend({ renew: z.boolean().default(false) }),
  OneBillingRun,
)
/** Looks in the books which drafts of a run were deleted or voided there. Nothing is sent. */
export const check = write('/billing-runs-check', byId('billing_runs'), OneBillingRun)
export const list = read(
  '/billing-invoices',
  listOf(
    { state: anyOf(z.enum(invoiceStates)), kind: anyOf(z.enum(invoiceKinds)) },
    { billing_run_id: ref('billing_runs').optional() },
    ['-created_at', 'created_at'],
  ),
  page(BillingInvoice),
)
