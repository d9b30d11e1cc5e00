// Why changed: one sentence that explains how a month's charge differs from the month before, and what has changed in its nights.
import { amountOf, billOf, daysInMonth, monthOf, negative, amountText, sumOf } from './formula.ts'
import type { LedgerNight } from './lines.ts'
import { dayName, monthName, plural } from './words.ts'

type Nights = readonly LedgerNight[]

const mean = (nights: Nights, of: (night: LedgerNight) => number) =>
  (nights.reduce((sum, night) => sum + of(night), 0) / nights.length).toFixed(1)

/** `the rate went from 10.00 to 12.00 on 15 May`: each change since the last night of the month before, where there are few. */
function step(now: Nights, before: Nights, name: string, of: (night: LedgerNight) => string): string | false {
  const former = before.at(-1)
  if (!former) return false
  let value = of(former)
  const changes: string[] = []
  for (const [at, night] of now.entries()) {
    if (of(night) === value) continue
    value = of(night)
    changes.push(`to ${value}${at === 0 ? '' : ` on ${dayName(night.night)}`}`)
  }
  if (changes.length === 0) return before.some((night) => of(night) !== value) && `${name} is ${value} all month`
  if (changes.length <= 2) return `${name} went from ${of(former)} ${changes.join(' and ')}`
  const [lowest, highest] = extremes(now.map(of))
  return `${name} varied between ${lowest} and ${highest}`
}
const extremes = (values: readonly string[]) => {
  const inOrder = values.toSorted((one, other) => Number.parseFloat(one) - Number.parseFloat(other))
  return [inOrder[0], inOrder.at(-1)]
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
    step(now, before, 'the number of units', ({ total_units }) => String(total_units)),
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
