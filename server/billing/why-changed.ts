// Why changed: one sentence that explains how a month's charge differs from the month before, and what has changed in its nights.
import { amountOf, billOf, daysInMonth, monthOf, negative, amountText, sumOf } from './formula.ts'
import type { LedgerNight } from './lines.ts'
import { dayName, monthName, plural } from './words.ts'

type Nights = readonly LedgerNight[]

const differ = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other)
const values = <V>(nights: Nights, of: (night: LedgerNight) => V): V[] => [...new Set(nights.map(of))]
const mean = (nights: Nights, of: (night: LedgerNight) => number) =>
  (nights.reduce((sum, night) => sum + of(night), 0) / nights.length).toFixed(1)

/** `the rate went from 10.00 to 12.00`, with the day if it changed within the month. */
function step(now: Nights, before: Nights, name: string, of: (night: LedgerNight) => string): string | false {
  const [was, is] = [values(before, of), values(now, of)]
  const [former, latest] = [was.at(-1), is.at(-1)]
  if (!differ(was, is) || former === undefined || latest === undefined) return false
  if (former === latest) return `${name} is ${latest} all month`
  const [first] = is
  const changed = first === latest ? undefined : now.find((night) => of(night) === latest)
  return `${name} went from ${first === latest ? former : first} to ${latest}${changed ? ` on ${dayName(changed.night)}` : ''}`
}

/** `nights` and `former` are of one property and currency, `former` the known ones of the month before. */
export function whyChanged(nights: Nights, former: Nights): string | null {
  const [first] = nights
  const [formerFirst] = former
  if (!first || !formerFirst) return null
  const { currency } = first
  const difference = sumOf([amountOf(nights, currency), negative(amountOf(former, currency))])
  const month = monthName(monthOf(formerFirst.night))
  const factors = factorsOf(nights, former)
  const because = factors.length > 0 ? `: ${factors.join('; ')}` : ''
  const isSame = !/[1-9]/.test(difference)
  if (isSame) return `The same as in ${month}${because === '' ? '' : `, although${because.slice(1)}`}.`
  const isLess = difference.startsWith('-')
  return `${currency} ${isLess ? negative(difference) : difference} ${isLess ? 'less' : 'more'} than in ${month}${because}.`
}

function factorsOf(now: Nights, before: Nights): string[] {
  const { night, currency } = now[0] ?? { night: '', currency: '' }
  const formerNight = before[0]?.night ?? ''
  const [days, formerDays] = [daysInMonth(night), daysInMonth(formerNight)]
  const isPart = now.length < days || before.length < formerDays
  const holidays = (nights: Nights) => nights.filter(({ is_holiday }) => is_holiday).length
  const [billed, billedBefore] = [now, before].map((nights) => mean(nights, (each) => billOf(each).billable_units))
  const [let_now, letBefore] = [now, before].map((nights) => mean(nights, ({ occupied_units }) => occupied_units))
  const factors = [
    isPart && `${now.length} of ${plural(days, 'night')} are billed, ${before.length} of ${formerDays} before`,
    step(now, before, 'the rate', ({ rate_per_unit }) => amountText(rate_per_unit, currency)),
    step(now, before, 'the units', ({ total_units }) => String(total_units)),
    step(now, before, 'the minimum', (each) => `${Number(each.minimum_billable_percentage)}%`),
    holidays(now) + holidays(before) > 0 &&
      step(now, before, 'the holiday percentage', (each) => `${Number(each.holiday_billable_percentage)}%`),
    holidays(now) !== holidays(before) && `${plural(holidays(now), 'holiday night')} instead of ${holidays(before)}`,
    billed !== billedBefore &&
      `${billed} units billed a night instead of ${billedBefore}` +
        // Rounded to one place they may be equal.
        (let_now === letBefore ? '' : `, ${let_now} rooms let instead of ${letBefore}`),
  ]
  return factors.filter((factor) => factor !== false)
}
