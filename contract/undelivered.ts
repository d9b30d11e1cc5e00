// Undelivered: mails and text messages that could not be delivered: recipient, kind and reason.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { keysOf } from './keys.ts'
import { anyOf, byIds, count, done, id, listOf, moment, page } from './shapes.ts'

const { read, removal } = callsOf('undelivered')

const channels = ['mail', 'text'] as const

/** What a kind of message is called, and what somebody can do about one that was not delivered. */
interface MessageWords {
  title: string
  /** The advice, where the message cannot be sent again from the list. */
  remedy: string
  /** What `about_id` is an id of; of a sign-in at the desk nothing, but its guest can be looked for. */
  about?: 'accounts' | 'guest_help' | 'reports' | 'users' | 'voucher_batches'
  /** The advice where a new mail about that record can be sent: what the first one contained, such as a link, may have expired. */
  again?: string
  /** The advice for a text message in place of which a mail can be sent from the record. */
  by_mail?: string
}

const again = 'Send it again'

export const messageKinds = {
  invitation: { title: 'Invitation', remedy: 'Invite them again', about: 'users', again: `${again}, with a new link` },
  guest_sign_in: {
    title: 'Guest’s sign-in',
    remedy: `${again} from the account`,
    about: 'accounts',
    again,
    by_mail: 'Send it from the account, by mail',
  },
  voucher_codes: { title: 'Voucher codes', remedy: 'Send them again from the batch', about: 'voucher_batches', again },
  how_to_sign_in: { title: 'How to sign in', remedy: `${again} from Help a guest`, about: 'guest_help' },
  guest_code: { title: 'Code for a guest', remedy: 'The guest can ask for a new code: this one has expired' },
  report: { title: 'Report', remedy: `${again} from the report`, about: 'reports' },
  schedule_notice: {
    title: 'Notice of a schedule',
    remedy: 'The list of scheduled reports says so, too',
    about: 'reports',
  },
  receiver_question: {
    title: 'Question to a recipient',
    remedy: 'Check the address, and save the report with the right one',
  },
  password_reset: { title: 'New password', remedy: 'They can ask for a new link: this one has expired' },
  address_confirmation: {
    title: 'Address to confirm',
    remedy: 'They can ask for a new link, in the line at the top of every screen',
  },
  sign_in_notice: { title: 'Notice of a sign-in', remedy: 'It is not sent again; see the activity log' },
  other: { title: 'Message', remedy: 'Contact them in another way' },
} as const satisfies Record<string, MessageWords>
export type MessageKind = keyof typeof messageKinds
export const messageWords = (kind: MessageKind): MessageWords => messageKinds[kind]

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
