// Report rules: the fields that a report requires once it is not a draft: the days of a custom range, and the recipients and first day
// of a schedule.
import { frequency_once, ReportInput } from '#contract/reports.ts'
import type { Values } from '#web/kit/form/form-state.ts'
import { stricter } from '#web/kit/form/stricter.ts'

export type ReportSchema = typeof ReportInput

const needed = (name: 'start_date' | 'end_date') => ({ [name]: ReportInput.shape[name].unwrap().unwrap() })

export const isSent = ({ frequency }: Values): boolean => typeof frequency === 'number' && frequency !== frequency_once

/** The same fields, more of which are required. */
export function schemaFor(values: Values): ReportSchema {
  if (values['draft'] === true) return ReportInput
  const own = values['date_range'] === 'custom'
  return stricter(ReportInput, {
    ...(own || isSent(values) ? needed('start_date') : {}),
    ...(own ? needed('end_date') : {}),
    ...(isSent(values) ? { recipients: ReportInput.shape.recipients.unwrap().min(1) } : {}),
  })
}
