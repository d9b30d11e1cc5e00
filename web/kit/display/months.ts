// Months: the name of a month, and the last complete one.

const monthText = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
/** `2026-10-01`: October 2026. */
export const monthOf = (day: string): string => monthText.format(new Date(`${day}T00:00Z`))

export interface Period {
  period_start: string
  period_end: string
}
const dayText = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)

/** The last complete month, or the one that many months earlier. */
export function lastMonth(earlier = 0, now = new Date()): Period {
  const [year, month] = [now.getFullYear(), now.getMonth() - 1 - earlier]
  return { period_start: dayText(year, month, 1), period_end: dayText(year, month + 1, 0) }
}
