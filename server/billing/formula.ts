// The formula: what a property owes for the nights of one month.
//
//   percentage(d) = the holiday's percentage on a holiday of the property, else the minimum
//   floor(d)      = ceil(total units × percentage(d) / 100)
//   billable(d)   = min(total units, max(occupied(d), floor(d)))
//   amount        = Σ rate(d) × billable(d) / days of the month
//
// It calculates in integers of any size, because the only division is by the days of the month and comes last: everything before it
// is an exact sum of decimals, and that division is the only rounding of a line. A decimal type would have to round a thirty-first
// earlier.
// docs/billing.md has the same formula with examples to follow by hand.
import { firstOfMonth, lastOfMonth } from '#contract/days.ts'
import { placesIn, placesOf } from '#contract/money.ts'

/** The input for a night's bill. Decimals are texts, as the database has them. */
export interface Night {
  /** `2026-01-31`, in the property's calendar. */
  night: string
  total_units: number
  occupied_units: number
  is_holiday: boolean
  minimum_billable_percentage: string
  holiday_billable_percentage: string
  /** Per unit and calendar month. */
  rate_per_unit: string
}

export interface NightsBill {
  percentage: string
  floor_units: number
  billable_units: number
  /** What decided: the occupied rooms, or else the minimum or holiday percentage. */
  reason: 'occupied' | 'minimum' | 'holiday'
}

/** Decimals are integers with this many places. */
const places = 12
const one = 10n ** BigInt(places)

/** `-12.5` as an integer. */
function exact(decimal: string): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
  if (whole === '' || fraction.length > places) throw new Error(`${decimal} is no decimal of up to ${places} places`)
  const parts = BigInt(whole) * one + BigInt(fraction.padEnd(places, '0'))
  return sign === '-' ? -parts : parts
}

/** Minor units as text: 1050 with two places is `10.50`. */
function written(coins: bigint, coin_places: number): string {
  const digits = (coins < 0n ? -coins : coins).toString().padStart(coin_places + 1, '0')
  const cut = digits.length - coin_places
  const text = coin_places === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`
  return coins < 0n ? `-${text}` : text
}

const ceiling = (dividend: bigint, divisor: bigint) => (dividend + divisor - 1n) / divisor

/** To the nearest; halves are rounded away from zero, for credits and charges alike. */
function nearest(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend
  const rounded = (2n * size + divisor) / (2n * divisor)
  return dividend < 0n ? -rounded : rounded
}

/** 28 for any day of `2026-02`. */
export const daysInMonth = (night: string): number => Number(lastOfMonth(night).slice(8))

/** The first day of its month. */
export const monthOf = (night: string): string => firstOfMonth(night)

export function billOf(night: Night): NightsBill {
  const { total_units, occupied_units, is_holiday } = night
  const percentage = is_holiday ? night.holiday_billable_percentage : night.minimum_billable_percentage
  const floor_units = Number(ceiling(BigInt(total_units) * exact(percentage), 100n * one))
  const billable_units = Math.min(total_units, Math.max(occupied_units, floor_units))
  const isOccupied = occupied_units > 0 && occupied_units >= floor_units
  return {
    percentage,
    floor_units,
    billable_units,
    reason: isOccupied ? 'occupied' : is_holiday ? 'holiday' : 'minimum',
  }
}

/** The amount for nights of one month in one currency: exact, and rounded once, to the places of the coin unless others are given. */
export function amountOf(nights: readonly Night[], currency: string, coin_places = placesOf(currency)): string {
  const [first] = nights
  if (!first) return written(0n, coin_places)
  if (nights.some(({ night }) => monthOf(night) !== monthOf(first.night))) throw new Error('a line is of one month')
  const sum = nights.reduce(
    (total, night) => total + exact(night.rate_per_unit) * BigInt(billOf(night).billable_units),
    0n,
  )
  const coins = nearest(sum * 10n ** BigInt(coin_places), one * BigInt(daysInMonth(first.night)))
  return written(coins, coin_places)
}

/**
 * The sum of amounts of one currency, which loses nothing: it has the places that they were rounded to, which for an approved run
 * may be others than the coin has by now.
 */
export function sumOf(amounts: readonly string[], places_min = 0): string {
  const coin_places = Math.max(places_min, ...amounts.map(placesIn))
  const sum = amounts.reduce((total, amount) => total + exact(amount), 0n)
  return written(sum / 10n ** BigInt(places - coin_places), coin_places)
}

export const negative = (amount: string): string => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`)

/** An amount with fewer places, halves rounded away from zero. */
export const roundedTo = (amount: string, coin_places: number): string =>
  written(nearest(exact(amount) * 10n ** BigInt(coin_places), one), coin_places)

/** With at least `places_min` places, and without losing any of its own. */
function shownWith(decimal: string, places_min: number): string {
  const own = decimal.replace(/^[^.]*\.?/, '').replace(/0+$/, '').length
  const shown = Math.max(places_min, own)
  return written(exact(decimal) / 10n ** BigInt(places - shown), shown)
}

/** A rate, or an amount that another system has calculated: with the places of its currency, and without losing any of its own. */
export const amountText = (amount: string, currency: string): string => shownWith(amount, placesOf(currency))
