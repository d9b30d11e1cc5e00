// Run mails: a finished report goes to its recipients, except those who do not want it, or have not confirmed yet.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { oneLine, type Mail } from '#server/deliveries/mail-templates.ts'
import { postMails, writeMails } from '#server/deliveries/mails.ts'
import { ownDomains, wants } from '#server/deliveries/receivers.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { Fingerprint } from '#server/secrets/seal.ts'
import { askReceivers } from './questions.ts'
import { stopToken } from './stop-links.ts'

/** A larger file is sent as a link: mail servers reject it. */
const attached_bytes_max = 10_000_000

export interface MailOptions {
  queue: Queue
  fingerprint: Fingerprint
  /** What the link to a large file starts with. */
  public_url: string
  /** What stop links start with. */
  portal_url: string
}
export interface MailedRun {
  id: number
  report_id: number
  name: string
  period_start: string | null
  period_end: string | null
  complete_to: string | null
  missing: string[]
  bytes: number
  file_id: number
}

/** `once`: mails already written for this run are not written again. Returns how many were written. */
export async function mailRun(scope: Scope, options: MailOptions, run: MailedRun, { once }: { once: boolean }) {
  const { queue, fingerprint, portal_url } = options
  const domains = await ownDomains(scope)
  const recipients = await scope.run(sql<{ email: string }>`
    select distinct lower(address) as email from reports as t, unnest(t.recipients) as address
    where t.id = ${run.report_id} and ${scope.inReach('reports', 't')} and ${wants(scope, sql`address`, domains)}
    order by 1`)
  const named = await scope.run(sql<{ email: string }>`
    select address as email from reports as t, unnest(t.recipients) as address where t.id = ${run.report_id}
      and ${scope.inReach('reports', 't')}`)
  const standing = await standingOf(scope, run.id)
  const mails = recipients.map(({ email }): Mail => {
    const token = stopToken(fingerprint, { customer_id: scope.customer_id, email }, run.report_id)
    const stop_url = `${portal_url}/stop-reports/${token}`
    const key = fingerprint(`report mail ${email}`).toString('hex').slice(0, 16)
    return {
      ...textOf({ ...run, ...standing }, email, stop_url, options.public_url),
      stop_url,
      file_id: run.bytes > attached_bytes_max ? null : run.file_id,
      message_key: once ? `report-run-${run.id}-${key}` : null,
    }
  })
  const written = await writeMails(scope, mails)
  // Somebody may have lost what let them do without a question.
  await askReceivers(
    scope,
    options,
    named.map(({ email }) => email),
    { anew: false },
  )
  await postMails(scope, queue, written)
  return written.length
}

interface Standing {
  /** What is missing is looked for at present, and a further run begun once it has come. */
  is_looked_at: boolean
  /** It was begun so. */
  completes: boolean
}

async function standingOf(scope: Scope, id: number): Promise<Standing> {
  const [run] = await scope.run(sql<Standing>`
    select t.look_again_at is not null as is_looked_at, t.completes_run_id is not null as completes from report_runs as t
    where t.id = ${id} and ${scope.inReach('report_runs', 't')}`)
  return run ?? { is_looked_at: false, completes: false }
}

function textOf(run: MailedRun & Standing, email: string, stop_url: string, public_url: string): Mail {
  const name = oneLine(run.name)
  const days =
    run.period_start === null || run.period_end === null
      ? ''
      : run.period_start === run.period_end
        ? `, ${run.period_start}`
        : `, ${run.period_start} to ${run.period_end}`
  const where =
    run.bytes > attached_bytes_max
      ? `It is too large for a mail. Sign in to download it:\n${public_url}/customer/reports/scheduled?report_id=${run.report_id}`
      : 'It is attached.'
  return {
    kind: 'report',
    about_id: run.report_id,
    recipient_name: email,
    recipient_email: email,
    subject: `${name}${days}${run.completes && run.complete_to === run.period_end ? ', complete' : ''}`,
    text: `Here is the report ${name}${days}. ${where}
${completenessIn(run)}

To stop these reports, open this link:
${stop_url}
`,
  }
}

function completenessIn({ complete_to, missing, completes, is_looked_at }: MailedRun & Standing): string {
  const of_it = completes ? 'It now includes what was missing when it was first made.\n' : ''
  const to = complete_to === null ? '' : `It is complete to ${complete_to}.\n`
  const lacking =
    missing.length === 0
      ? ''
      : `\nMissing after that day:\n${missing.slice(0, missing_shown_max).map(oneLine).join('\n')}\n${
          missing.length > missing_shown_max ? `and ${missing.length - missing_shown_max} more\n` : ''
        }${is_looked_at ? 'It will be sent once more when that has arrived.\n' : ''}`
  return `\n${of_it}${to}${lacking}`
}
const missing_shown_max = 20
