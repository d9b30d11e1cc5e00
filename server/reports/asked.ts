// Asked: what a report asks of the sessions, once it is known which kind it is and what of a saved report was overridden.
import type { reportKinds, SessionColumn } from '#contract/reports.ts'
import type { FilterKey } from './filters.ts'
import type { Days } from './ranges.ts'

export type KindWord = (typeof reportKinds)[number]
export type ReportIds = Record<FilterKey, number[]>

export interface ReportQuery {
  /** Null where only fields were given. */
  report_id: number | null
  name: string
  kind: KindWord
  view_as: 'all_sessions' | 'unique'
  ids: ReportIds
  group_of: 'then' | 'now'
  /** The sign-in methods that are counted; none: all. */
  methods: number[]
  columns: SessionColumn[]
  /** When it was asked, in milliseconds: a range by name is reckoned from then, however much later its rows are read. */
  at: number
  daysIn: (zone: string) => Days
}
