// Outbox: mails are stored with the change that causes them and sent by a job, so that none is lost and none is sent in vain.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { callerOfJob, keyOf } from '#server/access/principal.ts'
import { tooMany } from '#server/errors/refused.ts'
import { countAll, inWords, refuseOver, type Counted } from '#server/fairness/quotas.ts'
import { typedFileName } from '#server/files/send.ts'
import type { Storage } from '#server/files/storage.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind, type Queue } from '#server/jobs/queue.ts'
import { hold, mustWait, release } from '#server/deliveries/held-mails.ts'
import type { Mail } from '#server/deliveries/mail-templates.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'

export const mailKind = jobKind<{ customer_id: number; mail_id: number }>('mail', {
  limit: 12,
  after_s: 5,
  doubles: true,
})

const hour_s = 3600
/**
 * Mails to one address, from one customer, in an hour. More that somebody asks for are refused; those that an import or a new
 * account brings along are sent later.
 */
const to_one_address_max = 10
/** Mails that one person, or one key, asks for in an hour: more than a busy desk does. */
const of_one_principal_max = 100

/** The same of mails that a guest asks for at a portal. */
const of_guests_in_an_hour = { to_one_address: 5, for_one_device: 5, at_one_property: 2000 }

/** What mails to one person count under: `x+anything@` is the mailbox of `x@`, wherever that is understood. */
const mailsTo = ({ recipient_email }: { recipient_email: string }) =>
  `mails to ${recipient_email.toLowerCase().replace(/(?<=[^+])\+[^@]*(?=@)/, '')}`

/** Puts a mail that somebody asks for in the outbox, in the transaction of what it tells about. */
export async function queueMail(scope: Scope, queue: Queue, mail: Mail) {
  const address = mailsTo(mail)
  const own = `mails of ${keyOf(scope)}`
  const counted = await countAll(scope, [
    { quota: 'mails', amount: 1, daily: true },
    { quota: own, amount: 1, daily: false },
    { quota: address, amount: 1, daily: false },
  ])
  await refuseOver(scope, 'mails', 1, counted.get('mails'))
  refuseOverInAnHour(counted.get(own), of_one_principal_max, `You can send ${of_one_principal_max} mails an hour.`)
  const sentence = `${mail.recipient_email} has been sent ${to_one_address_max} mails within an hour.`
  refuseOverInAnHour(counted.get(address), to_one_address_max, sentence)
  await send(scope, queue, mail, { urgent: false })
}

/**
 * Puts a mail that a guest asks for in the outbox, in the transaction of the code that stands in it. Refused where it would
 * have to wait: its code would be over by then.
 */
export async function queueGuestMail(
  scope: Scope,
  queue: Queue,
  mail: Mail,
  { property_id, mac_address }: { property_id: number; mac_address: string },
) {
  if (await mustWait(scope, mail.recipient_email)) throw tooMany(hour_s, 'Mails to guests are not sent yet.')
  const limits = [
    [mailsTo(mail), of_guests_in_an_hour.to_one_address, 'This address has'],
    [`mails for ${mac_address}`, of_guests_in_an_hour.for_one_device, 'This device has'],
    [`mails at property ${property_id}`, of_guests_in_an_hour.at_one_property, 'This property has'],
  ] as const
  const counted = await countAll(scope, [
    { quota: 'mails', amount: 1, daily: true },
    ...limits.map(([quota]) => ({ quota, amount: 1, daily: false })),
  ])
  await refuseOver(scope, 'mails', 1, counted.get('mails'))
  for (const [quota, max, who] of limits)
    refuseOverInAnHour(counted.get(quota), max, `${who} been sent ${max} mails within an hour.`)
  // The guest waits for the code.
  await send(scope, queue, mail, { urgent: true })
}

function refuseOverInAnHour(counted: Counted | undefined, max: number, sentence: string) {
  if (counted && counted.used > max)
    throw tooMany(counted.wait_s, `${sentence} It goes on in ${inWords(counted.wait_s)}.`)
}

/** A mail by which the product tells somebody of their own sign-in: nobody else's mails keep it back. */
export const queueNotice = (scope: Scope, queue: Queue, mail: Mail) => send(scope, queue, mail, { urgent: true })

async function send(scope: Scope, queue: Queue, mail: Mail, how: { urgent: boolean }) {
  const mail_id = await scope.insert('outbox_mails', { ...mail })
  await queue.send(mailKind, { customer_id: scope.customer_id, mail_id }, how)
}

/** A mail that is in the outbox, and not counted yet. */
export interface WrittenMail {
  id: number
  recipient_email: string
}

/**
 * Puts mails in the outbox that nothing sends yet: `postMails` does, once all of a transaction are written. One whose key is
 * there already is left out.
 */
export async function writeMails(scope: Scope, mails: Mail[]): Promise<WrittenMail[]> {
  if (mails.length === 0) return []
  return scope.run(sql<WrittenMail>`
    insert into outbox_mails (recipient_name, recipient_email, subject, text, message_key, file_id, stop_url)
    select m.* from json_to_recordset(${JSON.stringify(mails)}) as m(recipient_name text, recipient_email text, subject text,
      text text, message_key text, file_id integer, stop_url text)
    on conflict (customer_id, message_key) do nothing returning id, recipient_email`)
}

/** Sends them, so many an hour to each address. Counted last in a transaction: until it ends, no other mail of the customer is. */
export async function postMails(scope: Scope, queue: Queue, written: readonly WrittenMail[]) {
  if (written.length === 0) return
  const byAddress = Map.groupBy(written, mailsTo)
  const counted = await countAll(scope, [
    { quota: 'mails', amount: written.length, daily: true },
    ...[...byAddress.keys()]
      .toSorted()
      .map((quota) => ({ quota, amount: byAddress.get(quota)?.length ?? 0, daily: false })),
  ])
  await refuseOver(scope, 'mails', written.length, counted.get('mails'))
  const jobs = [...byAddress].flatMap(([address, mails]) => {
    const { used, wait_s } = counted.get(address) ?? { used: mails.length, wait_s: 0 }
    return mails.map(({ id: mail_id }, index) => ({
      carried: { mail_id },
      after_s: waitOf(used - mails.length + index, wait_s),
    }))
  })
  await queue.sendMany(mailKind, scope.customer_id, jobs)
}

/** The mail that comes after so many others to its address: at once, or in one of the hours that follow. */
function waitOf(before: number, wait_s: number) {
  const hours = Math.floor(before / to_one_address_max)
  return hours === 0 ? 0 : wait_s + (hours - 1) * hour_s
}

/** As many as there are, at the end of a transaction. */
export const queueMails = async (scope: Scope, queue: Queue, mails: Mail[]) =>
  postMails(scope, queue, await writeMails(scope, mails))

/** Mails of the customer go to everybody from now on: those that wait are sent, so many an hour to each address. */
export async function releaseMails(scope: Scope, queue: Queue) {
  const byAddress = Map.groupBy(await release(scope), ({ recipient_email }) => recipient_email.toLowerCase())
  const jobs = [...byAddress.values()].flatMap((mails) =>
    mails.map(({ id: mail_id }, before) => ({ carried: { mail_id }, after_s: waitOf(before, hour_s) })),
  )
  await queue.sendMany(mailKind, scope.customer_id, jobs)
}

/** What is attached is read from the beginning at every try. */
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
  /** A mail server that says nothing for so long is given up until the next try: the mails behind wait as long. */
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
      await transport.sendMail({
        to: { name: recipient_name, address: recipient_email },
        subject,
        text,
        messageId: `<${message_key ?? `foyer-${id}`}@${domain}>`,
        ...(attached && { attachments: [attached] }),
        ...(stop_url && { headers: stopHeaders(stop_url) }),
      })
    },
  }
}

interface StoredMail extends Mail {
  id: number
  file_name: string | null
  content_type: string | null
  hash: string | null
}
async function attachedTo(storage: Storage, customer_id: number, { file_name, content_type, hash }: StoredMail) {
  if (file_name === null || content_type === null || hash === null) return undefined
  const file = await storage.read(customer_id, hash)
  if (!file) throw new Error(`${hash} is not in the storage`)
  return { filename: typedFileName(file_name), contentType: content_type, content: file.content }
}

/** RFC 8058: a mail program shows a button of its own, which ends these mails without a page. */
const stopHeaders = (stop_url: string) => ({
  'List-Unsubscribe': `<${stop_url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

/** The job: sends one mail unless it has to wait, and forgets its text, which may hold a link that signs somebody in. */
export const sendMail =
  (tenancy: Tenancy, mailer: Mailer, storage: Storage) =>
  async ({ customer_id, mail_id }: { customer_id: number; mail_id: number }) => {
    const caller = callerOfJob(customer_id, 'mail')
    const { mail, waits } = await tenancy.enter(caller, 'read', async (scope) => {
      const [found] = await scope.run(sql<StoredMail>`
        select m.id, m.recipient_name, m.recipient_email, m.subject, m.text, m.message_key, m.stop_url, f.name as file_name,
          f.content_type, encode(f.sha256, 'hex') as hash
        from outbox_mails as m left join files as f on f.id = m.file_id and ${scope.inReach('files', 'f')}
        where m.id = ${mail_id} and m.sent_at is null and ${scope.inReach('outbox_mails', 'm')}`)
      return { mail: found, waits: found !== undefined && (await mustWait(scope, found.recipient_email)) }
    })
    if (!mail) return
    if (waits && (await tenancy.enter(caller, 'write', (scope) => hold(scope, mail_id, mail.recipient_email)))) return
    const settle = (values: Record<string, unknown>) =>
      tenancy.enter(caller, 'write', (scope) => scope.change('outbox_mails', [mail_id], values))
    try {
      await mailer.deliver({ ...mail, attached: await attachedTo(storage, customer_id, mail) })
    } catch (error) {
      await settle({ attempts: sql`attempts + 1`, last_error: String(error).slice(0, 500) })
      throw error
    }
    await settle({
      attempts: sql`attempts + 1`,
      sent_at: sql`now()`,
      text: '(sent)',
      file_id: null,
      stop_url: null,
      last_error: null,
    })
  }

export const mailJob = job({
  kind: mailKind,
  run: ({ tenancy, mailer, storage }: { tenancy: Tenancy; mailer: Mailer; storage: Storage }, mail) =>
    sendMail(tenancy, mailer, storage)(mail),
})
