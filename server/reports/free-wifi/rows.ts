// Free Wi-Fi report: each property's figures by day, from roll-ups alone: session_days, guest_days (their sums, once the
// guests are forgotten), property_hours and consents.
// All of them count guests who signed in by a free method, unless other methods are requested.
import { sql } from 'kysely'
import type { z } from 'zod'
import type { FreeWifiReportRow } from '#contract/free-wifi-report.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Sql } from '#server/entities/entity.ts'
import type { ReportQuery } from '#server/reports/asked.ts'
import type { PageRequest, Placed, Summary } from '#server/reports/kind.ts'
import { hoursKept, hoursSince, retentionOf } from '#server/reports/retention.ts'
import { matching } from '#server/reports/sources.ts'
import { joinPlaces, gigabytes, mayBeIn, ofZone, placesAndDays, type Spans } from '#server/reports/spans.ts'
import { daily, sumsOf, type DaySum, type Series } from '#server/reports/sums.ts'

type Row = z.output<typeof FreeWifiReportRow>
/** With the position from which the next page begins. */
type PlacedRow = Row & { after: string; id: number }

type Source = Parameters<typeof matching>[1]
/** Rows `t` of a source at places `p`, on days in the span of their property. The days are also constants, for an index. */
const rowsOf = (
  scope: Scope,
  query: ReportQuery,
  spans: Spans,
  source: 'session_days' | 'guest_days' | 'guest_day_sums',
) => sql`
  ${placed(scope, query, source)} and ${ofZone(sql`t.day between p.first and p.last`)}
    and t.day between ${spans.first}::date and ${spans.last}::date`
/** The same for a source whose rows have an instant. */
const instantsOf = (scope: Scope, query: ReportQuery, spans: Spans, source: Source, instant: Sql) => sql`
  ${placed(scope, query, source)} 
    and ${ofZone(sql`${instant} >= p.begins and ${instant} < p.ends`)} and ${mayBeIn(spans, instant)}`
const placed = (scope: Scope, query: ReportQuery, source: Source) => sql`
  ${sql.table(source)} as t ${joinPlaces} where ${matching(scope, source, query)}`

/** Each guest once, or once for each value of `by`. `group by` is hashed; `distinct` would sort. */
const guestsBy = (scope: Scope, query: ReportQuery, spans: Spans, by?: Sql) => sql`
  (select ${by ? sql`${by}, ` : sql``}t.guest, bool_or(t.first_seen) as is_new
   from ${rowsOf(scope, query, spans, 'guest_days')} group by ${by ? sql`${by}, ` : sql``}t.guest)`

/** The most online at once in an hour, of those who signed in by the methods that the report counts, whom a key names as bits. */
const onlineOf = ({ methods }: ReportQuery) => {
  const asked = methods.reduce((sum, method) => sum | (1 << (method - 1)), 0)
  return sql`case when t.online_by_methods is null then t.online else coalesce((
    select max(k.value::integer) from jsonb_each_text(t.online_by_methods) as k where k.key::integer & ~${asked}::integer = 0), 0) end`
}

const hourDay = sql`local_day(t.hour, p.time_zone)`
const consentDay = sql`local_day(t.granted_at, p.time_zone)`
/** Who gave a consent: a guest counts once a day, on however many devices. */
const consenting = sql`coalesce('guest ' || t.guest_id, 'device ' || t.mac_address, 'record ' || t.id)`

/**
 * The sources are appended and added up, not joined: the planner cannot estimate how many rows each has, and a nested loop over
 * thousands by thousands takes seconds. The number online makes no row on its own. `id` fixes the order of equal rows: no two
 * share both property and day.
 */
const dayRows = (scope: Scope, query: ReportQuery, spans: Spans) => sql`
  (select p.name as property, d.day, d.sessions, d.guests as unique_guests, d.new_guests, d.guests - d.new_guests as returning_guests,
    d.bytes, coalesce(round(d.seconds::numeric / nullif(d.sessions, 0)), 0)::bigint as mean_duration,
    case when d.day >= ${hoursKept(spans)}::date then d.online end as peak_online, d.consents,
    d.property_id::bigint * 100000 + (d.day - date '1970-01-01') as id
  from (
    select a.property_id, a.day, sum(a.sessions)::bigint as sessions, sum(a.seconds)::bigint as seconds, sum(a.bytes)::bigint as bytes,
      sum(a.guests)::bigint as guests, sum(a.new_guests)::bigint as new_guests, sum(a.consents)::bigint as consents,
      max(a.online) as online
    from (
      select t.property_id, t.day, t.sessions, t.seconds, t.bytes_up + t.bytes_down as bytes, 0 as guests, 0 as new_guests,
        0 as consents, 0 as online, true as is_row
      from ${rowsOf(scope, query, spans, 'session_days')}
      union all
      select t.property_id, t.day, 0, 0, 0, count(*), count(*) filter (where t.is_new), 0, 0, true
      from ${guestsBy(scope, query, spans, sql`t.property_id, t.day`)} as t group by t.property_id, t.day
      union all
      select t.property_id, t.day, 0, 0, 0, t.guests, t.new_guests, 0, 0, true
      from ${rowsOf(scope, query, spans, 'guest_day_sums')}
      union all
      select t.property_id, ${consentDay}, 0, 0, 0, 0, 0, count(distinct ${consenting}), 0, true
      from ${instantsOf(scope, query, spans, 'consent_records', sql`t.granted_at`)}
        and t.purpose in ('marketing_email', 'marketing_sms')
      group by t.property_id, ${consentDay}
      union all
      select t.property_id, ${hourDay}, 0, 0, 0, 0, 0, 0, max(${onlineOf(query)}), false
      from ${instantsOf(scope, query, spans, 'property_hours', sql`t.hour`)}
      group by t.property_id, ${hourDay}
    ) as a group by a.property_id, a.day having bool_or(a.is_row)
  ) as d
  join places as p on p.id = d.property_id)`

const orders: Record<string, { value: Sql; type: string }> = {
  day: { value: sql`r.day`, type: 'date' },
  property: { value: sql`r.property`, type: 'text' },
  sessions: { value: sql`r.sessions`, type: 'bigint' },
  unique_guests: { value: sql`r.unique_guests`, type: 'bigint' },
  usage_gb: { value: sql`r.bytes`, type: 'bigint' },
}

/** One page of the days `r`. */
function pageOf(days: Sql, { sort, after, rows_max }: PageRequest) {
  const order = orders[sort.replace(/^-/, '')] ?? { value: sql`r.day`, type: 'date' }
  const [direction, than] = sort.startsWith('-') ? [sql.raw('desc'), sql.raw('<')] : [sql.raw('asc'), sql.raw('>')]
  const behind = after
    ? sql`(${order.value}, r.id) ${than} (${after.value}::${sql.raw(order.type)}, ${after.id}::bigint)`
    : sql`true`
  return sql<PlacedRow>`
    select r.property, r.day::text, r.sessions, r.unique_guests, r.new_guests, r.returning_guests,
      ${gigabytes(sql`r.bytes`)} as usage_gb, r.mean_duration, r.peak_online, r.consents, (${order.value})::text as after, r.id
    from ${days} as r where ${behind}
    order by ${order.value} ${direction}, r.id ${direction} limit ${rows_max}`
}
const placedIn = ({ after: value, id, ...row }: PlacedRow): Placed<Row> => ({
  row,
  after: { value, id },
  zone: 'UTC',
})

export async function freeWifiRows(
  scope: Scope,
  query: ReportQuery,
  spans: Spans,
  page: PageRequest,
): Promise<Placed<Row>[]> {
  const rows = await scope.run(sql<PlacedRow>`
    with ${placesAndDays(scope, query, spans)} ${pageOf(dayRows(scope, query, spans), page)}`)
  return rows.map(placedIn)
}

/** The totals of a day over all properties. */
interface CountedDay {
  day: string
  rows: number
  consents: number
}
const countedIn = (days: Sql) => sql<CountedDay>`
  select r.day::text, count(*) as rows, sum(r.consents)::bigint as consents from ${days} as r group by r.day`

export const freeWifiDays = (scope: Scope, query: ReportQuery, spans: Spans): Promise<CountedDay[]> =>
  scope.run(sql<CountedDay>`with ${placesAndDays(scope, query, spans)} ${countedIn(dayRows(scope, query, spans))}`)

/** The first page, and the days of all rows. */
export async function freeWifiFirst(scope: Scope, query: ReportQuery, spans: Spans, page: PageRequest) {
  const all = sql`(table all_rows)`
  const [read] = await scope.run(sql<{ rows: PlacedRow[]; days: CountedDay[] }>`
    with ${placesAndDays(scope, query, spans)}, all_rows as materialized ${dayRows(scope, query, spans)}
    select (select coalesce(json_agg(p), '[]') from (${pageOf(all, page)}) as p) as rows,
      (select coalesce(json_agg(d), '[]') from (${countedIn(all)}) as d) as days`)
  return { rows: (read?.rows ?? []).map(placedIn), days: read?.days ?? [] }
}

/** Counts each guest of the range once, and once on each day. Those who are forgotten are counted by day alone. */
async function guestsOf(scope: Scope, query: ReportQuery, spans: Spans) {
  const [row] = await scope.run(sql<{ guests: number; new_guests: number; days: { day: string; guests: number }[] }>`
    with ${placesAndDays(scope, query, spans)}, seen as materialized ${guestsBy(scope, query, spans, sql`t.day`)}
    select c.*, (select coalesce(json_agg(d), '[]')
      from (select a.day::text, sum(a.guests)::bigint as guests from (
        select t.day, count(*) as guests from seen as t group by t.day
        union all
        select t.day, t.guests from ${rowsOf(scope, query, spans, 'guest_day_sums')}) as a group by a.day) as d) as days
    from (select count(*) as guests, count(*) filter (where g.is_new) as new_guests
      from (select t.guest, bool_or(t.is_new) as is_new from seen as t group by t.guest) as g) as c`)
  return row ?? { guests: 0, new_guests: 0, days: [] }
}

/** A guest who is new at any of the properties in the range counts as new, even if known at others. */
export async function freeWifiSummary(
  scope: Scope,
  query: ReportQuery,
  spans: Spans,
  counted: Promise<CountedDay[]>,
): Promise<Summary> {
  const [days, sums, guests, hours] = await Promise.all([
    counted,
    sumsOf(scope, query, spans, { by_method: true }),
    guestsOf(scope, query, spans),
    seriesByHour(scope, query, spans),
  ])
  const consents = days.reduce((sum, day) => sum + day.consents, 0)
  return {
    rows: days.reduce((sum, day) => sum + day.rows, 0),
    sessions_since: retentionOf(spans)?.since ?? null,
    hours_since: hoursSince(spans),
    totals: {
      ...sums.range,
      identifiers: guests.guests,
      new_guests: guests.new_guests,
      returning_guests: guests.guests - guests.new_guests,
      consents,
    },
    series: [
      daily(spans, 'unique_guests', 'Unique guests', new Map(guests.days.map((day) => [day.day, day.guests]))),
      ...seriesByMethod(spans, sums.days),
      daily(spans, 'consents', 'Marketing consents', new Map(days.map((day) => [day.day, day.consents]))),
      ...hours,
    ],
  }
}

/** Sessions begun, in total and by sign-in method: `sessions`, `method_5`. */
function seriesByMethod(spans: Spans, sums: readonly DaySum[]): Series[] {
  const all = new Map<string, number>()
  for (const { day, sessions } of sums) all.set(day, (all.get(day) ?? 0) + sessions)
  const methods = Map.groupBy(sums, ({ method }) => method)
  return [
    daily(spans, 'sessions', 'Sessions begun', all),
    ...[...methods].map(([method, of]) =>
      daily(
        spans,
        `method_${method}`,
        of[0]?.method_name ?? 'Other',
        new Map(of.map((sum) => [sum.day, sum.sessions])),
      ),
    ),
  ]
}

const two = (number: number) => String(number).padStart(2, '0')
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

/**
 * The most online in each hour of the day and of the week: for each zone, its properties' sum over the times that its clocks have
 * shown the hour in the range, and then these means together. Only hours that have begun and are still kept count as times; without
 * any there are no points.
 */
async function seriesByHour(scope: Scope, query: ReportQuery, spans: Spans): Promise<Series[]> {
  const hourIn = (instant: Sql, zone: Sql) => sql`
    extract(isodow from ${instant} at time zone ${zone})::integer as weekday,
    extract(hour from ${instant} at time zone ${zone})::integer as hour`
  const kept = { ...spans, relation: sql`kept as s` }
  const shown = await scope.run(sql<{ weekday: number; hour: number; zone: string; times: number; online: number }>`
    with kept as (
      select s.zone, s.first, s.last, greatest(s.begins, day_begins(${hoursKept(spans)}::date, s.zone)) as begins, s.ends
      from ${spans.relation}
    ), ${placesAndDays(scope, query, kept)}, times as (
      select s.zone, ${hourIn(sql`h.hour`, sql`s.zone`)}, count(*) as times
      from ${kept.relation} cross join lateral generate_series(date_trunc('hour', s.begins + interval '59 minutes', 'UTC'),
        least(s.ends - interval '1 second', app_now()), interval '1 hour') as h(hour)
      group by 1, 2, 3
    ), counted as (
      select p.time_zone as zone, ${hourIn(sql`t.hour`, sql`p.time_zone`)}, sum(${onlineOf(query)})::bigint as online
      from ${instantsOf(scope, query, kept, 'property_hours', sql`t.hour`)}
      group by 1, 2, 3
    )
    select zone, weekday, hour, t.times, coalesce(c.online, 0) as online
    from times as t left join counted as c using (zone, weekday, hour)`)
  const meanOf = (chosen: typeof shown) => {
    const means = [...Map.groupBy(chosen, ({ zone }) => zone).values()].map(
      (of) => sumOf(of, 'online') / sumOf(of, 'times'),
    )
    return Math.round(means.reduce((sum, mean) => sum + mean, 0) * 10) / 10
  }
  const byHour = Map.groupBy(shown, ({ hour }) => hour)
  const byWeekHour = Map.groupBy(shown, ({ weekday, hour }) => `${weekday}-${two(hour)}`)
  const week = upTo(shown.length > 0 ? 7 * 24 : 0).map((place) => `${Math.floor(place / 24) + 1}-${two(place % 24)}`)
  return [
    {
      key: 'hours',
      title: 'Online by hour of the day',
      points: upTo(shown.length > 0 ? 24 : 0).map((hour) => ({ at: two(hour), value: meanOf(byHour.get(hour) ?? []) })),
    },
    {
      key: 'week_hours',
      title: 'Online by hour of the week',
      points: week.map((at) => ({ at, value: meanOf(byWeekHour.get(at) ?? []) })),
    },
  ]
}
const sumOf = <K extends string>(rows: readonly Record<K, number>[], key: K) =>
  rows.reduce((sum, row) => sum + row[key], 0)
