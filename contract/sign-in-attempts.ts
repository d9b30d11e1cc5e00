// Sign-in attempts: who tried to get online and with what result, in words that the desk can repeat.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { keysOf } from './keys.ts'
import { anyOf, id, listOf, moment, named, page, ref } from './shapes.ts'

const { read } = callsOf('sign_in_attempts')

const mistyped = 'The name, code or password is not right. Check it for typing mistakes.'

/** The reasons, as shown to the guest. Those that would reveal somebody else's account or code share one sentence. */
export const attemptReasons = {
  accepted: 'Signed in.',
  gateway_disabled: 'The gateway of this network is disabled.',
  property_disabled: 'Guest Wi-Fi is switched off at this property.',
  device_unnamed: 'The gateway did not say which device is asking.',
  device_blocked: 'This device is not allowed on this network.',
  too_many_tries: 'Too many tries. Wait ten minutes, then try again.',
  unknown_user: mistyped,
  wrong_password: mistyped,
  wrong_property: mistyped,
  unknown_device: 'This device is new here. Sign in on the Wi-Fi page first.',
  not_offered: 'This network’s sign-in by EAP or MS-CHAP is not offered here. Sign in on the Wi-Fi page.',
  pass_over: 'That sign-in has expired. Go back to the Wi-Fi page and sign in again.',
  unconfirmed: 'The address is not confirmed yet. Open the link in our e-mail first.',
  no_more_messages: 'No more messages can be sent today. Sign in another way.',
  account_disabled: 'This account is disabled.',
  device_disabled: 'This device is disabled.',
  stay_over: 'This stay has ended.',
  batch_disabled: 'This batch of vouchers is disabled.',
  taken_back: 'This code was taken back.',
  package_disabled: 'The package behind this sign-in is disabled.',
  in_dispute: 'This Wi-Fi is not open to this room at present. Please ask at the desk.',
  not_yet_valid: 'This is not valid yet.',
  expired: 'This has expired.',
  time_used_up: 'The time is used up.',
  data_used_up: 'The data is used up.',
  device_limit: 'This is already in use on as many devices as it allows.',
  let_again: 'The desk lets this device try again.',
} as const
/** The sentences for the desk, where guests are only told that they have mistyped. */
export const deskReasons: Readonly<Record<string, string>> = {
  ...attemptReasons,
  wrong_property: 'This is for another property.',
  in_dispute: 'The bill of this stay is in dispute, and its package excludes such guests.',
}
export type AttemptReason = keyof typeof attemptReasons
const reason = z.enum(keysOf(attemptReasons))

export const SignInAttemptRow = z
  .object({
    id: z.int().min(1),
    created_at: moment,
    /** What the guest signed in with: a user name, a code, a device. Callers who may not hand out codes see only the end of a code. */
    identifier: z.string().nullable(),
    mac_address: z.string().nullable(),
    property: named.nullable(),
    gateway: named.nullable(),
    auth_method: named.nullable(),
    accepted: z.boolean(),
    reason,
    message: z.string(),
  })
  .meta({ id: 'SignInAttempt' })

/** The labels of its fields. */
export const fields = fieldsOf([SignInAttemptRow], {
  identifier: 'Tried with',
  accepted: 'Result',
  message: 'What was said',
  created_at: 'When',
  auth_method: 'By',
})

export const list = read(
  '/sign-in-attempts',
  listOf(
    {
      accepted: anyOf(z.boolean()),
      reason: anyOf(reason),
      property_id: anyOf(id),
      group_id: anyOf(id),
      auth_method_id: anyOf(id),
    },
    { property_id: ref('properties').optional(), group_id: ref('groups').optional() },
  ),
  page(SignInAttemptRow),
)
