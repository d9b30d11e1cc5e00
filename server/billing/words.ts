// Words: texts for dates, months and counts on bills.

const months = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

/** `2026-10-01`: October 2026. */
export const monthName = (day: string): string => months.format(Date.parse(day))
/** `2026-10-15`: 15 October. */
export const dayName = (day: string): string => dates.format(Date.parse(day))

export const plural = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`

/** Nights of one month: `The night of 12`, `The nights of 3, 4 and 9`. */
export function nightsNamed(nights: readonly string[]): string {
  const days = nights.toSorted().map((night) => String(Number(night.slice('2026-11-'.length))))
  return `The ${days.length === 1 ? 'night' : 'nights'} of ${new Intl.ListFormat('en-GB').format(days)}`
}
