// Session report: its rows, totals and series. Rows and the numbers of sessions and identifiers are read from the sessions, and the
// number of those that are gone, usage, duration and the days of a chart from the roll-up.
import type { z } from 'zod'
import { sessionColumns, sessionColumnKeys, type ReportColumn, type ReportTotals } from '#contract/reports.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Day } from '#server/time/zones.ts'
import type { ReportQuery } from './report-query.ts'
import { goneSessions } from './retention.ts'
import { countedSessions } from './session-rows.ts'
import type { Spans } from './spans.ts'
import { daily, sumOfRange, sumsByDay, type Series } from './sums.ts'

export type Column = z.output<typeof ReportColumn>
export interface Summary {
  /** All rows of the report. */
  rows: number
  /** The first day of which every session stands, where the range begins before it. */
  sessions_since: Day | null
  totals: z.output<typeof ReportTotals>
  series: Series[]
}

/** In the order in which they were ticked; those that the view does not have are skipped. */
export function sessionReportColumns({ view_as, columns }: ReportQuery): Column[] {
  const known = new Set(sessionColumnKeys.filter((key) => sessionColumns[key].views.some((view) => view === view_as)))
  const shown = [...new Set(columns)].filter((key) => known.has(key)).map((key) => columnOf(key))
  return view_as === 'unique' ? [...shown, { key: 'sessions', title: 'Sessions', kind: 'number' }] : shown
}
const columnOf = (key: (typeof sessionColumnKeys)[number]): Column => {
  const { title, kind } = sessionColumns[key]
  return { key, title, kind }
}

export async function sessionSummary(scope: Scope, asked: ReportQuery, spans: Spans): Promise<Summary> {
  const [counted, gone, { usage_gb, seconds }, days] = await Promise.all([
    countedSessions(scope, asked, spans),
    goneSessions(scope, asked, spans),
    sumOfRange(scope, asked, spans),
    sumsByDay(scope, asked, spans),
  ])
  return {
    rows: asked.view_as === 'unique' ? counted.rows : counted.sessions,
    sessions_since: gone.since,
    totals: { sessions: counted.sessions + gone.sessions, identifiers: counted.identifiers, usage_gb, seconds },
    series: [
      daily(spans, 'usage_gb', 'Usage (GB)', new Map(days.map((sum) => [sum.day, sum.usage_gb]))),
      daily(spans, 'sessions', 'Sessions begun', new Map(days.map((sum) => [sum.day, sum.sessions]))),
    ],
  }
}
