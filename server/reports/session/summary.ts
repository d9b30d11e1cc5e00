// Summary of the session report: totals and series. The numbers of sessions and identifiers are read from the sessions, and the
// number of those that are gone, usage, duration and the days of a chart from the roll-up.
import type { Scope } from '#server/access/tenancy.ts'
import type { ReportQuery } from '#server/reports/asked.ts'
import type { Summary } from '#server/reports/kind.ts'
import { goneSessions } from '#server/reports/retention.ts'
import type { Spans } from '#server/reports/spans.ts'
import { daily, sumsOf } from '#server/reports/sums.ts'
import { countedSessions } from './rows.ts'

export async function sessionSummary(scope: Scope, query: ReportQuery, spans: Spans): Promise<Summary> {
  const [counted, gone, { range, days }] = await Promise.all([
    countedSessions(scope, query, spans),
    goneSessions(scope, query, spans),
    sumsOf(scope, query, spans),
  ])
  return {
    rows: query.view_as === 'unique' ? counted.rows : counted.sessions,
    sessions_since: gone.since,
    hours_since: null,
    totals: {
      sessions: counted.sessions + gone.sessions,
      identifiers: counted.identifiers,
      usage_gb: range.usage_gb,
      seconds: range.seconds,
    },
    series: [
      daily(spans, 'usage_gb', 'Usage (GB)', new Map(days.map((sum) => [sum.day, sum.usage_gb]))),
      daily(spans, 'sessions', 'Sessions begun', new Map(days.map((sum) => [sum.day, sum.sessions]))),
    ],
  }
}
