// Session report: the sessions one by one, or one row for each identifier.
import { sessionSorts } from '#contract/session-report.ts'
import type { ReportKind } from '#server/reports/kind.ts'
import { sessionReportColumns } from './columns.ts'
import { sessionRows, uniqueRows } from './rows.ts'
import { sessionSummary } from './summary.ts'

const views = {
  all_sessions: { title: 'All sessions', sort: '-start', page: sessionRows },
  unique: { title: 'Unique identifiers', sort: '-usage_gb', page: uniqueRows },
} as const

export const session: ReportKind = {
  title: 'Sessions',
  not_narrowed: { by: [], message: '' },
  methodsOf: ({ auth_method_ids }) => auth_method_ids,
  reserved: null,
  group_of: 'then',
  waits_for: 'reports',
  content: {
    by: 'rows',
    describe: ({ view_as }) => views[view_as].title,
    columns: sessionReportColumns,
    sorts: ({ view_as }) => sessionSorts[view_as],
    sort: ({ view_as }) => views[view_as].sort,
    page: (scope, query, spans, page) => views[query.view_as].page(scope, query, spans, page),
    summary: sessionSummary,
    namesGuests: (query) => sessionReportColumns(query).some(({ key }) => key === 'identifier'),
  },
}
