// Schedule notices: mails to whoever looks after a schedule: that it rests and why, or that it has become theirs.
import { sql } from 'kysely'
import type { PausedFor } from '#contract/reports.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { oneLine, type Mail } from '#server/deliveries/mail-templates.ts'
import { queueMails } from '#server/deliveries/mails.ts'
import type { Queue } from '#server/jobs/queue.ts'

export interface NoticeOptions {
  queue: Queue
  /** What links start with. */
  public_url: string
}

interface Notice {
  /** Null: it goes on. */
  paused_for: PausedFor | null
  sentence: string
}

const remedies: Record<PausedFor, string> = {
  owner_left: 'Somebody else can take it over here:',
  owner_lowered: 'Somebody else can take it over here:',
  owner_reach: 'Change what it names, or remove it, here:',
  failed: 'Activate it again here once this is fixed:',
}

/** To the owner of the schedule or, if they may not look after it any more, to the customer's oldest active editor. */
export async function mailNotice(
  scope: Scope,
  { queue, public_url }: NoticeOptions,
  report_id: number,
  { paused_for, sentence }: Notice,
): Promise<void> {
  const [to] = await scope.run(sql<{ name: string; email: string; report: string }>`
    select u.name, u.email, r.name as report from reports as r, users as u join user_types as y on y.id = u.user_type_id
    where r.id = ${report_id} and ${scope.inReach('reports', 'r')} and ${scope.inReach('users', 'u')}
      and u.active and not u.draft and u.login_id is not null and y.role = 'editor'
      and u.group_id is null and u.property_id is null and u.package_id is null
    order by u.id = r.user_id desc nulls last, u.created_at, u.id limit 1`)
  if (!to) return
  const report = oneLine(to.report)
  const mail: Mail = {
    kind: 'schedule_notice',
    about_id: report_id,
    recipient_name: to.name,
    recipient_email: to.email,
    subject: paused_for === null ? `${report} is yours now` : `${report} is paused`,
    text: `Hello ${oneLine(to.name)},

The scheduled report ${report} ${paused_for === null ? 'goes on' : 'is paused: nothing is sent'}. ${sentence}

${paused_for === null ? 'See it here:' : remedies[paused_for]}
${public_url}/customer/reports/scheduled?report_id=${report_id}
`,
  }
  await queueMails(scope, queue, [mail])
}
