// Questions: whoever is named as a receiver and is no user of the customer is asked once, by a mail of fixed text, whether they want
// reports; its link opens a page with two buttons.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { forEachCustomer } from '#server/access/each-customer.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import type { Mail } from '#server/deliveries/mail-templates.ts'
import { countMailsOfPress, queueMails } from '#server/deliveries/mails.ts'
import { hasStopped, isKnown, ownDomains } from '#server/deliveries/receivers.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind, type Queue } from '#server/jobs/queue.ts'
import type { Fingerprint } from '#server/secrets/seal.ts'
import { receiverToken } from './stop-links.ts'

export interface QuestionOptions {
  queue: Queue
  fingerprint: Fingerprint
  /** What the links start with. */
  portal_url: string
}

/** One customer asks one address again after this many days at the earliest, and only when somebody names it anew. */
const again_after_days = 30

/** Asks those who have to be asked; `anew` also those whose last question is long ago. Answers how many. */
export async function askReceivers(
  scope: Scope,
  options: QuestionOptions,
  emails: readonly string[],
  { anew }: { anew: boolean },
): Promise<number> {
  if (emails.length === 0) return 0
  const email = sql`w.email`
  const asked = await scope.run(sql<ColumnsOf<'report_receivers', 'email'>>`
    insert into report_receivers as t (email, asked_at)
    select distinct lower(w.email), now() from unnest(${emails}::text[]) as w(email)
    where not ${isKnown(scope, email, await ownDomains(scope))} and not ${hasStopped(scope, email)} order by 1
    on conflict (customer_id, email) do update set asked_at = now()
      where t.asked_at is null or (${anew} and t.asked_at < now() - make_interval(days => ${again_after_days}))
    returning t.email`)
  if (scope.asked) await countMailsOfPress(scope, asked.length)
  await queueMails(
    scope,
    options.queue,
    asked.map((one) => questionTo(one.email, scope.customer_id, options)),
  )
  return asked.length
}

/** No report's name, and no word of the sender: nobody writes to strangers by this. */
function questionTo(email: string, customer_id: number, { fingerprint, portal_url }: QuestionOptions): Mail {
  const token = receiverToken(fingerprint, { customer_id, email })
  return {
    kind: 'receiver_question',
    recipient_name: email,
    recipient_email: email,
    subject: 'Do you want these reports by mail?',
    text: `Hello,

Somebody who runs guest Wi-Fi with Foyer would like to send reports to ${email}.

Open this link to see who it is, and to say yes or no:
${portal_url}/receive-reports/${token}

Unless you agree, no reports are sent to you; any that you already get end within 30 days. You can ignore this mail: you will
not be asked again for 30 days.
`,
  }
}

/** Asks those whom schedules named before there was a question; whoever needs none is let go of. */
async function askFormerReceivers(scope: Scope, options: QuestionOptions): Promise<void> {
  const unasked = sql`t.asked_at is null and t.confirmed_at is null and t.stopped_at is null and t.goes_until is not null`
  const known = isKnown(scope, sql`t.email`, await ownDomains(scope))
  await scope.run(
    sql`delete from report_receivers as t where ${unasked} and ${known} and ${scope.inReach('report_receivers', 't')}`,
  )
  const rows = await scope.run(sql<ColumnsOf<'report_receivers', 'email'>>`
    select t.email from report_receivers as t where ${unasked} and ${scope.inReach('report_receivers', 't')} order by t.id limit 1000`)
  const emails = rows.map(({ email }) => email)
  await askReceivers(scope, options, emails, { anew: false })
}

export const askReceiversJob = job({
  kind: jobKind('ask_receivers'),
  cron: '* * * * *',
  title: 'Asking receivers of reports',
  run: async (options: QuestionOptions & { tenancy: Tenancy }) => {
    const unasked = await options.tenancy.callFunction(sql<{ customer_id: number }>`
      select customer_id from door_unasked_receivers(1000)`)
    const customers = unasked.map(({ customer_id }) => customer_id)
    await forEachCustomer(customers, (customer_id) =>
      options.tenancy.enter(callerOfJob(customer_id, 'reports'), 'write', (scope) =>
        askFormerReceivers(scope, options),
      ),
    )
  },
})
