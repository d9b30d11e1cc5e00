// Reports list: the saved reports, including scheduled ones and drafts.
import * as reports from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { formatNames } from '#web/kit/display/file-formats.ts'
import { recentTimeOf } from '#web/kit/display/dates.ts'
import { StatusBadge, statusBelow, statusOptions } from '#web/kit/display/status-badge.tsx'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column, ScreenFilters } from '#web/kit/list/list-types.ts'
import { CreateButton } from '#web/kit/navigation/create-button.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { reportKind, type SavedReport } from './kind.ts'
import { ReportsNav } from '#web/frame/reports-nav.tsx'
import { kinds } from './kinds.ts'
import { viewNames } from './report-kind.ts'
import { optionsOf, outcomeNames, rangeNames } from './words.ts'

const column = fieldColumns(reports)

const rangeOf = ({ date_range }: SavedReport) => (date_range === null ? '' : rangeNames[date_range])
const lastOf = ({ last_run }: SavedReport) =>
  last_run ? `${outcomeNames[last_run.outcome]}, ${recentTimeOf(last_run.created_at)}` : ''

const columns: Column<typeof reports.list>[] = [
  column('name', { width: 200, priority: 1, sort: 'name', grow: 3 }),
  column('status', {
    cell: (report) => <StatusBadge of={report.status} />,
    below: statusBelow,
    width: 104,
    priority: 2,
  }),
  column('kind', {
    cell: ({ kind, view_as }) => kinds[kind].nameOf(view_as),
    below: ({ kind }) => kinds[kind].name,
    width: 110,
    priority: 3,
  }),
  column('date_range', { cell: rangeOf, width: 120, priority: 5, grow: 1 }),
  column('frequency', { width: 104, priority: 4 }),
  column('next_run_at', { width: 118, priority: 6 }),
  { title: 'Last file', cell: lastOf, width: 160, priority: 7, grow: 1 },
]

const filters: ScreenFilters<typeof reports.list> = {
  status: { kind: 'checkbox', options: statusOptions },
  kind: { kind: 'checkbox', options: Object.entries(kinds).map(([value, { name }]) => ({ value, label: name })) },
  view_as: { kind: 'checkbox', options: optionsOf(viewNames) },
  format: { kind: 'checkbox', options: optionsOf(formatNames), more: true },
  frequency: { kind: 'checkbox', none: true },
}

export function ReportsList() {
  return (
    <>
      <ReportsNav />
      <ListScreen
        of={reports.list}
        title="Reports"
        kind={reportKind}
        columns={columns}
        filters={filters}
        actions={
          <CreateButton of={scheduled.create} href={to.newReport()}>
            New report
          </CreateButton>
        }
        empty={{
          icon: 'reports',
          title: 'No saved reports yet',
          children:
            'Open Sessions above to run a report right away; save it to run it again, or to have it sent regularly.',
          action: (
            <LinkButton kind="primary" href={to.report('session')}>
              Open the session report
            </LinkButton>
          ),
        }}
      />
    </>
  )
}
