// Held mails: mails that wait until somebody of a new customer has confirmed the address they signed up with. Until then its
// mails go only to its own people, so that nobody can send mails to others under a name that anyone may choose.
import { sql } from 'kysely'
import { rows_per_step, whileMore } from '#server/access/chunked-work.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'

/** As long as an invitation is valid: after that a mail is of no use. */
const held_for_s = 7 * 24 * 3600

/** Whether the customer is not confirmed yet, and the address is not that of one of its own users. */
export async function mustWait(scope: Scope, recipient_email: string): Promise<boolean> {
  const [waiting] = await scope.run(sql`
    select from customers as c where c.id = ${scope.customer_id} and c.confirmed_at is null
      and not exists (select from users as u where u.customer_id = c.id and u.login_id is not null and u.deleted_at is null
        and lower(u.email) = lower(${recipient_email}))`)
  return waiting !== undefined
}

/** False: it need not wait. A simultaneous confirmation waits for this transaction, and then finds the mail among the held ones. */
export async function hold(scope: Scope, mail_id: number, recipient_email: string): Promise<boolean> {
  await scope.run(sql`select from customers where id = ${scope.customer_id} for share`)
  if (!(await mustWait(scope, recipient_email))) return false
  await scope.change('outbox_mails', [mail_id], { held_at: sql`coalesce(held_at, now())` })
  return true
}

/** Lets mails of the customer go to everybody. Returns those that were held, which are not queued yet. */
export async function release(scope: Scope) {
  await scope.run(sql`
    update customers set confirmed_at = now() where id = ${scope.customer_id} and confirmed_at is null`)
  return scope.run(sql<{ id: number; recipient_email: string }>`
    with released as (
      update outbox_mails as m set held_at = null where m.held_at is not null and ${scope.inReach('outbox_mails', 'm')}
      returning m.id, m.recipient_email)
    select id, recipient_email from released order by id`)
}

/** Deletes mails that have been held too long, and expired links. */
export const forgetHeldMails = (tenancy: Tenancy): Promise<void> =>
  whileMore(tenancy, sql`door_forget_held_mails(${held_for_s}, ${rows_per_step})`)

export const forgetHeldMailsJob = job({
  kind: jobKind('forget_held_mails'),
  cron: '19 * * * *',
  title: 'Removing mails that waited too long',
  run: ({ tenancy }: { tenancy: Tenancy }) => forgetHeldMails(tenancy),
})
