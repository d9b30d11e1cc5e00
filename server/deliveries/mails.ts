// Mails: the channel of mails, and the ways to send one: requested by a user, requested by a guest, caused by a list, or a notice about
// somebody's own sign-in.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { isTakenOff } from '#contract/taken-off.ts'
import { tooMany } from '#server/errors/refused.ts'
import { readSealed } from '#server/files/sealed-files.ts'
import type { Storage } from '#server/files/storage.ts'
import { typedFileName } from '#server/files/send.ts'
import type { StoredText } from '#server/secrets/sealed-messages.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { dueKind } from '#server/due/due-work.ts'
import type { Queue } from '#server/jobs/queue.ts'
import {
  closedInJson,
  deliveryWork,
  NotReady,
  pendingColumns,
  Rejected,
  TemporarilyRejected,
  post,
  postWaiting,
  send,
  type Channel,
  type Pending,
} from '#server/deliveries/deliveries.ts'
import { countOrRefuse, countPress, type Limit, whoPresses } from '#server/deliveries/limits.ts'
import { hold, mustWait, release } from '#server/deliveries/held-mails.ts'
import type { Mail } from '#server/deliveries/mail-templates.ts'
import { withMailedCodes } from '#server/deliveries/mailed-codes.ts'
import { askedColumns } from '#server/access/present-rights.ts'
import { isWanted } from '#server/deliveries/receivers.ts'
import { clearUndelivered } from '#server/deliveries/undelivered.ts'
import type { Scope } from '#server/access/tenancy.ts'

/** Mails that one person may ask for in an hour, by all that they press. */
const of_one_person_max = 100

/** The same for mails that guests request at a portal. */
const of_guests_in_an_hour = { to_one_address: 5, for_one_device: 5, at_one_property: 2000 }

/** The counter of mails to one person: `x+anything@` is the mailbox of `x@` where subaddresses are supported. */
const mailsTo = ({ recipient_email }: { recipient_email: string }) =>
  `mails to ${recipient_email.toLowerCase().replace(/(?<=[^+])\+[^@]*(?=@)/, '')}`

/** The columns of its row. */
const valuesOf = ({ good_for_s, ...mail }: Mail) => ({
  ...mail,
  ...(good_for_s !== undefined && { good_until: sql`now() + make_interval(secs => ${good_for_s})` }),
})

/** Nothing is sent to an address that its holder has taken off. */
const sendMail = async (scope: Scope, queue: Queue, mail: Mail, urgent: boolean) =>
  isTakenOff(mail.recipient_email)
    ? undefined
    : send(scope, queue, mails, valuesOf(mail), { to: mail.recipient_email, urgent })

const limitOfPerson = async (scope: Scope, amount: number): Promise<Limit> => ({
  counted: `mails of ${await whoPresses(scope)}`,
  amount,
  max: of_one_person_max,
  period: 'hour',
  sentence: `You can send ${of_one_person_max} mails an hour.`,
})

/** Counts the mails that a press will bring about later; they are counted against the other limits when they are made. */
export async function countMailsOfPress(scope: Scope, amount: number): Promise<void> {
  if (amount > 0) await countPress(scope, await limitOfPerson(scope, amount))
}

/**
 * Puts a mail that a user asks for in the outbox, in the transaction of what it is about. `to_own_guest`: the sign-in of a guest at the
 * address that stands in their record, which a busy desk sends all day.
 */
export async function queueMail(scope: Scope, queue: Queue, mail: Mail, { to_own_guest = false } = {}) {
  const { max } = mails.to_one
  await countOrRefuse(scope, 'mails', [
    ...(to_own_guest ? [] : [await limitOfPerson(scope, 1)]),
    {
      counted: mailsTo(mail),
      max,
      period: 'hour',
      sentence: `${mail.recipient_email} has been sent ${max} mails within an hour.`,
    },
  ])
  await sendMail(scope, queue, mail, false)
}

/**
 * Puts a mail that a guest asks for in the outbox, in the transaction of the code in it. Refused if it would be held: its
 * code would have expired by then.
 */
export async function queueGuestMail(
  scope: Scope,
  queue: Queue,
  mail: Mail,
  { property_id, mac_address }: { property_id: number; mac_address: string },
) {
  if (await mustWait(scope, mail.recipient_email)) throw tooMany(3600, 'Mails to guests are not sent yet.')
  const limits = [
    [mailsTo(mail), of_guests_in_an_hour.to_one_address, 'This address has'],
    [`mails for ${mac_address}`, of_guests_in_an_hour.for_one_device, 'This device has'],
    [`mails at property ${property_id}`, of_guests_in_an_hour.at_one_property, 'This property has'],
  ] as const
  await countOrRefuse(
    scope,
    'mails',
    limits.map(([counted, max, who]) => ({
      counted,
      max,
      period: 'hour',
      sentence: `${who} been sent ${max} mails within an hour.`,
    })),
  )
  // The guest waits for the code.
  await sendMail(scope, queue, { ...mail, property_id }, true)
}

/** A notice to somebody about their own sign-in: other mails do not delay it. */
export const queueNotice = (scope: Scope, queue: Queue, mail: Mail) => sendMail(scope, queue, mail, true)

/** A mail in the outbox that is not counted yet. */
export interface WrittenMail {
  id: number
  recipient_email: string
}

/**
 * Puts mails in the outbox without sending them: `postMails` does that, once all of a transaction are stored. One whose key
 * exists already is left out.
 */
export async function writeMails(scope: Scope, written: Mail[]): Promise<WrittenMail[]> {
  if (written.length === 0) return []
  await clearUndelivered(
    scope,
    written.map((mail) => ({ ...mail, recipient: mail.recipient_email })),
  )
  const rows = written.map((mail) => ({
    ...mail,
    ...closedInJson(scope, mails, mail.recipient_email, mail.text),
    ...askedColumns(scope),
  }))
  return scope.run(sql<WrittenMail>`
    insert into outbox_mails (recipient_name, recipient_email, subject, text, sealed_text, kind, about_id, message_key, file_id, stop_url,
      property_id, asked_by_user_id, asked_by_key_id, asked_right)
    select m.* from json_to_recordset(${JSON.stringify(rows)})
      as m(recipient_name text, recipient_email text, subject text, text text, sealed_text bytea, kind text, about_id integer,
      message_key text, file_id integer, stop_url text, property_id integer, asked_by_user_id integer, asked_by_key_id integer,
      asked_right text)
    on conflict (customer_id, message_key) do nothing returning id, recipient_email`)
}

const counted = (written: readonly WrittenMail[]) => written.map((mail) => ({ id: mail.id, to: mailsTo(mail) }))

/** Queues them, with a limit an hour to each address. Call it last in a transaction: until it ends, other mails have to wait. */
export const postMails = (scope: Scope, queue: Queue, written: readonly WrittenMail[]) =>
  post(scope, queue, mails, counted(written))

/** Stores and queues them, at the end of a transaction. */
export const queueMails = async (scope: Scope, queue: Queue, written: Mail[]) =>
  postMails(scope, queue, await writeMails(scope, written))

/** Lets mails of the customer go to everybody: those that are held are queued, with a limit an hour to each address. */
export const releaseMails = async (scope: Scope, queue: Queue) =>
  postWaiting(scope, queue, mails, counted(await release(scope)))

/** An attachment is read from the beginning at every try. */
export interface OutgoingMail extends Mail {
  id: number
  attached?: { filename: string; contentType: string; content: Readable } | undefined
}

export interface Mailer {
  /** Delivers one mail; the id is the same at every try, so that a mail server can drop a second one. */
  deliver(mail: OutgoingMail): Promise<void>
}

interface MailerOptions {
  smtp_url: string | null
  mail_from: string
  outbox_dir: string
  /** How long to wait for a silent mail server before the next try; the mails behind wait as long. */
  silence_max_s?: number
}

/** By SMTP when it is set up; else as files in `outbox_dir`, named on the console. */
export function openMailer({ smtp_url, mail_from, outbox_dir, silence_max_s = 60 }: MailerOptions): Mailer {
  if (smtp_url === null)
    return {
      async deliver({ id, recipient_email, subject, text, attached }) {
        await mkdir(outbox_dir, { recursive: true, mode: 0o700 })
        const file = path.join(outbox_dir, `${String(id).padStart(6, '0')}.txt`)
        await writeFile(file, `To: ${recipient_email}\nSubject: ${subject}\n\n${text}`, { mode: 0o600 })
        if (attached)
          await writeFile(
            path.join(outbox_dir, `${path.basename(file, '.txt')}-${attached.filename}`),
            attached.content,
            { mode: 0o600 },
          )
        console.log(`A mail: ${file}`)
      },
    }
  const silence_max_ms = silence_max_s * 1000
  const limits = {
    connectionTimeout: silence_max_ms,
    greetingTimeout: silence_max_ms,
    socketTimeout: silence_max_ms,
  }
  const transport = createTransport({ url: smtp_url, ...limits }, { from: mail_from })
  return {
    async deliver({ id, recipient_name, recipient_email, subject, text, message_key, stop_url, attached }) {
      const domain = /@([\w.-]+)/.exec(mail_from)?.[1] ?? 'localhost'
      const sent = transport.sendMail({
        to: { name: recipient_name, address: recipient_email },
        subject,
        text,
        messageId: `<${message_key ?? `foyer-${id}`}@${domain}>`,
        ...(attached && { attachments: [attached] }),
        ...(stop_url && { headers: stopHeaders(stop_url) }),
      })
      await sent.catch((error: SMTPError) => {
        if (hasNoMailbox(error)) throw new Rejected(error.message)
        throw error.responseCode === undefined ? error : new TemporarilyRejected(error.message, { cause: error })
      })
    },
  }
}

async function attachedTo(
  kept: { storage: Storage; seal: Seal },
  customer_id: number,
  { file_name, content_type, hash, sealed_key }: StoredMail,
) {
  if (file_name === null || content_type === null || hash === null) return undefined
  const content = await readSealed(kept, customer_id, { hash, sealed_key }).catch((cause: unknown) => {
    throw unread(cause)
  })
  if (!content) throw unread(new Error(`${hash} is not in the storage`))
  return { filename: typedFileName(file_name), contentType: content_type, content }
}

const unread = (cause: unknown) => new NotReady('The file that goes with it could not be read.', cause)

async function deliver(mailer: Mailer, mail: OutgoingMail): Promise<void> {
  // A file that cannot be read to its end fails the transport's call, of which that is no fault.
  let broken: unknown
  mail.attached?.content.once('error', (error) => (broken = error))
  try {
    await mailer.deliver(mail)
  } catch (error) {
    throw broken === undefined ? error : unread(broken)
  }
}

/** RFC 8058: a mail program shows its own button, which unsubscribes without a page. */
const stopHeaders = (stop_url: string) => ({
  'List-Unsubscribe': `<${stop_url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

/** RFC 3463, 5.1.x: the address does not exist. Any other rejection can be corrected by the operator of Foyer. */
const hasNoMailbox = ({ command, response = '' }: SMTPError) =>
  command === 'RCPT TO' && /^5\d\d[ -]5\.1\.\d/.test(response)
type SMTPError = Error & { command?: string; response?: string; responseCode?: number }

interface StoredMail extends Mail, StoredText, Pending {
  created_at: Date
  is_over: boolean
  has_end: boolean
  file_name: string | null
  content_type: string | null
  hash: string | null
  sealed_key: Buffer | null
  waits: boolean
}

export const mails: Channel<StoredMail, { mailer: Mailer; storage: Storage; seal: Seal }> = {
  kind: dueKind('mail'),
  table: 'outbox_mails',
  quota: 'mails',
  // More that somebody requests are refused; those of an import or a new account are sent later.
  to_one: { max: 10, period: 'hour' },
  // One with a link, until the link ends.
  ends: ({ has_end }) => has_end,
  async read(scope, id) {
    const [found] = await scope.run(sql<Omit<StoredMail, 'waits'>>`
      select ${pendingColumns}, m.recipient_name, m.recipient_email, m.subject, m.text, m.sealed_text, m.message_key, m.stop_url,
        m.created_at, coalesce(m.good_until < now(), false) as is_over, m.good_until is not null as has_end,
        f.name as file_name, f.content_type, encode(f.sha256, 'hex') as hash, f.sealed_key
      from outbox_mails as m left join files as f on f.id = m.file_id and ${scope.inReach('files', 'f')}
      where m.id = ${id} and m.sent_at is null and m.failed_at is null and ${scope.inReach('outbox_mails', 'm')}`)
    return found && { ...found, waits: await mustWait(scope, found.recipient_email) }
  },
  opened: async (scope, mail) =>
    withMailedCodes(scope, { ...mail, text: scope.messages.open('outbox_mails', mail.recipient_email, mail) }),
  to: mailsTo,
  noted: ({ id, recipient_email, recipient_name, kind, about_id = null, created_at }) => ({
    mail_id: id,
    recipient: recipient_email,
    recipient_name: recipient_name === recipient_email ? null : recipient_name,
    kind,
    about_id,
    written_at: created_at,
  }),
  unwanted: async (scope, { kind, about_id = null, recipient_email }) =>
    kind !== 'report' || about_id === null || (await isWanted(scope, recipient_email, about_id))
      ? null
      : 'The recipient does not want it, has not confirmed, or is no longer named.',
  over: ({ is_over }) => (is_over ? 'It expired before it could be sent.' : null),
  waits: ({ waits }) => waits,
  hold: (scope, { id, recipient_email }) => hold(scope, id, recipient_email),
  deliver: async ({ mailer, ...kept }, mail, customer_id) =>
    deliver(mailer, { ...mail, attached: await attachedTo(kept, customer_id, mail) }),
  forget: { file_id: null, stop_url: null },
  handed_in_at: 'The mail server',
  about: sql`concat(m.subject, ' to ', m.recipient_email)`,
}
export const mailWork = deliveryWork(mails)
