// Ranges: the days that a named range means, as of a given day. Calendar arithmetic only: which day it is depends on each property's zone.
import { addDays, firstOfMonth } from '#contract/days.ts'
import type { DateRange } from '#contract/reports.ts'
import { periodBegins } from '#server/time/zones.ts'

/** Both inclusive, `2026-11-25`. */
export interface Days {
  first: string
  last: string
}

const mondayOf = (day: string) => periodBegins(day, 'weekly')
const quarterOf = (day: string, quarters: number) =>
  firstOfMonth(day, quarters * 3 - ((Number(day.slice(5, 7)) - 1) % 3))

export function daysOf(range: Exclude<DateRange, 'custom'>, today: string): Days {
  const until = (first: string, next: string): Days => ({ first, last: addDays(next, -1) })
  switch (range) {
    case 'today':
      return { first: today, last: today }
    case 'yesterday':
      return until(addDays(today, -1), today)
    // Whole days: today is still going on.
    case 'last_7_days':
      return until(addDays(today, -7), today)
    case 'last_30_days':
      return until(addDays(today, -30), today)
    case 'this_week':
      return until(mondayOf(today), addDays(mondayOf(today), 7))
    case 'last_week':
      return until(addDays(mondayOf(today), -7), mondayOf(today))
    case 'this_month':
      return until(firstOfMonth(today, 0), firstOfMonth(today, 1))
    case 'last_month':
      return until(firstOfMonth(today, -1), firstOfMonth(today, 0))
    case 'this_quarter':
      return until(quarterOf(today, 0), quarterOf(today, 1))
    case 'last_quarter':
      return until(quarterOf(today, -1), quarterOf(today, 0))
    case 'this_year':
      return { first: `${today.slice(0, 4)}-01-01`, last: `${today.slice(0, 4)}-12-31` }
  }
}
