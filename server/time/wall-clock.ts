// Wall clock: what the clocks of a zone show at an instant. Only in this direction: an instant has one local time, while a local time
// may have two instants or none.
import { day_ms } from '#contract/days.ts'

export interface Local {
  /** What the clock shows, as if it were UTC. */
  shown_ms: number
  /** Ahead of UTC. */
  offset_minutes: number
}

const quarter_ms = 15 * 60_000
/** How many days' offsets a clock caches: some thirty years. */
const days_max = 10_000

type Clock = (instant_ms: number) => Local
const clocks = new Map<string, Clock>()

/** The clock of an IANA zone. Looking up time zone data costs more than a whole row of a file, so a day's offset is looked up once. */
export function clockOf(zone: string): Clock {
  const known = clocks.get(zone)
  if (known) return known
  const clock = openClock(zone)
  clocks.set(zone, clock)
  return clock
}

function openClock(zone: string): Clock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const offsetAt = (instant_ms: number) => {
    const parts = Object.fromEntries(format.formatToParts(instant_ms).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    const whole_ms = Math.floor(instant_ms / 1000) * 1000
    return Math.round((Date.UTC(year, month - 1, day, hour, minute, second) - whole_ms) / 60_000)
  }
  /** By UTC day; null where the clocks change in it. */
  const days = new Map<number, number | null>()
  const ofDay = (day: number) => {
    const [first, last] = [offsetAt(day * day_ms), offsetAt((day + 1) * day_ms - 1)]
    if (days.size >= days_max) days.clear()
    const offset = first === last ? first : null
    days.set(day, offset)
    return offset
  }
  return (instant_ms) => {
    const day = Math.floor(instant_ms / day_ms)
    const known = days.get(day)
    // Clocks change at quarters of an hour, in UTC as well.
    const offset_minutes =
      (known === undefined ? ofDay(day) : known) ?? offsetAt(Math.floor(instant_ms / quarter_ms) * quarter_ms)
    return { shown_ms: instant_ms + offset_minutes * 60_000, offset_minutes }
  }
}
