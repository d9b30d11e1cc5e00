// Spans: the requested local days in each zone that has properties, and which part of a session falls into them.
import { addDays, midnightOf, type Day } from '#contract/days.ts'
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import type { Sql } from '#server/entities/entity.ts'
import { dayBegins } from '#server/time/zones.ts'
import { sessionsBetween, type Sessions } from '#server/history/read-sessions.ts'
import type { ReportQuery } from './asked.ts'
import type { Days } from './ranges.ts'
import { placesRead, reportPlaces } from './sources.ts'

export interface Spans {
  /** From the first day of any zone to the last day of any. */
  first: string
  last: string
  /** Since when single sessions of the customer stand, in milliseconds, and sums of days; null: none were deleted. */
  kept: { sessions_ms: number | null; sums: Day | null }
  /** A relation `s(zone, first, last, begins, ends)`, each end exclusive. */
  relation: Sql
  /** Where the sessions with any time in them are read from, in the transaction that asks: they may be packed after it. */
  /** Those with any time in it, or until a former day of it. */
  sessions: (scope: Scope, last?: Day) => Promise<Sessions>
}

/**
 * Has each further statement of the transaction planned for its own values: a good plan depends on how many rows the property and
 * the days have, and a generic one reads a whole month for a page. Statements that are sent after this one need not wait for it.
 */
export const planForValues = (scope: Scope) =>
  scope.run(sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`)

export async function spansOf(scope: Scope, query: ReportQuery): Promise<Spans> {
  // Removed properties keep their sessions.
  const [customer] = await scope.run(sql<Spans['kept'] & { own_zone: string; zones: string[] }>`
    select c.time_zone as own_zone, array(select distinct p.time_zone from properties as p
        where ${scope.everInReach('properties', 'p')} and ${reportPlaces(scope, query)}) as zones,
      extract(epoch from c.sessions_kept_since)::float8 * 1000 as sessions_ms, c.sums_kept_since::text as sums
    from customers as c where c.id = ${scope.customer_id}`)
  if (!customer) throw new Error('a scope has a customer')
  const { own_zone, zones, sessions_ms, sums } = customer
  const inZone = (zone: string, { first, last }: Days) => ({
    zone,
    first,
    last,
    begins: new Date(dayBegins(first, zone)),
    ends: new Date(dayBegins(addDays(last, 1), zone)),
  })
  const found = zones.map((zone) => inZone(zone, query.daysIn(zone)))
  // Where there is no property, it is the customer's day.
  const all = found.length > 0 ? found : [query.daysIn(own_zone)]
  const first = all.map(({ first }) => first).toSorted()[0] ?? ''
  const last =
    all
      .map(({ last }) => last)
      .toSorted()
      .at(-1) ?? ''
  return {
    first,
    last,
    kept: { sessions_ms, sums },
    sessions: (reader, until = last) => sessionsBetween(reader, { since: beginningOf(first), until: endOf(until) }),
    // The instants are computed here: the statement would compute them for each session.
    relation: sql`jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
      as s(zone text, first date, last date, begins timestamptz, ends timestamptz)`,
  }
}

/**
 * The properties of a report with the days of their zone, a table of its own at the head of a statement that asks several tables about
 * them: what is planned for each table anew takes as long as reading a month of a property. Joined as `p` by `joinPlaces`.
 */
export const placesAndDays = (scope: Scope, query: ReportQuery, { relation }: Spans) => sql`
  places as materialized (
    select p.customer_id, p.id, p.name, p.time_zone, p.property_type_id, p.connectivity_type_id, p.group_id,
      s.first, s.last, s.begins, s.ends
    from properties as p join ${relation} on s.zone = p.time_zone
    where p.customer_id = ${scope.customer_id} and ${placesRead(query)})`
export const joinPlaces = sql`join places as p on p.customer_id = t.customer_id and p.id = t.property_id`

/**
 * Checks a row against the span of its zone. Without the `case`, the planner assumes that bounds it does not know are narrow, and
 * reads the rows of all properties on those days for one property's; constants next to it show how many rows there are.
 */
export const ofZone = (condition: Sql) => sql<boolean>`case when ${condition} then true else false end`

/** No zone is further from UTC than 14 hours. */
const beginningOf = (day: Day) => new Date(midnightOf(addDays(day, -1)))
const endOf = (day: Day) => new Date(midnightOf(addDays(day, 2)))
const instant = (at: Date) => sql`${at.toISOString()}::timestamptz`
const beginning = (day: Day) => instant(beginningOf(day))
const ending = (day: Day) => instant(endOf(day))

/** Whether an instant may be in the span, by constants, as an index needs them. */
export const mayBeIn = ({ first, last }: Spans, instant: Sql) =>
  sql`${instant} >= ${beginning(first)} and ${instant} < ${ending(last)}`

/**
 * Whether any of the time of `t` is in the span `s`. The first lines use constants, for the indexes on starts, on ends and on open
 * sessions: without them, every session ever kept would be read. A late report may count for a day after the end, but never seven
 * days after it.
 */
export const isInSpan = ({ first, last }: Spans) => sql`(
  t.started_at < ${ending(last)} and (t.started_at >= ${beginning(first)} or t.stopped_at is null
    or t.stopped_at >= ${beginning(addDays(first, -7))})
  and t.started_at < s.ends and t.last_seen_at >= s.begins)`

/** Whether all sessions of a pack `k`, or any, may be in the span of their property. */
export function packIn({ relation }: Spans) {
  const isThere = (condition: Sql) => sql<boolean>`exists (
    select from properties as p join ${relation} on s.zone = p.time_zone
    where p.customer_id = k.customer_id and p.id = k.property_id and ${condition})`
  return {
    isWhole: isThere(sql`k.began_at >= s.begins and k.over_at < s.ends`),
    touches: isThere(sql`k.began_at < s.ends and k.over_at >= s.begins`),
  }
}

/** What `t` used in the days of `s`: `used(seconds, bytes)`. A session that is wholly in them has its own totals. */
export const used = sql`lateral (
  select t.seconds::bigint as seconds, t.bytes_up + t.bytes_down as bytes
    where t.started_at >= s.begins and t.last_seen_at < s.ends
  union all
  select coalesce(sum(d.seconds), 0)::bigint, coalesce(sum(d.bytes_up + d.bytes_down), 0)::bigint
    from session_parts(t.days) as d
    where d.day between s.first and s.last and (t.started_at < s.begins or t.last_seen_at >= s.ends)
    having t.started_at < s.begins or t.last_seen_at >= s.ends) as used`

/** 10⁹ bytes each, to 3 decimals. */
export const gigabytes = (bytes: Sql) => sql`round(${bytes}::numeric / 1e9, 3)::float8`
