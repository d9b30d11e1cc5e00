// Spans: the local days that are asked for, in each zone in which there are properties, and how a session lies in them.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import type { Sql } from '#server/entities/entity.ts'
import { now } from '#server/time/clock.ts'
import { addDays, dayBegins, localDay } from '#server/time/zones.ts'
import type { Asked } from './asked.ts'
import type { Days } from './ranges.ts'

export interface Spans {
  /** From the first day of any zone to the last day of any. */
  first: string
  last: string
  /** A relation `s(zone, first, last, begins, ends)`, each end exclusive. */
  relation: Sql
}

/**
 * For the rest of the transaction each statement is planned for its own values: how many rows a property and some days have is all
 * that a plan hangs on, and one that is made for any of them reads the whole of a month for a page. What is sent after it need not
 * wait for it.
 */
export const planForValues = (scope: Scope) =>
  scope.run(sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`)

export async function spansOf(scope: Scope, { days }: Asked): Promise<Spans> {
  // What was removed keeps its sessions, for whoever reaches all of the customer.
  const zones = await scope.run(sql<{ zone: string }>`
    select distinct p.time_zone as zone from properties as p
    where p.customer_id = ${scope.customer_id} and (p.deleted_at is not null or ${scope.inReach('properties', 'p')})`)
  const inZone = (zone: string, { first, last }: Days) => ({
    zone,
    first,
    last,
    begins: new Date(dayBegins(first, zone)),
    ends: new Date(dayBegins(addDays(last, 1), zone)),
  })
  const found = zones.map(({ zone }) => inZone(zone, days(localDay(now(), zone))))
  const all = found.length > 0 ? found : [days(localDay(now(), 'UTC'))]
  return {
    first: all.map(({ first }) => first).toSorted()[0] ?? '',
    last:
      all
        .map(({ last }) => last)
        .toSorted()
        .at(-1) ?? '',
    // Its instants are worked out here: in the statement they would be for each session.
    relation: sql`jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
      as s(zone text, first date, last date, begins timestamptz, ends timestamptz)`,
  }
}

/**
 * Holds a row against the span of its zone. As it is, the planner takes bounds that it does not know for narrow ones, and goes through
 * all properties' rows of those days for one property's; constants beside it say how many rows there are.
 */
export const ofZone = (condition: Sql) => sql<boolean>`case when ${condition} then true else false end`

/** No zone is further from UTC than 14 hours. */
const beginning = (day: string) => sql`${`${addDays(day, -1)}T00:00:00Z`}::timestamptz`
const ending = (day: string) => sql`${`${addDays(day, 2)}T00:00:00Z`}::timestamptz`

/** An instant that may be in the span, by constants: what an index on it needs. */
export const mayBeIn = ({ first, last }: Spans, instant: Sql) =>
  sql`${instant} >= ${beginning(first)} and ${instant} < ${ending(last)}`

/**
 * Any of the time of `t` is in the span `s`. The first lines say it by constants, for the indexes on beginnings, on ends and on
 * what is open: without them, everything since the first session ever would be looked at. A report may come late, and count for a
 * day after the end; so late that it matters here is none.
 */
export const isInSpan = ({ first, last }: Spans) => sql`(
  t.started_at < ${ending(last)} and (t.started_at >= ${beginning(first)} or t.stopped_at is null
    or t.stopped_at >= ${beginning(addDays(first, -7))})
  and t.started_at < s.ends and t.last_seen_at >= s.begins)`

/** What of `t` lies in the days of `s`: `used(seconds, bytes)`. What lies in them whole is its own sum. */
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
