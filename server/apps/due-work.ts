// Due work: the list of all its kinds. A new one is declared next to its code and listed here.
import { mails, mailWork, type Mailer } from '#server/deliveries/mails.ts'
import type { Texter } from '#server/deliveries/texter.ts'
import { texts, textWork } from '#server/deliveries/texts.ts'
import { adopt } from '#server/due/adopt.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { DueWork } from '#server/due/due-work.ts'
import { job, type Job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'
import type { Controllers } from '#server/gateways/controllers.ts'
import { countWork } from '#server/guest/controller-counts.ts'
import { grantWork } from '#server/guest/controller-grants.ts'
import { accounting } from '#server/connections/accounting/kind.ts'
import { syncNow } from '#server/connections/connection-work.ts'
import { genericWork } from '#server/connections/generic-connections.ts'
import { marketing } from '#server/connections/marketing/kind.ts'
import { erasureWork } from '#server/integrations/audience-erasures.ts'
import { accountingWork, marketingWork } from '#server/integrations/sync-work.ts'
import { draftWork, queueDrafts } from '#server/integrations/push.ts'
import { tellMoveIns } from '#server/resources/guest-help/move-ins.ts'
import { reportFileWork } from '#server/reports/make-run.ts'
import { reportFileKind } from '#server/reports/runs.ts'
import { pollingWork } from '#server/property-systems/polling.ts'
import { fileWork } from '#server/property-systems/files.ts'
import { messageWork } from '#server/property-systems/messages.ts'
import type { Services } from '#server/services.ts'
import { departureWork } from '#server/stays/sync.ts'
import { webhookWork } from '#server/webhooks/deliver.ts'
import type { Config } from '#server/start/config.ts'

/** What a node opens for it. */
export interface DueNeeds extends Services {
  config: Config
  mailer: Mailer
  texter: Texter
  controllers: Controllers
}

export const dueWorks: readonly DueWork<DueNeeds>[] = [
  mailWork,
  textWork,
  reportFileWork,
  draftWork,
  accountingWork,
  marketingWork,
  erasureWork,
  genericWork,
  webhookWork,
  messageWork,
  fileWork,
  pollingWork(tellMoveIns),
  departureWork,
  grantWork,
  countWork,
]

/** Jobs that nodes of the release before still send: what they are about becomes due work. The next release drops them. */
export const formerJobs: readonly Job<Services>[] = [
  adopt(
    jobKind<{ customer_id: number; mail_id: number; urgent?: boolean }>('mail', {
      limit: 12,
      after_s: 5,
      doubles: true,
    }),
    mails.kind,
    'mail_id',
  ),
  adopt(
    jobKind<{ customer_id: number; text_id: number; urgent?: boolean }>('text', {
      limit: 6,
      after_s: 5,
      doubles: true,
    }),
    texts.kind,
    'text_id',
  ),
  adopt(
    jobKind<{ customer_id: number; run_id: number }>('report_run', { limit: 2, after_s: 60 }),
    reportFileKind,
    'run_id',
  ),
  job({
    kind: jobKind<{ customer_id: number; kind: 'accounting' | 'marketing'; integration_id: number }>(
      'sync_integration',
    ),
    run: ({ tenancy, queue }: Services, { customer_id, kind, integration_id }) =>
      tenancy.enter(callerOfJob(customer_id, 'integrations'), 'write', (scope) =>
        syncNow(scope, queue, { accounting, marketing }[kind], [integration_id]),
      ),
  }),
  job({
    kind: jobKind<{ customer_id: number; run_id: number }>('push_run', { limit: 20, after_s: 15 }),
    run: ({ tenancy, queue }: Services, { customer_id, run_id }) =>
      tenancy.enter(callerOfJob(customer_id, 'drafts'), 'write', (scope) => queueDrafts(scope, queue, run_id)),
  }),
]
