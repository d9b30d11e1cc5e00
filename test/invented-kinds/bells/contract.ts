// Bells: the contract of a kind of report that no release has, and its line in the list of the contract.
import { z } from 'zod'
import type { ReportContract } from '#contract/report-kind.ts'
import { kinds } from '#contract/report-kinds.ts'
import { count } from '#contract/shapes.ts'

export const bells = {
  word: 'church_bells',
  sorts: ['tower', 'strokes'],
  rows: [z.object({ tower: z.string(), strokes: count }).meta({ id: 'BellsReportRow' })],
} as const satisfies ReportContract

;(kinds as unknown as ReportContract[]).push(bells)
