// Marketing provider: what a system that sends marketing to guests does for Foyer.
import type { Ask } from '#server/connections/provider.ts'
import type { Choices, IntegrationDefinition } from '#server/integrations/definition.ts'

/** The account that the consent is for. */
export interface MarketingAccount {
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
  /** They were sent before, and are to have their present name. */
  known: boolean
}

/** In the words of the provider whose words are the most. One that was removed there is not known any more, and can be sent anew. */
export const subscriberStates = [
  'subscribed',
  'pending',
  'unsubscribed',
  'cleaned',
  'archived',
  'transactional',
] as const
export type SubscriberState = (typeof subscriberStates)[number]

/** `at`: when they unsubscribed, if it was before they were sent; null: since then. */
export interface FoundSubscriber {
  state: SubscriberState
  at: Date | null
}

/** Somebody whose state has changed, as reported by the provider. */
export interface Changed {
  subscriber_key: string
  at: Date | null
}

/** A record of the audience. */
export interface Contact {
  /** Where a person sees it there. */
  page: string | null
}

export interface AskedAudience {
  ask: Ask
  tenant_id: string
  audience_id: string
}

export interface MarketingProvider {
  definition: IntegrationDefinition
  account(ask: Ask): Promise<MarketingAccount>
  audiences(ask: Ask, tenant_id: string): Promise<Choices>
  /** The provider's key of an address. */
  keyOf(email: string): string
  /** Returns the state that they are in then: an unsubscribed person stays unsubscribed, and is not touched. */
  upsert(audience: AskedAudience, subscriber: Subscriber): Promise<FoundSubscriber>
  /** As many as `add` takes at once. */
  readonly added_max: number
  /** Adds those whom the audience does not have, by their keys; whoever is not in the answer is left to `upsert`. */
  add(audience: AskedAudience, all: readonly Subscriber[]): Promise<Map<string, SubscriberState>>
  /** Those in a state whose record has changed since, page by page. */
  inState(audience: AskedAudience, state: SubscriberState, since: Date | null): AsyncIterable<Changed[]>
  /** For withdrawn consent: they get no more mail, and may come back. */
  withdraw(audience: AskedAudience, subscriber_key: string): Promise<void>
  /** For erased guests, for good: one who is not there, or was erased before, is. */
  erase(audience: AskedAudience, subscriber_key: string): Promise<void>
  /** Null: they are not there, or were erased. */
  find(audience: AskedAudience, subscriber_key: string): Promise<Contact | null>
}
