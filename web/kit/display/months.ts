// Months: the name of a month, the last complete one, and periods as text.
import { inLanguage } from './dates.ts'
import { firstOfMonth, lastOfMonth, noonOf } from '#contract/days.ts'

/** Made when first used: the first formatter costs a slow browser a tenth of a second. */
function formatter(locale: string, options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  let made: Intl.DateTimeFormat | undefined
  return () => (made ??= new Intl.DateTimeFormat(locale, options))
}

const monthText = formatter('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
/** `2026-10-01`: October 2026. */
export const monthOf = (day: string): string => monthText().format(noonOf(day))

export interface Period {
  period_start: string
  period_end: string
}
const days = inLanguage(
  (language) => new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
)
/** `1 – 30 Nov 2026`; a single day as one date. */
export const periodOf = (start: string, end: string): string => days().formatRange(noonOf(start), noonOf(end))

/** The Swedish format is the one that sorts. */
const dayText = formatter('sv-SE', { dateStyle: 'short' })

/** The last complete month, or the one that many months earlier. */
export function lastMonth(earlier = 0, now = new Date()): Period {
  const today = dayText().format(now)
  return { period_start: firstOfMonth(today, -1 - earlier), period_end: lastOfMonth(today, -1 - earlier) }
}
