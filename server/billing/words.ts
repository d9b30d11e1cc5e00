// Words: texts for dates, months and counts on bills.

const months = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

/** `2026-10-01`: October 2026. */
export const monthName = (day: string): string => months.format(Date.parse(day))
/** `2026-10-15`: 15 October. */
export const dayName = (day: string): string => dates.format(Date.parse(day))

export const plural = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`
