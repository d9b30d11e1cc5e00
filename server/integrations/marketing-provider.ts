// Marketing provider: what a system that writes to guests does for Foyer.
import type { Ask, Choices, Definition } from './provider.ts'

/** Whom the consent is of. */
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
  /** The address is known to be theirs; else the provider asks them first. */
  confirmed: boolean
  /** They were in the audience before, left, and have agreed anew. */
  again: boolean
}

/** An unsubscribed person, as the provider tells it. */
export interface Left {
  subscriber_key: string
  at: Date | null
}

export interface MarketingProvider {
  definition: Definition
  account(ask: Ask): Promise<Account>
  audiences(ask: Ask, tenant_id: string): Promise<Choices>
  /** What the provider knows an address by. */
  keyOf(email: string): string
  /** Answers what became of them: an unsubscribed person stays so. */
  upsert(ask: Ask, tenant_id: string, audience_id: string, subscriber: Subscriber): Promise<'sent' | 'unsubscribed'>
  /** Page after page, who has unsubscribed since. */
  unsubscribed(ask: Ask, tenant_id: string, audience_id: string, since: Date | null): AsyncIterable<Left[]>
  /** They withdrew their consent: they are written to no more, and may come back. */
  withdraw(ask: Ask, tenant_id: string, audience_id: string, subscriber_key: string): Promise<void>
  /** They were erased. */
  erase(ask: Ask, tenant_id: string, audience_id: string, subscriber_key: string): Promise<void>
}
