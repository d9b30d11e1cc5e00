// Periods: when a schedule is due, and which days it then reports on. Calendar arithmetic from the day on which it is first due,
// never from the last one: the 31st of January is followed by the 28th of February and then by the 31st of March.
import { addDays, addMonths, nightsBetween, type Day } from '#contract/days.ts'
import { due_hour } from '#contract/scheduled-reports.ts'
import { instantOf } from '#server/time/zones.ts'

export interface Schedule {
  /** The day on which it is first due. */
  start_date: Day
  /** Of `frequency_types`; not *Once*. */
  frequency: number
}
export interface Due {
  due_on: Day
  /** The days that have just ended, both inclusive. */
  period_start: Day
  period_end: Day
}

const daily = 2
/** Months vary in length; everything else is a number of days. */
const units: Record<number, { days: number } | { months: number }> = {
  [daily]: { days: 1 },
  3: { days: 7 },
  4: { days: 14 },
  5: { months: 1 },
  6: { months: 3 },
  7: { months: 12 },
}
function unitOf(frequency: number) {
  const unit = units[frequency]
  if (!unit) throw new Error(`frequency ${frequency} sends nothing by itself`)
  return unit
}

/** The day `count` units after the first. */
function dayAfter({ start_date, frequency }: Schedule, count: number): Day {
  const unit = unitOf(frequency)
  return 'days' in unit ? addDays(start_date, count * unit.days) : addMonths(start_date, count * unit.months)
}

/** When a schedule that is due on this day was due before. */
export const dueBefore = (frequency: number, day: Day): Day => dayAfter({ start_date: day, frequency }, -1)

/** The n-th time that it is due, from 0: on its first day, for the period before. */
export const dueNumber = (schedule: Schedule, n: number): Due => ({
  due_on: dayAfter(schedule, n),
  period_start: dayAfter(schedule, n - 1),
  period_end: addDays(dayAfter(schedule, n), -1),
})

/** The first time that it is due on this day or a later one. */
export function dueFrom(schedule: Schedule, day: Day): Due {
  const unit = unitOf(schedule.frequency)
  const unit_days_max = 'days' in unit ? unit.days : unit.months * 31
  const ahead_days = nightsBetween(schedule.start_date, day)
  let n = Math.max(0, Math.floor(ahead_days / unit_days_max))
  while (dayAfter(schedule, n) < day) n++
  return dueNumber(schedule, n)
}

/** The next time after this one. */
export const dueNext = (schedule: Schedule, due_on: Day): Due => dueFrom(schedule, addDays(due_on, 1))

/**
 * Which of the due reports are made: each that was missed, but only the newest of a daily one, whose readers have no use for
 * a week of past days at once.
 */
export const toBeMade = ({ frequency }: Schedule, due: readonly Due[]): readonly Due[] =>
  frequency === daily ? due.slice(-1) : due

export const dueInstant = (due_on: Day, zone: string): number => instantOf(due_on, due_hour, zone)
