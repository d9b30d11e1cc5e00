// Report files: the files that were made in the background, by a schedule or because a report was long.
import * as runs from '#contract/report-runs.ts'
import { periodOf } from '#web/kit/display/months.ts'
import { dataOf, wholeOf } from '#web/kit/display/numbers.ts'
import { dayOf, recentTimeOf } from '#web/kit/display/dates.ts'
import { recent_px } from '#web/kit/list/columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column, Filters } from '#web/kit/list/list-types.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { runKind } from './kind.ts'
import { ReportsNav } from '#web/frame/reports-nav.tsx'
import { isUnderWay, optionsOf, outcomeNames, outcomeTones, type Run } from './words.ts'
import styles from './reports.module.css'

const stateOf = (run: Run) =>
  run.outcome === 'running' && run.progress !== null
    ? `${outcomeNames.running}, ${Math.round(run.progress)}%`
    : outcomeNames[run.outcome]

const completeOf = ({ complete_to, missing }: Run) =>
  complete_to && `${dayOf(complete_to)}${missing.length > 0 ? `, ${wholeOf(missing.length)} missing` : ''}`

const columns: Column<typeof runs.listRuns>[] = [
  { title: 'Report', cell: (run) => run.name, width: 160, priority: 1, grow: 2 },
  {
    title: 'State',
    cell: (run) => (
      <Badge dot tone={outcomeTones[run.outcome]}>
        {stateOf(run)}
      </Badge>
    ),
    below: stateOf,
    width: 140,
    priority: 2,
  },
  {
    title: 'Why it failed',
    cell: (run) => run.error && <span className={styles.wrong}>{run.error}</span>,
    below: (run) => run.error,
    width: 140,
    priority: 4,
    grow: 3,
  },
  { title: 'Made', cell: (run) => recentTimeOf(run.created_at), width: recent_px, priority: 3 },
  {
    title: 'Days',
    cell: ({ period_start, period_end }) => period_start && period_end && periodOf(period_start, period_end),
    width: 190,
    priority: 6,
    grow: 1,
  },
  {
    title: 'Complete to',
    cell: (run) => run.complete_to && <span title={run.missing.join('\n') || undefined}>{completeOf(run)}</span>,
    below: (run) => (run.missing.length > 0 ? run.missing.join(' ') : null),
    width: 150,
    priority: 8,
  },
  {
    title: 'Rows',
    cell: (run) => run.row_count !== null && wholeOf(run.row_count),
    width: 80,
    priority: 7,
    align: 'end',
  },
  {
    title: 'File',
    cell: (run) => (isUnderWay(run) || run.bytes === null ? run.format : `${run.format}, ${dataOf(run.bytes)}`),
    width: 110,
    priority: 5,
  },
]

const filters: Filters<typeof runs.listRuns> = {
  outcome: { title: 'State', kind: 'checkbox', options: optionsOf(outcomeNames) },
}

/** The files of one report, or all. */
export const RunsList = ({ report_id }: { report_id?: number }) => (
  <ListScreen
    of={runs.listRuns}
    title="Files"
    kind={runKind}
    columns={columns}
    filters={filters}
    where={report_id === undefined ? {} : { report_id }}
    empty={{
      icon: 'file',
      title: 'No files yet',
      children: 'Scheduled reports are here as well, to download or send again.',
      action: report_id === undefined && <LinkButton href={to.scheduledReports()}>Scheduled reports</LinkButton>,
    }}
  />
)

export const ReportFiles = () => (
  <>
    <ReportsNav />
    <RunsList />
  </>
)
