// Jobs: the list of all of them, and what they need. A new one is declared next to its code and listed here: its queue is created
// with the next migration, and nodes with the role `jobs` run it.
import path from 'node:path'
import { sql } from 'kysely'
import { cleanupJob } from '#server/entities/cleanup.ts'
import { openControllers } from '#server/gateways/controllers.ts'
import { keepNightsJob } from '#server/billing/keep-nights.ts'
import { laterThan, type Release } from '#server/db/releases.ts'
import { forgetHeldMailsJob } from '#server/deliveries/held-mails.ts'
import { openMailer, type Mailer } from '#server/deliveries/mails.ts'
import { openTexter } from '#server/deliveries/texter.ts'
import { findDueJob } from '#server/due/find-due.ts'
import { openRunner, wakeJob, type Runner } from '#server/due/runner.ts'
import { removalJob } from '#server/entities/removal.ts'
import { forgetActivityJob } from '#server/entities/forget-activity.ts'
import { forgetQuotasJob } from '#server/fairness/quotas.ts'
import { compareBackupsJob } from '#server/files/compare-backups.ts'
import { unusedFilesJob } from '#server/files/unused.ts'
import { forgetImportsJob } from '#server/imports/forget-imports.ts'
import { dueWorks, formerJobs, type DueNeeds } from '#server/apps/due-work.ts'
import type { Job, NoteResult } from '#server/jobs/job.ts'
import { changeSessionsJob } from '#server/radius/change-sessions.ts'
import { disconnectJob } from '#server/radius/disconnect.ts'
import { openGateways, type Gateways } from '#server/radius/gateways.ts'
import { openTell } from '#server/radius/tell-gateway.ts'
import { checkSchedulesJob } from '#server/reports/owners.ts'
import { askReceiversJob } from '#server/reports/questions.ts'
import { dueReportsJob, forgetReportFilesJob } from '#server/reports/due-reports.ts'
import { openInboxes } from '#server/property-systems/files.ts'
import { openLinks } from '#server/property-systems/links.ts'
import { keepSamplesJob } from '#server/resources/samples/samples.ts'
import { endTrialsJob } from '#server/resources/gateways/trials.ts'
import type { Services } from '#server/services.ts'
import { countHoursJob } from '#server/sessions/count-hours.ts'
import { endSessionsJob } from '#server/sessions/end-sessions.ts'
import { forgetGuestsJob } from '#server/sessions/forget-guests.ts'
import { forgetSumsJob } from '#server/sessions/forget-sums.ts'
import { packSessionsJob } from '#server/history/pack-sessions.ts'
import { keepStatesJob, noteTurnedJob } from '#server/sessions/property-states.ts'
import { sealCodesJob } from '#server/vouchers/seal-codes.ts'
import type { Config } from '#server/start/config.ts'
import { version } from '#server/start/version.ts'
import type { Metrics } from '#server/watch/metrics.ts'

/** What a node opens for its jobs. */
interface JobNeeds extends DueNeeds {
  gateways: Gateways
  runner: Pick<Runner, 'wake'>
}

export const jobs: readonly Job<JobNeeds>[] = [
  wakeJob,
  findDueJob(dueWorks),
  ...formerJobs,
  forgetHeldMailsJob,
  disconnectJob,
  changeSessionsJob,
  endSessionsJob,
  countHoursJob,
  packSessionsJob,
  keepNightsJob,
  keepStatesJob,
  noteTurnedJob,
  endTrialsJob,
  keepSamplesJob,
  dueReportsJob,
  checkSchedulesJob,
  askReceiversJob,
  forgetReportFilesJob,
  removalJob,
  sealCodesJob,
  unusedFilesJob,
  compareBackupsJob,
  forgetGuestsJob,
  forgetImportsJob,
  forgetQuotasJob,
  forgetSumsJob,
  forgetActivityJob,
  cleanupJob,
]
/** The queues that a migration creates. */
export const queues = jobs.map(({ kind }) => kind)

/** The node does jobs and due work until it is closed. */
export async function startJobs(services: Services, config: Config): Promise<{ close(): Promise<void> }> {
  const outbox_dir = path.join(config.data_dir, 'outbox')
  const gateways = openGateways(services)
  const due_needs = {
    ...services,
    config,
    mailer: counted(openMailer({ ...config, outbox_dir }), services.metrics),
    texter: openTexter({ ...config, outbox_dir }, services.safeFetch),
    gateways,
    controllers: openControllers(services, openTell(services, gateways)),
  }
  const { queue, tenancy, log, metrics } = services
  const ran = (kind: string, result: 'done' | 'failed') => metrics.job(kind, result)
  const runner = openRunner({ tenancy, log, ran }, dueWorks, due_needs)
  const needs: JobNeeds = { ...due_needs, runner }
  for (const job of jobs) await job.work(queue, needs, noteIn(services))
  const schedules = await keepSchedules(services)
  for (const { kind, at_start } of jobs) if (at_start) await queue.send(kind, {})
  const links = openLinks(services)
  const inboxes = openInboxes(services)
  return {
    async close() {
      clearInterval(schedules)
      await Promise.all([runner.stop(), links.close(), inboxes.close()])
    },
  }
}

const schedule_every_ms = 600_000

/**
 * The schedules are those of the newest release: a node of one before, which has other jobs, leaves them alone. They are said again and
 * again, as releases before 1.0.0 do not leave them alone when one of their nodes starts.
 */
async function keepSchedules({ queue, tenancy, log }: Pick<Services, 'queue' | 'tenancy' | 'log'>) {
  const scheduled = jobs.flatMap(({ kind, cron }) => (cron === undefined ? [] : [{ kind, cron }]))
  const keep = async () => {
    const releases = await tenancy.callFunction(sql<Release>`select version, serves_since from door_releases()`)
    if (!laterThan({ version }, releases)) await queue.schedule(scheduled)
  }
  await keep()
  return setInterval(
    () => void keep().catch((err: unknown) => log.warn({ err }, 'the schedules of jobs could not be stored')),
    schedule_every_ms,
  )
}

/** Kept for the dashboard of who runs the installation, until the job is done again. */
const noteIn =
  ({ tenancy, log }: Services): NoteResult =>
  async (queue, title, result) => {
    try {
      await tenancy.callFunction(sql`select door_note_job(${queue}, ${title}, ${result === 'failed'})`)
    } catch (err) {
      log.warn({ err, queue }, 'the result of a job could not be stored')
    }
  }

const counted = (mailer: Mailer, metrics: Metrics): Mailer => ({
  async deliver(mail) {
    try {
      await mailer.deliver(mail)
      metrics.mail('sent')
    } catch (error) {
      metrics.mail('failed')
      throw error
    }
  },
})
