// Billing invoices: approved runs in the accounting system, as drafts that an accountant reviews and approves there.
import { z } from 'zod'
import { decimal, OneBillingRun } from './billing-runs.ts'
import { callsOf } from './endpoint.ts'
import { anyOf, byId, count, currency, id, listOf, moment, named, page, ref } from './shapes.ts'

const { read, write } = callsOf('billing')

export const invoiceKinds = ['invoice', 'credit_note'] as const
/** `gone`: it was made, and has been deleted or voided in the books since. */
export const invoiceStates = ['waiting', 'sent', 'failed', 'gone'] as const
const fixes = ['contact', 'connection'] as const
export const goneWords = ['deleted', 'voided'] as const

/** No id: the property was erased. */
const namedOnce = z.object({ id: id.nullable(), name: z.string() })
/** The fields that drafts to be sent and drafts already sent have in common. */
const draft = {
  contact: named.nullable(),
  /** A negative draft is a credit note, and its amounts are negative here, so that the drafts that are not gone add up to their run. */
  kind: z.enum(invoiceKinds),
  currency,
  amount: decimal,
}
/** A draft as it would be sent. */
export const PlannedInvoice = z.object({
  /** The properties whose lines it contains: one, or all that the contact pays for. */
  properties: z.array(namedOnce),
  ...draft,
  /** The provider's amount: it uses two decimal places for every currency. */
  amount_expected: decimal,
  /** The next push sends it. */
  ready: z.boolean(),
  /** Why it is not sent, or what may prevent it. */
  problem: z.string().nullable(),
  /** Where that is fixed: at the property's contact, or at the connection. */
  fix: z.enum(fixes).nullable(),
})
/** A draft in the accounting system, or on its way there. */
export const BillingInvoice = z
  .object({
    id,
    billing_run_id: id,
    /** Null if the contact pays for several. */
    property: namedOnce.nullable(),
    /** Number of properties it has lines for. */
    properties: count,
    ...draft,
    state: z.enum(invoiceStates),
    /** The provider's number. */
    number: z.string().nullable(),
    /** Where it is in the provider's books. */
    url: z.string().nullable(),
    /** Without tax, as calculated by the provider; a difference from `amount` needs checking. */
    amount_answered: decimal.nullable(),
    tax_answered: decimal.nullable(),
    /** Why it is waiting or has failed, and what to do. */
    error: z.string().nullable(),
    /** For a failed one: where to fix it, unless that is at the provider. */
    fix: z.enum(fixes).nullable(),
    /** For one that is gone: what happened to it. */
    gone_as: z.enum(goneWords).nullable(),
    /** For one that is gone: when its lines were requested again; other drafts have them now. */
    replaced_at: moment.nullable(),
    sent_at: moment.nullable(),
    created_at: moment,
  })
  .meta({ id: 'BillingInvoice' })

/** What the next push would send of an approved run, and what it could not send. */
export const preview = read(
  '/billing-runs-push-preview',
  byId('billing_runs'),
  z.object({
    data: z.array(PlannedInvoice),
    meta: z.object({
      /** The name of the connected accounting system, else of one that can be connected; null if there is none. */
      provider: z.string().nullable(),
      connected: z.boolean(),
    }),
  }),
)
/**
 * Creates the drafts of an approved run in the accounting system, after the answer: one per property or per contact, depending on the
 * connection. Called again, it retries failed drafts and sends what could not be sent before; nothing is sent twice. `renew`: also
 * recreates drafts that are known to be gone from the books.
 */
export const push = write(
  '/billing-runs-push',
  byId('billing_runs').extend({ renew: z.boolean().default(false) }),
  OneBillingRun,
)
/** Checks in the books which drafts of a run were deleted or voided there. Sends nothing. */
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
