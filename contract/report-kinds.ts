// Report kinds: one line each. The words, the sorts and the rows of the calls in reports.ts follow from them.
import { billing } from './billing-report.ts'
import { freeWifi } from './free-wifi-report.ts'
import { session } from './session-report.ts'

export const kinds = [
  // In this order people choose among them.
  session,
  freeWifi,
  billing,
] as const
