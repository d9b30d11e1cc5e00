// Scheduled reports: saving a report, with or without a schedule, and listing those that are sent automatically.
import { sql } from 'kysely'
import { frequency_once, ReportName } from '#contract/reports.ts'
import * as contract from '#contract/scheduled-reports.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import type { Stored } from '#server/entities/entity.ts'
import { listRows, nameRows } from '#server/entities/lists.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { activateRow, createRow, deactivateRow, updateRow } from '#server/entities/verbs.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import { invalid } from '#server/errors/refused.ts'
import { refuseIdentifiers, refuseLeaving } from '#server/reports/file.ts'
import { refuseReserved } from '#server/reports/kinds.ts'
import { hindranceOf, ownedByCaller, pausedSentences } from '#server/reports/owners.ts'
import { askReceivers, type QuestionOptions } from '#server/reports/questions.ts'
import { refuseUnfit, reports } from '#server/reports/record.ts'
import { reschedule } from '#server/reports/schedule.ts'
import type { Services } from '#server/services.ts'

type Report = Stored<typeof reports>

const isScheduled = ({ frequency }: Report) => frequency !== null && frequency !== frequency_once

/** After a change: checks that the report is complete unless it is a draft, and schedules its next run. */
async function checked(scope: Scope, options: QuestionOptions, changed: Promise<Report>): Promise<Report> {
  const report = await changed
  refuseReserved(scope, report.kind)
  if (isScheduled(report) && !report.draft) refuseIdentifiers(scope, report)
  refuseUnfit(report, { scheduled: isScheduled(report) })
  await goOnIfMended(scope, report)
  await reschedule(scope, report.id)
  if (isScheduled(report) && !report.draft) await askReceivers(scope, options, report.recipients, { anew: true })
  return oneRow(scope, reports, report.id)
}

/** What rested because of something that it named goes on once it names nothing of the kind. */
async function goOnIfMended(scope: Scope, { id, paused_for }: Report): Promise<void> {
  if (paused_for === 'owner_reach' && (await hindranceOf(scope, id)) === null)
    await scope.change('reports', [id], going_on)
}

const going_on = { paused_at: null, paused_for: null, failures: 0 }
const remedies = {
  owner_left: 'Take it over first.',
  owner_lowered: 'Take it over first.',
  owner_reach: 'Change what it names first.',
  failed: '',
}

/** Refuses what would rest again at once. */
async function refuseHindered(scope: Scope, report: Report): Promise<void> {
  const why = isScheduled(report) && report.status === 'active' ? await hindranceOf(scope, report.id) : null
  if (why !== null) throw invalid({ id: [`${pausedSentences[why]} ${remedies[why]}`] })
}

/** The caller becomes its owner, and it goes on. */
async function takenOver(scope: Scope, id: number): Promise<Report> {
  const before = await lockedRow(scope, reports, id)
  refuseLeaving(scope, before)
  await scope.change('reports', [id], { ...(await ownedByCaller(scope)), ...going_on, owner_checked_at: null })
  const row = await oneRow(scope, reports, id)
  await refuseHindered(scope, row)
  await reschedule(scope, id)
  const owners = { before: { owner: before.owner }, after: { owner: row.owner } }
  await logActivity(scope, { action: 'update', entity: reports, row, ...owners })
  return oneRow(scope, reports, id)
}

/** Lets it run again, also after it was paused. */
export async function activated(scope: Scope, options: QuestionOptions, id: number): Promise<Report> {
  await scope.change('reports', [id], { ...going_on, owner_checked_at: null })
  const report = await checked(scope, options, activateRow(scope, reports, id))
  await refuseHindered(scope, report)
  return report
}

export async function disableSchedule(scope: Scope, id: number) {
  await deactivateRow(scope, reports, id)
  await reschedule(scope, id)
}

const scheduled = <I extends { filters: object }>(input: I) => ({
  ...input,
  filters: { ...input.filters, scheduled: true },
})

export default (options: Pick<Services, 'fingerprint' | 'queue' | 'portal_url'>) =>
  serve(contract, {
    listScheduled: ({ scope, input }) => listRows(scope, reports, scheduled(input), contract.ScheduledReportRow),
    namesScheduled: ({ scope }) => nameRows(scope, reports, ReportName, sql`t.scheduled`),
    nameListScheduled: ({ scope, input }) => listRows(scope, reports, scheduled(input), ReportName),
    create: async ({ scope, input }) =>
      checked(scope, options, createRow(scope, reports, { ...input, ...(await ownedByCaller(scope)) })),
    update: ({ scope, input }) => checked(scope, options, updateRow(scope, reports, input)),
    async deactivateScheduled({ scope, input }) {
      await disableSchedule(scope, input.id)
      return oneRow(scope, reports, input.id)
    },
    takeOver: ({ scope, input }) => takenOver(scope, input.id),
    activateScheduled: ({ scope, input }) => activated(scope, options, input.id),
  })
