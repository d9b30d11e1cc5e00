// Dates: formatted in the language of the app, as the browser writes that, and in the browser's time zone.
import { day_ms, noonOf } from '#contract/days.ts'
import { locale } from '#web/words/language.ts'

/** Creates the formatter when first needed: creating one takes longer than a thousand uses, and the first screen may need none. */
export function inLanguage<F>(make: (locale: string) => F): () => F {
  let made: { in: string; format: F } | undefined
  return () => {
    const now = locale()
    if (made?.in !== now) made = { in: now, format: make(now) }
    return made.format
  }
}
function formatter(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  const made = inLanguage((language) => new Intl.DateTimeFormat(language, options))
  return (date) => made().format(date)
}
/** In the language's own format: `14:05`, `09:05`, `9:05 AM`. */
const clock = { hour: 'numeric', minute: '2-digit' } as const
const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
const dayText = formatter(day)
const minuteText = formatter({ ...day, ...clock })

/** `21 Nov 2026`; empty for none. */
export const dateOf = (moment: string | null | undefined): string => (moment ? dayText(new Date(moment)) : '')
/** `21 Nov 2026, 14:05` */
export const timeOf = (moment: string | null | undefined): string => (moment ? minuteText(new Date(moment)) : '')

const clockText = formatter(clock)
/** `14:05` */
export const clockOf = (moment: string): string => clockText(new Date(moment))
/** The local time of that zone. */
export const clockIn = (moment: Date, timeZone: string): string => formatter({ ...clock, timeZone })(moment)
/** `21 Nov 2026, 14:05` in that zone, by default the browser's; empty for none. */
export const timeIn = (moment: string | null | undefined, timeZone: string | undefined): string =>
  moment ? formatter({ ...day, ...clock, ...(timeZone === undefined ? {} : { timeZone }) })(new Date(moment)) : ''
const utcClockText = formatter({ ...clock, timeZone: 'UTC' })
/** What the clock on the wall showed where the moment was written down with its offset, in the reader's format. */
export const wallClockOf = (moment: string): string => utcClockText(new Date(`${moment.slice(0, 16)}Z`))
const weekdayText = formatter({ weekday: 'short' })
/** `Sat` */
export const weekdayOf = (moment: string): string => weekdayText(new Date(moment))
const longDayText = formatter({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
/** `Saturday 21 November 2026` */
export const longDayOf = (date: Date): string => longDayText(date)

const dayAndClockText = formatter({ day: 'numeric', month: 'short', ...clock })
/** `14:05` for today, `yesterday, 14:05`, `21 Nov, 14:05` for another day: for rows about the last days. */
export function recentTimeOf(moment: string | null | undefined, now = new Date()): string {
  if (!moment) return ''
  const date = new Date(moment)
  const days = daysBefore(date, now)
  return days === 0 ? clockText(date) : days === 1 ? `${dayWord(1)}, ${clockText(date)}` : dayAndClockText(date)
}

/** When due work is tried next: `next_at`, or, where other work asks the same side first, once that is answered. */
export const nextTryOf = ({ next_at, waits_for_answer }: { next_at: string | null; waits_for_answer: boolean }) =>
  waits_for_answer ? 'Once it answers' : recentTimeOf(next_at)

/** By the calendar: what was before midnight was yesterday, however short ago. */
export const daysBefore = (date: Date, now: Date) => Math.round((midnightBefore(now) - midnightBefore(date)) / day_ms)
const midnightBefore = (moment: Date) => new Date(moment).setHours(0, 0, 0, 0)

const daysAgo = inLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))
/** `yesterday`, `3 days ago`; some languages have a word for the day before yesterday, too. */
const dayWord = (days: number) => daysAgo().format(-days, 'day')

const calendarDayText = formatter({ ...day, timeZone: 'UTC' })
/** A calendar date, such as `2026-11-21`: it has no time zone and is shown as it is. */
export const dayOf = (date: string): string => calendarDayText(noonOf(date))
const shortDayText = formatter({ day: 'numeric', month: 'short', timeZone: 'UTC' })
/** The same without its year. */
export const shortDayOf = (date: string): string => shortDayText(noonOf(date))

const ago = inLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: 'always' }))
const units = [
  ['year', 365 * day_ms],
  ['month', 30 * day_ms],
  ['day', day_ms],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
/** `5 hours ago`, `yesterday`, `3 days ago`, in the largest unit that fits; at least a minute. */
export function ageOf(moment: string, now_ms: number = Date.now()): string {
  const age_ms = Math.max(now_ms - Date.parse(moment), 60_000)
  const [unit, length_ms] = units.find(([, one_ms]) => age_ms >= one_ms) ?? units[4]
  if (unit === 'day') return dayWord(daysBefore(new Date(moment), new Date(now_ms)))
  return ago().format(-Math.floor(age_ms / length_ms), unit)
}
