// Accounting provider: what a system that writes invoices does for Foyer, in the words of the trade.
import type { Ask, Choices, Definition } from './provider.ts'

export interface Organisation {
  organisation_id: string
  name: string
  accounts: Choices
  tax_types: Choices
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

export interface AccountingProvider {
  definition: Definition
  /** The organisations that the consent is good for, by the id that each of their calls names. */
  organisations(ask: Ask): Promise<Choices>
  organisation(ask: Ask, tenant_id: string): Promise<Organisation>
  /** Page after page, those that have changed since. */
  contacts(ask: Ask, tenant_id: string, since: Date | null): AsyncIterable<ProvidersContact[]>
}
