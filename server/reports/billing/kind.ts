// Billing report: the statement of a period, as a file. Its figures on a screen are those of billing runs.
import { allows } from '#contract/permissions.ts'
import type { ReportKind } from '#server/reports/kind.ts'
import { billingReport } from './table.ts'

export const billing: ReportKind = {
  title: 'Statement',
  // A bill covers whole properties.
  not_narrowed: {
    by: ['package_ids', 'auth_method_ids', 'mac_category_ids', 'property_type_ids', 'connectivity_type_ids'],
    message: 'A statement can only be narrowed by properties, groups and collections',
  },
  methodsOf: ({ auth_method_ids }) => auth_method_ids,
  // API keys and users of a group or a property cannot have statements made.
  reserved: {
    isOpenTo: ({ can }) => allows(can, 'billing', 'read'),
    asking: 'Only the customer’s own people can see bills',
    taking: 'It is a statement: only the customer’s own people can export it.',
  },
  group_of: 'now',
  waits_for: 'nights',
  content: {
    by: 'file',
    open: billingReport,
    shown_elsewhere: 'What a period comes to is answered by /billing-runs-preview, and a statement by /reports-export',
  },
}
