// Free Wi-Fi report: each property's guests by day, of those who paid nothing and had no code.
import { freeWifiSorts } from '#contract/free-wifi-report.ts'
import type { ReportKind } from '#server/reports/kind.ts'
import { freeWifiColumns } from './columns.ts'
import { freeWifiDays, freeWifiFirst, freeWifiRows, freeWifiSummary } from './rows.ts'

/** Click-through, e-mail, SMS code: the sign-in methods without payment or access code. */
const freeMethods = [1, 5, 6]

export const freeWifi: ReportKind = {
  title: 'Free Wi-Fi',
  // Guests are counted by sign-in method alone.
  not_narrowed: {
    by: ['package_ids', 'mac_category_ids'],
    message: 'The free Wi-Fi report cannot be narrowed by this',
  },
  methodsOf: ({ auth_method_ids }) => (auth_method_ids.length === 0 ? freeMethods : auth_method_ids),
  reserved: null,
  group_of: 'now',
  waits_for: 'reports',
  content: {
    by: 'rows',
    describe: () => 'Free Wi-Fi by property and day',
    columns: () => freeWifiColumns,
    sorts: () => freeWifiSorts,
    sort: () => '-day',
    page: freeWifiRows,
    summary: (scope, query, spans) => freeWifiSummary(scope, query, spans, freeWifiDays(scope, query, spans)),
    async firstPage(scope, query, spans, page) {
      const first = freeWifiFirst(scope, query, spans, page)
      const days = first.then((read) => read.days)
      const [summary, { rows }] = await Promise.all([freeWifiSummary(scope, query, spans, days), first])
      return { summary, rows }
    },
    namesGuests: () => false,
  },
}
