// Lines: the lines of a run, made from nights. A charge is a property's nights of one month in one currency; a correction is the
// present amount of a billed month, less what was billed.
import { placesIn } from '#contract/money.ts'
import { amountOf, amountText, billOf, daysInMonth, monthOf, negative, sumOf, type Night } from './formula.ts'
import { monthName, nightsNamed, plural } from './words.ts'

/** The newest version of a night, as the ledger has it. */
export interface LedgerNight extends Night {
  property_id: number
  property_name: string
  group_id: number | null
  accounting_contact_id: number | null
  version: number
  holiday: string | null
  currency: string
  room_numbers: string[]
}

/** A night of an approved charge. */
export interface BilledBefore extends LedgerNight {
  /** The charge that it is in: each is rounded separately. */
  billing_line_id: number
  /** The newest version that was billed, as a charge or by a correction, and in which currency. */
  billed_version: number
  billed_currency: string
  /** The decimal places that the charge was rounded to; null if the night is in another currency by now. */
  billed_places: number | null
}

/** The total of a month in approved runs, charges and corrections together. */
export interface BilledSum {
  property_id: number
  month: string
  currency: string
  amount: string
  unit_days: number
}

export interface BilledLine {
  kind: 'charge' | 'correction'
  property_id: number
  property_name: string
  group_id: number | null
  accounting_contact_id: number | null
  month: string
  days_in_month: number
  unit_days: number
  rate_per_unit: string | null
  currency: string
  amount: string
  reason: string
  why_changed: string | null
  nights: LedgerNight[]
}

const unitDays = (nights: readonly Night[]) => nights.reduce((sum, night) => sum + billOf(night).billable_units, 0)

/** The one rate of these nights, or null where there are several. */
function rateOf(nights: readonly LedgerNight[], currency: string): string | null {
  const rates = new Set(nights.map(({ rate_per_unit }) => amountText(rate_per_unit, currency)))
  const [rate] = rates
  return rates.size === 1 && rate !== undefined ? rate : null
}

/** What the lines of a property and month have in common. Names are those of the last night. */
function headOf(nights: readonly LedgerNight[]) {
  const last = nights.at(-1)
  if (!last) throw new Error('a line has nights')
  const { property_id, property_name, group_id, accounting_contact_id, currency, night } = last
  const days = { month: monthOf(night), days_in_month: daysInMonth(night) }
  return { property_id, property_name, group_id, accounting_contact_id, currency, ...days }
}

function reasonOf(nights: readonly LedgerNight[]): string {
  const counts = { occupied: 0, minimum: 0, holiday: 0 }
  for (const night of nights) counts[billOf(night).reason] += 1
  const parts = [
    counts.occupied > 0 && `${plural(counts.occupied, 'night')} by rooms let`,
    counts.minimum > 0 && `${plural(counts.minimum, 'night')} at the minimum`,
    counts.holiday > 0 && `${plural(counts.holiday, 'night')} at the holiday percentage`,
  ]
  return `${parts.filter((part) => part !== false).join(', ')}.`
}

const keyOf = ({ property_id, currency }: LedgerNight, month: string) => `${property_id} ${month} ${currency}`

/** Charges for nights that are in no approved run yet, ordered by property and night. */
export function chargesOf(nights: readonly LedgerNight[]): BilledLine[] {
  const groups = Map.groupBy(nights, (night) => keyOf(night, monthOf(night.night)))
  return [...groups.values()].map((of) => {
    const head = headOf(of)
    return {
      kind: 'charge',
      ...head,
      unit_days: unitDays(of),
      rate_per_unit: rateOf(of, head.currency),
      amount: amountOf(of, head.currency),
      reason: reasonOf(of),
      why_changed: null,
      nights: of,
    }
  })
}

/**
 * Corrections for months with a night that has a newer version than the billed one: `nights` are all billed nights of such months
 * as they are now, `billed` the amounts billed for them. If nights have changed currency, one line credits and another one charges.
 */
export function correctionsOf(nights: readonly BilledBefore[], billed: readonly BilledSum[]): BilledLine[] {
  const months = Map.groupBy(nights, ({ property_id, night }) => `${property_id} ${monthOf(night)}`)
  return [...months.values()].flatMap((of) => {
    const { currency: _, ...head } = headOf(of)
    const before = billed.filter(({ property_id, month }) => property_id === head.property_id && month === head.month)
    const currencies = new Set([...before.map(({ currency }) => currency), ...of.map(({ currency }) => currency)])
    return [...currencies].toSorted().flatMap((currency) => correctionFor(currency, of, head, before) ?? [])
  })
}

function correctionFor(
  currency: string,
  nights: readonly BilledBefore[],
  head: Omit<ReturnType<typeof headOf>, 'currency'>,
  before: readonly BilledSum[],
): BilledLine | null {
  const now = nights.filter((night) => night.currency === currency)
  const charges = Map.groupBy(now, ({ billing_line_id }) => billing_line_id)
  const was = before.find((sum) => sum.currency === currency)
  const amounts = [...charges.values()].map((of) => amountOf(of, currency, of[0]?.billed_places ?? undefined))
  const places = Math.max(...[...amounts, ...(was ? [was.amount] : [])].map(placesIn))
  const amount_now = sumOf(amounts, places)
  const amount_was = sumOf(was ? [was.amount] : [], places)
  const amount = sumOf([amount_now, negative(amount_was)])
  if (isNothing(amount)) return null
  const changed = nights.filter(
    (night) =>
      night.version > night.billed_version && (night.currency === currency || night.billed_currency === currency),
  )
  return {
    kind: 'correction',
    ...head,
    currency,
    unit_days: unitDays(now) - (was?.unit_days ?? 0),
    rate_per_unit: rateOf(now, currency),
    amount,
    reason:
      `${nightsNamed(changed.map(({ night }) => night))} ${monthName(head.month)} changed after the bill: ` +
      `it was ${amount_was}, and is ${amount_now} now.`,
    why_changed: null,
    nights: changed,
  }
}

const isNothing = (amount: string) => !/[1-9]/.test(amount)

/** The sum of lines, for each currency. */
export function totalsOf(lines: readonly { currency: string; amount: string }[]) {
  const currencies = Map.groupBy(lines, ({ currency }) => currency)
  return [...currencies]
    .map(([currency, of]) => ({
      currency,
      amount: sumOf(of.map(({ amount }) => amount)),
    }))
    .toSorted((one, other) => one.currency.localeCompare(other.currency))
}

/** A night as answers show it. */
export function shownNight(night: LedgerNight) {
  const { percentage, floor_units, billable_units, reason } = billOf(night)
  const { total_units, occupied_units, is_holiday, holiday, currency, room_numbers } = night
  return {
    night: night.night,
    total_units,
    occupied_units,
    floor_units,
    billable_units,
    percentage: Number(percentage),
    is_holiday,
    holiday,
    rate_per_unit: amountText(night.rate_per_unit, currency),
    currency,
    reason,
    room_numbers,
  }
}

/** A column of money shows as many places as the amount with the most of them. */
export const mostPlaces = (amounts: readonly string[]): number => Math.max(0, ...amounts.map(placesIn))
