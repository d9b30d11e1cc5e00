// Free Wi-Fi report: its words, and where it opens.
import * as rows from '#contract/free-wifi-report.ts'
import * as reports from '#contract/reports.ts'
import { to } from '#web/paths.ts'
import { own_days, ownRows, type KindOfReport } from '#web/resources/reports/report-kind.ts'

export const freeWifi: KindOfReport = {
  name: 'Free Wi-Fi',
  screen: {
    title: 'Free Wi-Fi report',
    icon: 'reports',
    call: reports.run,
    load: () => import('./screen.tsx').then((m) => m.FreeWifiReport),
  },
  nameOf: () => 'Free Wi-Fi',
  hrefOf: ({ id }) => to.report('free_wifi', { report_id: id }),
  look: ownRows,
  offered_with: reports.run,
  has_views: false,
  narrowed_by: ['places', 'guests'],
  days_hint: own_days,
  shown: {
    sorts: () => rows.freeWifiSorts,
    identifiers: 'Unique guests',
    duration: 'Mean duration',
    durationOf: ({ seconds, sessions }) => (sessions > 0 ? seconds / sessions : seconds),
  },
}
