// Dates: as people read them, in the browser's language and time zone.
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const minute = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** `21 Nov 2026`; nothing for nothing. */
export const dateOf = (moment: string | null | undefined): string => (moment ? day.format(new Date(moment)) : '')
/** `21 Nov 2026, 14:05` */
export const timeOf = (moment: string | null | undefined): string => (moment ? minute.format(new Date(moment)) : '')

const calendarDay = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
/** A day of the calendar, such as `2026-11-21`: it belongs to no time zone and is read as it is written. */
export const dayOf = (day: string): string => calendarDay.format(new Date(`${day}T00:00Z`))

const ago = new Intl.RelativeTimeFormat(undefined, { numeric: 'always' })
const units = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
/** `3 days ago`, in the largest unit that fits; less than a minute is a minute. */
export function ageOf(moment: string, now_ms: number = Date.now()): string {
  const age_ms = Math.max(now_ms - Date.parse(moment), 60_000)
  const [unit, length_ms] = units.find(([, one_ms]) => age_ms >= one_ms) ?? units[4]
  return ago.format(-Math.floor(age_ms / length_ms), unit)
}
