// Sums: the totals of sessions by day, from the roll-up session_days, which grows with days, packages and sign-in methods but not
// with the number of sessions. Every filter of a report is a column there or one of the property.
import { addDays, type Day } from '#contract/days.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { ReportSeries } from '#contract/reports.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { ReportQuery } from './asked.ts'
import { matching } from './sources.ts'
import { joinPlaces, gigabytes, ofZone, placesAndDays, type Spans } from './spans.ts'

export type Series = z.output<typeof ReportSeries>
interface Sum {
  /** Begun in that time. */
  sessions: number
  usage_gb: number
  seconds: number
}
export interface DaySum extends Sum {
  day: Day
  /** The sign-in method, where sums are asked for by it. */
  method: number | null
  method_name: string | null
}
interface Sums {
  /** Rounded once. */
  range: Sum
  /** Only those with data, in the order of methods and days. */
  days: DaySum[]
}

const byDay = { columns: sql`t.day`, method: sql`null::integer`, name: sql`null::text` }
const byMethod = {
  columns: sql`t.day, t.auth_method_id`,
  method: sql`t.auth_method_id`,
  name: sql`(select r.name from auth_methods as r where r.id = t.auth_method_id)`,
}

/** A session counts on the day on which it began, its usage on the days of that usage. */
export async function sumsOf(
  scope: Scope,
  query: ReportQuery,
  spans: Spans,
  { by_method = false } = {},
): Promise<Sums> {
  const { columns, method, name } = by_method ? byMethod : byDay
  const rows = await scope.run(sql<Omit<DaySum, 'day'> & { day: Day | null }>`
    with ${placesAndDays(scope, query, spans)}
    select t.day::text, ${method} as method, ${name} as method_name, coalesce(sum(t.sessions), 0)::bigint as sessions,
      coalesce(sum(t.seconds), 0)::bigint as seconds, coalesce(${gigabytes(sql`sum(t.bytes_up + t.bytes_down)`)}, 0) as usage_gb
    from session_days as t ${joinPlaces}
    where ${matching(scope, 'session_days', query)} and ${ofZone(sql`t.day between p.first and p.last`)}
      and t.day between ${spans.first}::date and ${spans.last}::date
    group by grouping sets ((${columns}), ()) order by 2, 1`)
  const nothing = { sessions: 0, usage_gb: 0, seconds: 0 }
  const { sessions, usage_gb, seconds } = rows.find(({ day }) => day === null) ?? nothing
  return {
    range: { sessions, usage_gb, seconds },
    days: rows.flatMap(({ day, ...sums }) => (day === null ? [] : [{ day, ...sums }])),
  }
}

/** A point for each day of the range, including those without data. */
export function daily(spans: Spans, key: string, title: string, values: ReadonlyMap<string, number>): Series {
  const points: Series['points'] = []
  for (let day = spans.first; day <= spans.last; day = addDays(day, 1))
    points.push({ at: day, value: values.get(day) ?? 0 })
  return { key, title, points }
}
