// Retention: since when every single session of a customer stands, and how many began on the days before; sums by day are kept longer,
// sums by hour may not be, and since when those stand.
import { addDays, day_ms, type Day } from '#contract/days.ts'
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { now } from '#server/time/clock.ts'
import { hours_kept_days } from '#server/time/kept-hours.ts'
import { localDay } from '#server/time/zones.ts'
import type { ReportQuery } from './asked.ts'
import { columnsToCount, matching } from './sources.ts'
import { mayBeIn, ofZone, type Spans } from './spans.ts'

export interface Retention {
  kept_ms: number
  /** The first day of which every session stands at every property. */
  since: Day
}

/** No zone has a later day than this one. */
const latest_zone = 'Pacific/Kiritimati'

/** Null: every session of the range stands. */
export function retentionOf({ first, kept: { sessions_ms: kept_ms } }: Spans): Retention | null {
  if (kept_ms === null) return null
  const since = addDays(localDay(kept_ms, latest_zone), 1)
  return since > first ? { kept_ms, since } : null
}

/** Sessions that began in the range and are gone, by the sums of their days. */
export async function goneSessions(scope: Scope, query: ReportQuery, spans: Spans) {
  const retention = retentionOf(spans)
  if (!retention) return { since: null, sessions: 0 }
  const { kept_ms, since } = retention
  // Of the day in whose middle the retention ends some sessions stand and some do not.
  const edge = sql`local_day(${new Date(kept_ms)}::timestamptz, p.time_zone)`
  const before = { ...spans, last: since < spans.last ? since : spans.last }
  const placed = sql`
    join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
    join ${spans.relation} on s.zone = p.time_zone`
  const sessions = (await spans.sessions(scope, before.last)).of(columnsToCount(query))
  const [counted] = await scope.run(sql<{ sessions: number }>`
    select greatest(0,
      (select coalesce(sum(t.sessions), 0) from session_days as t ${placed}
        where ${matching(scope, 'session_days', query)} and ${ofZone(sql`t.day between s.first and least(s.last, ${edge})`)}
          and t.day between ${before.first}::date and ${before.last}::date)
      - (select count(*) from ${sessions} as t ${placed}
        where ${matching(scope, 'radius_sessions', query)} and ${mayBeIn(before, sql`t.started_at`)}
          and t.started_at >= s.begins and t.started_at < s.ends and local_day(t.started_at, p.time_zone) <= ${edge})
    )::bigint as sessions`)
  return { since, sessions: counted?.sessions ?? 0 }
}

/** The first day of which sums stand, where the range begins before it; the days before count for nothing. */
export const sumsSince = ({ first, kept: { sums } }: Spans): Day | null => (sums !== null && sums > first ? sums : null)

/** The first day of which the sums of every hour stand at every property. */
export function hoursKept({ kept: { sums } }: Spans): Day {
  const since = addDays(localDay(now() - hours_kept_days * day_ms, latest_zone), 1)
  return sums !== null && sums > since ? sums : since
}

/** Null: every hour of the range stands. */
export function hoursSince(spans: Spans): Day | null {
  const since = hoursKept(spans)
  return since > spans.first ? since : null
}
