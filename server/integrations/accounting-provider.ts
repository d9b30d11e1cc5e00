// Accounting provider: what a system that writes invoices does for Foyer, in the words of the trade.
import type { Ask, Choices, Definition } from './provider.ts'

export interface Organisation {
  organisation_id: string
  name: string
  accounts: Choices
  tax_types: Choices
  /** What a link into its books begins with, where the provider has such a word. */
  short_code: string | null
}

/** Status and type in the provider's words, in small letters. */
export interface ProvidersContact {
  external_id: string
  name: string | null
  first_name: string | null
  last_name: string | null
  email_address: string | null
  status: string | null
  type: string | null
  /** Whose place it has in future, where two became one. */
  merged_into: string | null
}

export type DraftKind = 'invoice' | 'credit_note'

/** What is drafted. Amounts are without tax and above zero on a credit note, too; a line of either may be below. */
export interface Draft {
  kind: DraftKind
  contact: string
  /** `2026-10-31`. */
  dated_on: string
  currency: string
  /** Ours, by which it is found again. */
  reference: string
  /** Sent again with the same words, it makes nothing further. */
  idempotency_key: string
  account_code: string | null
  /** Null: the provider decides by its contact and account. */
  tax_type: string | null
  lines: { description: string; amount: string }[]
}

/** As the provider has it. Amounts are decimals in its own places. */
export interface Drafted {
  external_id: string
  number: string | null
  url: string
  amount: string
  tax: string
  /** What became of it, where it is for nobody to pay any more. Neither is ever taken back. */
  gone: Gone | null
}
export type Gone = 'deleted' | 'voided'

/** The organisation whose books are meant. */
export interface Books {
  tenant_id: string
  short_code: string | null
}

export interface AccountingProvider {
  definition: Definition
  /** The organisations that the consent is good for, by the id that each of their calls names. */
  organisations(ask: Ask): Promise<Choices>
  organisation(ask: Ask, tenant_id: string): Promise<Organisation>
  /** Whatever became of them since, drafts are found by their references; of several with one reference, one that stands. */
  findDrafts(ask: Ask, books: Books, kind: DraftKind, references: readonly string[]): Promise<Map<string, Drafted>>
  makeDraft(ask: Ask, books: Books, draft: Draft): Promise<Drafted>
  /** Page after page, those that have changed since. */
  contacts(ask: Ask, tenant_id: string, since: Date | null): AsyncIterable<ProvidersContact[]>
}
