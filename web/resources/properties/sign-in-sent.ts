// Sign-in sent: by what the guests of a property get the username and password of a new account.
import type { Fact } from '#web/ui/facts.tsx'

export const signInSentFact = (of: { send_email?: unknown; send_sms?: unknown }): Fact => [
  'New accounts’ sign-in sent by',
  [of.send_email && 'E-mail', of.send_sms && 'SMS'].filter(Boolean).join(' and '),
  'Not sent',
]
