// Days: arithmetic on calendar days, on both sides: a day is a text like `2026-11-22`, of no zone, and knows no clock changes. Which day it
// is somewhere, and when one begins there, is asked of server/time.

/** `2026-11-22`. */
export type Day = string

/** Of the clock, as in the age of a record: a day of the calendar may have an hour more or less. */
export const day_ms = 86_400_000

/** In UTC, in milliseconds: for differences, and for bounds that hold in any zone. */
export const midnightOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`)
const dayOf = (at: number): Day => new Date(at).toISOString().slice(0, 10)

export const addDays = (day: Day, days: number): Day => dayOf(midnightOf(day) + days * day_ms)

/** The nights from one day to another: 0 for the same day. */
export const nightsBetween = (from: Day, until: Day): number =>
  Math.round((midnightOf(until) - midnightOf(from)) / day_ms)

/** The days of a range, its first and its last included. */
export const daysIn = (first: Day, last: Day): number => nightsBetween(first, last) + 1

/** The first day of the month that is so many months after that of a day. */
export function firstOfMonth(day: Day, months = 0): Day {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return dayOf(Date.UTC(year, month - 1 + months, 1))
}
export const lastOfMonth = (day: Day, months = 0): Day => addDays(firstOfMonth(day, months + 1), -1)

/** The same day so many months later, or that month's last where it has no such day. */
export function addMonths(day: Day, months: number): Day {
  const last = lastOfMonth(day, months)
  const same = `${last.slice(0, 8)}${day.slice(8, 10)}`
  return same < last ? same : last
}

/** 0 for Monday. */
export const weekdayOf = (day: Day): number => (new Date(midnightOf(day)).getUTCDay() + 6) % 7

/** Noon of a day in UTC, for a format in that zone: it is the same day in nearly all others, too. */
export const noonOf = (day: Day): Date => new Date(midnightOf(day) + day_ms / 2)

/** Null where the calendar has no such day: 30 February. */
export function calendarDay(year: number, month: number, date: number): Day | null {
  const day = [String(year).padStart(4, '0'), month, date].map((part) => String(part).padStart(2, '0')).join('-')
  const at = midnightOf(day)
  return !Number.isNaN(at) && dayOf(at) === day ? day : null
}
