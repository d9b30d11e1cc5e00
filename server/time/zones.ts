// Zones: local days. The day that a property's clock shows, the instant at which it begins, and its period, in agreement with the
// database (local_day and day_begins): docs/decisions/065-whose-day.md.

import { sql, type RawBuilder } from 'kysely'
import { addDays, day_ms, firstOfMonth, midnightOf, weekdayOf, type Day } from '#contract/days.ts'

const hour_ms = 3_600_000

/** Formats are cached, because making one is slow. The Swedish format is the one that sorts. */
function cachedFormat(style: Intl.DateTimeFormatOptions) {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (zone: string): Intl.DateTimeFormat => {
    const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { ...style, timeZone: zone })
    formats.set(zone, format)
    return format
  }
}
const dayFormat = cachedFormat({ dateStyle: 'short' })
const clockFormat = cachedFormat({ dateStyle: 'short', timeStyle: 'medium' })

/** What the clock shows, as if it were UTC. */
const onTheClock = (instant: number, zone: string) =>
  Date.parse(`${clockFormat(zone).format(instant).replace(' ', 'T')}Z`)

/** The day that the clock shows in a zone at an instant. */
export const localDay = (instant: number, zone: string): Day => dayFormat(zone).format(instant)

const quarter_ms = 15 * 60_000

/** The same for many instants of few days, asking the calendar once for each quarter of an hour: clocks are set by whole quarters. */
export function localDays(zone: string): (instant: number) => Day {
  const days = new Map<number, Day>()
  return (instant) => {
    const quarter = Math.floor(instant / quarter_ms)
    const day = days.get(quarter) ?? localDay(instant, zone)
    days.set(quarter, day)
    return day
  }
}

/**
 * The first instant at which the clock of a zone shows this day or a later one: 01:00 where midnight is skipped, the first of two
 * midnights where the hour comes twice, the beginning of the next day for a day that a zone skips.
 */
export function dayBegins(day: Day, zone: string): number {
  const midnight = midnightOf(day)
  // Midnight by the offset before a change or by the one after it: the earlier instant that is already on the day.
  const offsets = [midnight - day_ms, midnight + day_ms].map((instant) => onTheClock(instant, zone) - instant)
  return Math.min(...offsets.map((offset) => midnight - offset).filter((instant) => localDay(instant, zone) >= day))
}

/**
 * The instant at which the clock of a zone shows this hour of a day: the first of two where it comes twice; where it is skipped,
 * as long after the change as it would have been without one.
 */
export function instantOf(day: Day, hour: number, zone: string): number {
  const shown = midnightOf(day) + hour * hour_ms
  const by = (offset_at: number) => shown - (onTheClock(offset_at, zone) - offset_at)
  const [before, after] = [by(shown - day_ms), by(shown + day_ms)]
  const shows = (instant: number) => onTheClock(instant, zone) === shown
  return shows(before) || !shows(after) ? before : after
}

export type Recurs = 'daily' | 'weekly' | 'monthly'

/** The first day of the period that a day is in. A week begins on Monday. */
export function periodBegins(day: Day, recurs: Recurs): Day {
  if (recurs === 'monthly') return firstOfMonth(day)
  return recurs === 'weekly' ? addDays(day, -weekdayOf(day)) : day
}

/** In SQL: when the present period of a zone began there. */
export const periodBegan = (recurs: RawBuilder<unknown>, zone: RawBuilder<unknown>) => sql`
  day_begins(date_trunc(case ${recurs} when 'daily' then 'day' when 'weekly' then 'week' else 'month' end,
    local_day(app_now(), ${zone})::timestamp)::date, ${zone})`
