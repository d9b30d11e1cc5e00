// Undelivered: mails and text messages that could not be delivered: recipient, kind and reason.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { keysOf } from './keys.ts'
import { anyOf, byIds, count, done, id, listOf, moment, page } from './shapes.ts'

const { read, removal } = callsOf('undelivered')

const channels = ['mail', 'text'] as const

/**
 * The kind of a message, in words. `about_id` is the user of an invitation, the account of a guest’s sign-in, the batch of codes, or
 * the report, also of a notice about its schedule; others have none.
 */
export const messageKinds = {
  invitation: 'Invitation',
  guest_sign_in: 'Guest’s sign-in',
  voucher_codes: 'Voucher codes',
  how_to_sign_in: 'How to sign in',
  guest_code: 'Code for a guest',
  report: 'Report',
  schedule_notice: 'Notice of a schedule',
  receiver_question: 'Question to a recipient',
  password_reset: 'New password',
  address_confirmation: 'Address to confirm',
  sign_in_notice: 'Notice of a sign-in',
  other: 'Message',
} as const
export type MessageKind = keyof typeof messageKinds

/** The reason, in words; `late`: the code or link in it had expired. */
export const undeliveredReasons = {
  nobody: 'Nobody has this address or number.',
  refused: 'The service that sends our messages refused it.',
  unreachable: 'It could not be handed over to the service that sends our messages.',
  late: 'It expired before it could be delivered.',
  taken_back: 'It was not sent: the person who asked for it, or what it was about, no longer exists.',
} as const
export type UndeliveredReason = keyof typeof undeliveredReasons

const oneOf = <N extends string>(names: Record<N, unknown>) => z.enum(keysOf(names))

/** The content of a message is not stored. */
export const UndeliveredRow = z
  .object({
    id,
    channel: z.enum(channels),
    /** An e-mail address, or a number in E.164. */
    recipient: z.string(),
    recipient_name: z.string().nullable(),
    kind: oneOf(messageKinds),
    about_id: id.nullable(),
    why: oneOf(undeliveredReasons),
    message: z.string(),
    /** Number of attempts. */
    attempts: count,
    written_at: moment,
    /** When delivery was given up. */
    created_at: moment,
  })
  .meta({ id: 'Undelivered' })

/** The labels of its fields. */
export const fields = fieldsOf([UndeliveredRow], {
  recipient: 'To',
  recipient_name: 'Name',
  channel: 'By',
  kind: 'What',
  message: 'Why',
  attempts: 'Tries',
  written_at: 'Written',
  created_at: 'Given up',
})

/** Those of the last days, without messages that have been sent again about the same thing. */
export const list = read(
  '/undelivered',
  listOf({ channel: anyOf(z.enum(channels)), kind: anyOf(oneOf(messageKinds)), why: anyOf(oneOf(undeliveredReasons)) }),
  page(UndeliveredRow),
)
/** Marks them as dealt with. */
export const dismiss = removal('/undelivered-delete', byIds('undelivered'), done)
