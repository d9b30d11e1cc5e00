// Undelivered: mails and text messages that could not be delivered: to whom, of what kind, and why.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { anyOf, byIds, count, done, id, listOf, moment, page } from './shapes.ts'

const { read, removal } = callsOf('undelivered')

const channels = ['mail', 'text'] as const

/** What a message is; where it is about a record, `about_id` is one of these. */
export const messageKinds = {
  invitation: { label: 'Invitation', about: 'users' },
  guest_sign_in: { label: 'Guest’s sign-in', about: 'accounts' },
  voucher_codes: { label: 'Voucher codes', about: 'voucher_batches' },
  how_to_sign_in: { label: 'How to sign in', about: null },
  guest_code: { label: 'Code for a guest', about: null },
  report: { label: 'Report', about: 'reports' },
  password_reset: { label: 'New password', about: null },
  address_confirmation: { label: 'Address to confirm', about: null },
  sign_in_notice: { label: 'Notice of a sign-in', about: null },
  other: { label: 'Message', about: null },
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
