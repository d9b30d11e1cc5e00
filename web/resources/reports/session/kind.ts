// Session report: its words, and where it opens.
import * as reports from '#contract/reports.ts'
import * as rows from '#contract/session-report.ts'
import { to } from '#web/paths.ts'
import { own_days, ownRows, viewNames, type KindOfReport } from '#web/resources/reports/report-kind.ts'

export const session: KindOfReport = {
  name: 'Sessions',
  screen: {
    title: 'Session report',
    icon: 'reports',
    call: reports.run,
    load: () => import('./screen.tsx').then((m) => m.SessionReport),
  },
  nameOf: (view) => viewNames[view],
  hrefOf: ({ id }) => to.report('session', { report_id: id }),
  look: ownRows,
  offered_with: reports.run,
  has_views: true,
  narrowed_by: ['places', 'guests'],
  days_hint: own_days,
  shown: {
    sorts: (view) => rows.sessionSorts[view],
    identifiers: 'Identifiers',
    duration: 'Time online',
    durationOf: ({ seconds }) => seconds,
  },
}
