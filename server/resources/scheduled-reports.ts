// Scheduled reports: saving a report, with or without a schedule, and listing those that are sent automatically.
import { sql } from 'kysely'
import { frequency_once, ReportName } from '#contract/reports.ts'
import * as contract from '#contract/scheduled-reports.ts'
import { userIdOf } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import type { Stored } from '#server/entities/entity.ts'
import { listRows, nameRows } from '#server/entities/lists.ts'
import { oneRow } from '#server/entities/read.ts'
import { activateRow, createRow, deactivateRow, updateRow } from '#server/entities/verbs.ts'
import { refuseBills } from '#server/reports/report-query.ts'
import { refuseUnfit, reports } from '#server/reports/record.ts'
import { reschedule } from '#server/reports/schedule.ts'

type Report = Stored<typeof reports>

const isScheduled = ({ frequency }: Report) => frequency !== null && frequency !== frequency_once

/** After a change: checks that the report is complete unless it is a draft, and schedules its next run. */
async function checked(scope: Scope, changed: Promise<Report>): Promise<Report> {
  const report = await changed
  refuseBills(scope, report.kind)
  refuseUnfit(report, { scheduled: isScheduled(report) })
  await reschedule(scope, report.id)
  return oneRow(scope, reports, report.id)
}

/** Lets it run again, also after it was paused for failures. */
export async function activated(scope: Scope, id: number): Promise<Report> {
  await scope.change('reports', [id], { paused_at: null, failures: 0 })
  return checked(scope, activateRow(scope, reports, id))
}

const scheduled = <I extends { filters: object }>(input: I) => ({
  ...input,
  filters: { ...input.filters, scheduled: true },
})

export default serve(contract, {
  listScheduled: ({ scope, input }) => listRows(scope, reports, scheduled(input), contract.ScheduledReportRow),
  namesScheduled: ({ scope }) => nameRows(scope, reports, ReportName, sql`t.scheduled`),
  nameListScheduled: ({ scope, input }) => listRows(scope, reports, scheduled(input), ReportName),
  create: ({ scope, input }) => checked(scope, createRow(scope, reports, { ...input, user_id: userIdOf(scope) })),
  update: ({ scope, input }) => checked(scope, updateRow(scope, reports, input)),
  async deactivateScheduled({ scope, input }) {
    await deactivateRow(scope, reports, input.id)
    await reschedule(scope, input.id)
    return oneRow(scope, reports, input.id)
  },
  activateScheduled: ({ scope, input }) => activated(scope, input.id),
})
