// Billing report: the statement of a period, which is only ever a file.
import type { ReportContract } from './report-kind.ts'

export const billing = { word: 'billing', sorts: [], rows: [] } as const satisfies ReportContract
