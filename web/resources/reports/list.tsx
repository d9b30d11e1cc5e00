// Reports list: the reports that were saved, and drafts to go on with.
import * as reports from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { dateOf } from '#web/kit/display/dates.ts'
import { StatusBadge, statusBelow, statusOptions } from '#web/kit/display/status-badge.tsx'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column, Filters } from '#web/kit/list/list-types.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { reportKind, type SavedReport } from './kind.ts'
import { ReportsNav } from './reports-nav.tsx'
import { formatNames, kindNames, optionsOf, rangeNames, viewNames } from './words.ts'

const rangeOf = ({ date_range }: SavedReport) => (date_range === null ? '' : rangeNames[date_range])
const columns: Column<typeof reports.list>[] = [
  { title: 'Name', cell: (report) => report.name, width: 160, priority: 1, sort: 'name', grow: 3 },
  {
    title: 'Status',
    cell: (report) => <StatusBadge of={report.status} />,
    below: statusBelow,
    width: 104,
    priority: 2,
  },
  {
    title: 'About',
    cell: ({ kind, view_as }) => (kind === 'session' ? viewNames[view_as] : kindNames[kind]),
    below: ({ kind }) => kindNames[kind],
    width: 110,
    priority: 3,
  },
  { title: 'Days', cell: rangeOf, width: 120, priority: 5, grow: 1 },
  { title: 'Format', cell: ({ format }) => formatNames[format], width: 150, priority: 6 },
  { title: 'Created', cell: ({ created_at }) => dateOf(created_at), width: 118, priority: 4, sort: 'created_at' },
]

const filters: Filters<typeof reports.list> = {
  status: { title: 'Status', kind: 'checkbox', options: statusOptions },
  kind: { title: 'About', kind: 'checkbox', options: optionsOf(kindNames) },
  view_as: { title: 'Rows', kind: 'checkbox', options: optionsOf(viewNames) },
  format: { title: 'Format', kind: 'checkbox', options: optionsOf(formatNames), more: true },
}

export function ReportsList() {
  const mayCreate = useMayCall(scheduled.create)
  const create = mayCreate && (
    <LinkButton kind="primary" icon="add" href={to.newReport()}>
      New report
    </LinkButton>
  )
  return (
    <>
      <ReportsNav />
      <ListScreen
        of={reports.list}
        title="Reports"
        kind={reportKind}
        columns={columns}
        filters={filters}
        actions={create}
        empty={{
          icon: 'reports',
          title: 'No saved reports yet',
          children: 'Open Sessions above for a report at once; save it to have it again.',
          action: (
            <LinkButton kind="primary" href={to.sessionReport()}>
              Open the session report
            </LinkButton>
          ),
        }}
      />
    </>
  )
}
