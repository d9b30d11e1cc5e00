// Outbox: mails are stored with the change that causes them and sent by a job, so that none is lost and none is sent in vain.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import { sql } from 'kysely'
import { callerOfJob } from '#server/access/principal.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { Mail } from '#server/mail/templates.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'

/** Puts a mail in the outbox, in the transaction of what it tells about. */
export async function queueMail(scope: Scope, queue: Queue, mail: Mail) {
  const mail_id = await scope.insert('outbox_mails', { ...mail })
  await queue.send('mail', { customer_id: scope.customer_id, mail_id })
}

/** As many as there are, in one statement each for mails and jobs. */
export async function queueMails(scope: Scope, queue: Queue, mails: Mail[]) {
  if (mails.length === 0) return
  const { customer_id } = scope
  const queued = await scope.run(sql<{ id: number }>`
    insert into outbox_mails (recipient_name, recipient_email, subject, text)
    select m.recipient_name, m.recipient_email, m.subject, m.text
    from json_to_recordset(${JSON.stringify(mails)}) as m(recipient_name text, recipient_email text, subject text, text text)
    returning id`)
  await queue.sendMany(
    'mail',
    queued.map(({ id }) => ({ customer_id, mail_id: id })),
  )
}

export interface Mailer {
  /** Delivers one mail; the id is the same at every try, so that a mail server can drop a second one. */
  deliver(mail: Mail & { id: number }): Promise<void>
}

/** By SMTP when it is set up; else as files in `outbox_dir`, named on the console. */
export function openMailer(options: { smtp_url: string | null; mail_from: string; outbox_dir: string }): Mailer {
  const { smtp_url, mail_from, outbox_dir } = options
  if (smtp_url === null)
    return {
      async deliver({ id, recipient_email, subject, text }) {
        await mkdir(outbox_dir, { recursive: true, mode: 0o700 })
        const file = path.join(outbox_dir, `${String(id).padStart(6, '0')}.txt`)
        await writeFile(file, `To: ${recipient_email}\nSubject: ${subject}\n\n${text}`, { mode: 0o600 })
        console.log(`Mail to ${recipient_email}: ${file}`)
      },
    }
  const transport = createTransport(smtp_url, { from: mail_from })
  return {
    async deliver({ id, recipient_name, recipient_email, subject, text }) {
      const domain = /@([\w.-]+)/.exec(mail_from)?.[1] ?? 'localhost'
      await transport.sendMail({
        to: { name: recipient_name, address: recipient_email },
        subject,
        text,
        messageId: `<foyer-${id}@${domain}>`,
      })
    },
  }
}

/** The job: sends one mail, and forgets its text, which may hold a link that signs somebody in. */
export const sendMail =
  (tenancy: Tenancy, mailer: Mailer) =>
  async ({ customer_id, mail_id }: { customer_id: number; mail_id: number }) => {
    const caller = callerOfJob(customer_id, 'mail')
    const [mail] = await tenancy.enter(caller, 'read', (scope) =>
      scope.run(sql<Mail & { id: number }>`
        select id, recipient_name, recipient_email, subject, text from outbox_mails as m
        where id = ${mail_id} and sent_at is null and ${scope.inReach('outbox_mails', 'm')}`),
    )
    if (!mail) return
    const settle = (values: Record<string, unknown>) =>
      tenancy.enter(caller, 'write', (scope) => scope.change('outbox_mails', [mail_id], values))
    try {
      await mailer.deliver(mail)
    } catch (error) {
      await settle({ attempts: sql`attempts + 1`, last_error: String(error).slice(0, 500) })
      throw error
    }
    await settle({ attempts: sql`attempts + 1`, sent_at: sql`now()`, text: '(sent)', last_error: null })
  }
