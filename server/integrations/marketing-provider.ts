// Marketing provider: what a system that sends marketing to guests does for Foyer.
import type { Ask, Choices, Definition } from './provider.ts'

/** The account that the consent is for. */
export interface Account {
  tenant_id: string
  name: string
}

/** A guest who agreed. */
export interface Subscriber {
  email: string
  name: string | null
  language: string | null
  property: string | null
  agreed_at: Date
  ip: string | null
  /** The address is known to be theirs; otherwise the provider asks them to confirm it. */
  confirmed: boolean
  /** They were in the audience before, left, and have agreed again. */
  again: boolean
}

/** An unsubscribed person, as reported by the provider. */
export interface Left {
  subscriber_key: string
  at: Date | null
}

export interface MarketingProvider {
  definition: Definition
  account(ask: Ask): Promise<Account>
  audiences(ask: Ask, tenant_id: string): Promise<Choices>
  /** The provider's key of an address. */
  keyOf(email: string): string
  /** Returns the result: an unsubscribed person stays unsubscribed. */
  upsert(ask: Ask, tenant_id: string, audience_id: string, subscriber: Subscriber): Promise<'sent' | 'unsubscribed'>
  /** Those who have unsubscribed since, page by page. */
  unsubscribed(ask: Ask, tenant_id: string, audience_id: string, since: Date | null): AsyncIterable<Left[]>
  /** For withdrawn consent: they get no more mail, and may come back. */
  withdraw(ask: Ask, tenant_id: string, audience_id: string, subscriber_key: string): Promise<void>
  /** For erased guests. */
  erase(ask: Ask, tenant_id: string, audience_id: string, subscriber_key: string): Promise<void>
}
