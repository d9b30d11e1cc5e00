// Accounting provider: what an accounting system does for Foyer, in the terms of accounting.
import type { Ask } from '#server/connections/provider.ts'
import type { Choices, IntegrationDefinition } from '#server/integrations/definition.ts'

export interface Organisation {
  organisation_id: string
  name: string
  accounts: Choices
  tax_types: Choices
  /** The beginning of links into its books, if the provider has one. */
  short_code: string | null
}

/** Status and type are the provider's, in lower case. */
export interface ProvidersContact {
  external_id: string
  name: string | null
  first_name: string | null
  last_name: string | null
  email_address: string | null
  status: string | null
  type: string | null
  /** The contact that replaces this one after a merge. */
  merged_into: string | null
}

export type DraftKind = 'invoice' | 'credit_note'

/** A draft to be made. Its total is without tax and positive, on a credit note, too; single lines may be negative. */
export interface Draft {
  kind: DraftKind
  contact: string
  /** `2026-10-31`. */
  dated_on: string
  currency: string
  /** Our reference, by which it is found again. */
  reference: string
  /** The same request sent again makes no second draft. */
  idempotency_key: string
  account_code: string | null
  /** Null: the provider decides by its contact and account. */
  tax_type: string | null
  lines: { description: string; amount: string }[]
}

/** A draft as the provider has it. Amounts are decimals with the provider's places. */
export interface Drafted {
  external_id: string
  number: string | null
  url: string
  amount: string
  tax: string
  /** Set where nobody has to pay it any more. Neither state is ever undone. */
  gone: Gone | null
}
export type Gone = 'deleted' | 'voided'

/** The books of an organisation. */
export interface Books {
  tenant_id: string
  short_code: string | null
}

export interface AccountingProvider {
  definition: IntegrationDefinition
  /** The organisations that the consent covers, by the id that calls about them need. */
  organisations(ask: Ask): Promise<Choices>
  organisation(ask: Ask, tenant_id: string): Promise<Organisation>
  /** Finds drafts by their references, whatever their state; of several with one reference, one that is not gone. */
  findDrafts(ask: Ask, books: Books, kind: DraftKind, references: readonly string[]): Promise<Map<string, Drafted>>
  makeDraft(ask: Ask, books: Books, draft: Draft): Promise<Drafted>
  /** The contacts that have changed since, page by page. */
  contacts(ask: Ask, tenant_id: string, since: Date | null): AsyncIterable<ProvidersContact[]>
}
