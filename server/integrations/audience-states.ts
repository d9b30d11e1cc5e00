// Audience states: what each state in which a provider has a guest means here. Consent is changed by the person's act alone: only
// one who unsubscribed has withdrawn it.
import type { memberStates } from '#contract/marketing-integrations.ts'
import type { SubscriberState } from './marketing-provider.ts'

interface Meaning {
  state: (typeof memberStates)[number]
  withdraws: boolean
  /** What users read; null: all is well. */
  reason: (provider: string) => string | null
}

export const meanings: Record<SubscriberState, Meaning> = {
  subscribed: { state: 'sent', withdraws: false, reason: () => null },
  pending: {
    state: 'sent',
    withdraws: false,
    reason: (provider) => `${provider} has asked them by mail to confirm, and writes to them once they do.`,
  },
  unsubscribed: { state: 'unsubscribed', withdraws: true, reason: () => 'They unsubscribed.' },
  cleaned: {
    state: 'refused',
    withdraws: false,
    reason: (provider) =>
      `Mails to this address bounced, so ${provider} no longer sends any. Their consent stands: ask them for another address.`,
  },
  archived: {
    state: 'refused',
    withdraws: false,
    reason: (provider) =>
      `They are archived in the audience, so ${provider} no longer writes to them. Their consent stands: restore them there.`,
  },
  transactional: {
    state: 'refused',
    withdraws: false,
    reason: (provider) =>
      `They are in the audience, but not subscribed. Their consent stands: subscribe them at ${provider}.`,
  },
}
