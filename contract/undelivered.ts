// Undelivered: mails and text messages that could not be delivered: to whom, of what kind, and why.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { anyOf, byIds, count, done, id, listOf, moment, page } from './shapes.ts'

const { read, removal } = callsOf('undelivered')

const channels = ['mail', 'text'] as const

/**
 * What a message is, in words. `about_id` is the user of an invitation, the account of a guest’s sign-in, the batch of codes, the
 * report; of others there is none.
 */
export const messageKinds = {
  invitation: 'Invitation',
  guest_sign_in: 'Guest’s sign-in',
  voucher_codes: 'Voucher codes',
  how_to_sign_in: 'How to sign in',
  guest_code: 'Code for a guest',
  report: 'Report',
  password_reset: 'New password',
  address_confirmation: 'Address to confirm',
  sign_in_notice: 'Notice of a sign-in',
  other: 'Message',
} as const
export type MessageKind = keyof typeof messageKinds

/** Why, in words; `late`: the code or link in it had run out. */
export const undeliveredReasons = {
  nobody: 'Nobody has this address or number.',
  refused: 'It was refused where messages are handed in.',
  unreachable: 'Where messages are handed in could not be reached.',
  late: 'What it said had run out before it could be delivered.',
} as const
export type UndeliveredReason = keyof typeof undeliveredReasons

const oneOf = <N extends string>(names: Record<N, unknown>) => z.enum(Object.keys(names) as [N, ...N[]])

/** What a message said is nowhere kept. */
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
    /** How often it was tried. */
    attempts: count,
    written_at: moment,
    /** When it was given up. */
    created_at: moment,
  })
  .meta({ id: 'Undelivered' })

/** What people call its fields. */
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

/** Of the last days; one that is written again about the same is no longer here. */
export const list = read(
  '/undelivered',
  listOf({ channel: anyOf(z.enum(channels)), kind: anyOf(oneOf(messageKinds)), why: anyOf(oneOf(undeliveredReasons)) }),
  page(UndeliveredRow),
)
/** Somebody has seen to them. */
export const dismiss = removal('/undelivered-delete', byIds('undelivered'), done)
