// Sums: the totals of sessions by day, from the roll-up session_days, which grows with days, packages and sign-in methods but not
// with the number of sessions. Every filter of a report is a column there or one of the property.
import { addDays } from '#contract/days.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { ReportSeries } from '#contract/reports.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { ReportQuery } from './asked.ts'
import { matching } from './sources.ts'
import { gigabytes, ofZone, type Spans } from './spans.ts'

export type Series = z.output<typeof ReportSeries>
export interface DaySum {
  day: string
  /** Begun on that day. */
  sessions: number
  usage_gb: number
  seconds: number
}

/** Only days with data. A session counts on the day on which it began, its usage on the days of that usage. */
export const sumsByDay = (scope: Scope, query: ReportQuery, spans: Spans): Promise<DaySum[]> =>
  scope.run(sql<DaySum>`
    select t.day::text, sum(t.sessions)::bigint as sessions, sum(t.seconds)::bigint as seconds,
      ${gigabytes(sql`sum(t.bytes_up + t.bytes_down)`)} as usage_gb
    from session_days as t
    join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
    join ${spans.relation} on s.zone = p.time_zone
    where ${matching(scope, 'session_days', query)} and ${ofZone(sql`t.day between s.first and s.last`)}
      and t.day between ${spans.first}::date and ${spans.last}::date
    group by t.day order by t.day`)

/** The whole range at once, rounded once. */
export async function sumOfRange(scope: Scope, query: ReportQuery, spans: Spans) {
  const [sum] = await scope.run(sql<{ usage_gb: number; seconds: number; sessions: number }>`
    select coalesce(${gigabytes(sql`sum(t.bytes_up + t.bytes_down)`)}, 0) as usage_gb,
      coalesce(sum(t.seconds), 0)::bigint as seconds, coalesce(sum(t.sessions), 0)::bigint as sessions
    from session_days as t
    join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
    join ${spans.relation} on s.zone = p.time_zone
    where ${matching(scope, 'session_days', query)} and ${ofZone(sql`t.day between s.first and s.last`)}
      and t.day between ${spans.first}::date and ${spans.last}::date`)
  return sum ?? { usage_gb: 0, seconds: 0, sessions: 0 }
}

/** A point for each day of the range, including those without data. */
export function daily(spans: Spans, key: string, title: string, values: ReadonlyMap<string, number>): Series {
  const points: Series['points'] = []
  for (let day = spans.first; day <= spans.last; day = addDays(day, 1))
    points.push({ at: day, value: values.get(day) ?? 0 })
  return { key, title, points }
}
