// Columns of the session report: those that were ticked.
import { sessionColumns, sessionColumnKeys } from '#contract/reports.ts'
import type { ReportQuery } from '#server/reports/asked.ts'
import type { ColumnOfReport } from '#server/reports/kind.ts'

/** In the order in which they were ticked; those that the view does not have are skipped. */
export function sessionReportColumns({ view_as, columns }: Pick<ReportQuery, 'view_as' | 'columns'>): ColumnOfReport[] {
  const known = new Set(sessionColumnKeys.filter((key) => sessionColumns[key].views.some((view) => view === view_as)))
  const shown = [...new Set(columns)].filter((key) => known.has(key)).map((key) => columnOf(key))
  return view_as === 'unique' ? [...shown, { key: 'sessions', title: 'Sessions', kind: 'number' }] : shown
}
const columnOf = (key: (typeof sessionColumnKeys)[number]): ColumnOfReport => {
  const { title, kind } = sessionColumns[key]
  return { key, title, kind }
}
