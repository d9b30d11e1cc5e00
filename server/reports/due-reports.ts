// Due reports: the job that checks each minute which reports are due, which runs no node is working on any more, and what was missing
// in a file.
import { sql } from 'kysely'
import { forEachCustomer } from '#server/access/each-customer.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'
import { now } from '#server/time/clock.ts'
import { queueDue } from '#server/due/due-work.ts'
import { reportFileKind } from './runs.ts'
import { ownerOfSchedule, pause, type CheckOptions } from './owners.ts'
import { beginDue, completeRun } from './schedule.ts'

const rows_per_step = 1000
/** Runs without due work that no node works on, which one of a release before has left: longer than its longest wait. */
const stalled_s = 600

export async function startDueReports(options: CheckOptions): Promise<void> {
  const { tenancy, queue } = options
  const due = await tenancy.callFunction(sql<{ customer_id: number; report_id: number }>`
    select customer_id, report_id from door_due_reports(${new Date(now())}, ${rows_per_step})`)
  const stalled = await tenancy.callFunction(sql<{ customer_id: number; run_id: number }>`
    select customer_id, run_id from door_stalled_runs(${stalled_s}, ${rows_per_step})`)
  const incomplete = await tenancy.callFunction(sql<{ customer_id: number; run_id: number }>`
    select customer_id, run_id from door_incomplete_runs(${new Date(now())}, ${rows_per_step})`)
  const customers = new Set([...due, ...stalled, ...incomplete].map(({ customer_id }) => customer_id))
  await forEachCustomer([...customers], async (customer_id) => {
    const caller = callerOfJob(customer_id, 'reports')
    for (const { report_id } of due.filter((one) => one.customer_id === customer_id)) {
      const owner = await ownerOfSchedule(tenancy, customer_id, report_id)
      await tenancy.enter(caller, 'write', (scope) =>
        typeof owner === 'string' ? pause(scope, options, report_id, owner) : beginDue(scope, queue, report_id),
      )
    }
    for (const { run_id } of stalled.filter((one) => one.customer_id === customer_id))
      await tenancy.enter(caller, 'write', (scope) => queueDue(scope, queue, reportFileKind, [{ about_id: run_id }]))
    for (const { run_id } of incomplete.filter((one) => one.customer_id === customer_id))
      await tenancy.enter(caller, 'write', (scope) => completeRun(scope, queue, run_id))
  })
}

export const dueReportsJob = job({
  kind: jobKind('due_reports'),
  cron: '* * * * *',
  title: 'Starting scheduled reports',
  run: (options: CheckOptions) => startDueReports(options),
})

/** Releases files whose time is over. */
export async function forgetReportFiles(tenancy: Tenancy): Promise<void> {
  const step = async () => {
    const [row] = await tenancy.callFunction(
      sql<{ rows: number }>`select door_forget_report_files(${rows_per_step}) as rows`,
    )
    return row?.rows === rows_per_step
  }
  while (await step());
}

/** Runs before unused files are removed. */
export const forgetReportFilesJob = job({
  kind: jobKind('forget_report_files'),
  cron: '11 3 * * *',
  title: 'Removing former files of reports',
  run: ({ tenancy }: { tenancy: Tenancy }) => forgetReportFiles(tenancy),
})
