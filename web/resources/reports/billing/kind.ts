// Billing report: its words, and where it opens: a statement is a file, and its figures are those of billing runs.
import * as billingRuns from '#contract/billing-runs.ts'
import { lastMonth } from '#web/kit/display/months.ts'
import { to } from '#web/paths.ts'
import type { KindOfReport } from '#web/resources/reports/report-kind.ts'

export const billing: KindOfReport = {
  name: 'Billing',
  screen: {
    title: 'Billing',
    hint: 'Bills, statements, invoices',
    icon: 'roll',
    call: billingRuns.runList,
    load: () => import('#web/resources/billing/billing.tsx').then((m) => m.Billing),
  },
  nameOf: () => 'Billing',
  // What was sent, else the wizard.
  hrefOf: ({ id, isSent }) => (isSent ? to.scheduledReport(id) : to.editReport(id)),
  look: {
    title: 'See last month',
    text: 'What each property comes to, down to its nights, before anything is billed.',
    call: billingRuns.previewRun,
    href: () => to.newBillingRun({ ...lastMonth() }),
    link: 'See last month',
    label: 'Bill',
  },
  offered_with: billingRuns.previewRun,
  has_views: false,
  narrowed_by: ['places'],
  days_hint: 'The nights of these days. Without a choice: since it was last sent, or the last 30.',
  // Nights are written down at the property's midnight, which is later in the west.
  first_day_hint: 'From the 2nd of a month on, the month before is over everywhere.',
  shown: null,
}
