// Report rules: what a report must have once it is no draft: both days of a range of its own.
import type { z } from 'zod'
import { ReportInput } from '#contract/reports.ts'
import type { Values } from '#web/kit/form/form-state.ts'

export type ReportSchema = typeof ReportInput
export type ReportField = keyof z.input<ReportSchema>

/** The same fields, of which fewer may stay empty. */
export function schemaFor(values: Values): ReportSchema {
  if (values['draft'] === true) return ReportInput
  if (values['date_range'] !== 'custom') return ReportInput
  const { start_date, end_date } = ReportInput.shape
  return ReportInput.extend({
    start_date: start_date.unwrap().unwrap(),
    end_date: end_date.unwrap().unwrap(),
  }) as unknown as ReportSchema
}
