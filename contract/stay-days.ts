// Stay days: how far from today an arrival or a departure may be, so that a mistyped year is noticed.
import { constants } from './constants.ts'
import { addMonths, type Day } from './days.ts'

const { years_back, years_ahead, lease_years } = constants.stay

const inYears = (day: Day, years: number) => addMonths(day, years * 12)

/** The first and the last day of a stay; a lease may have begun, and may end, fifty years away. */
export const stayBounds = (today: string, isLease: boolean) => ({
  from: inYears(today, isLease ? -lease_years : -years_back),
  to: inYears(today, isLease ? lease_years : years_ahead),
})

export const tooLongAgo = (isLease: boolean) =>
  `This is more than ${isLease ? lease_years : years_back} years ago. Please check the year`
export const tooFarAhead = (isLease: boolean) =>
  `This is more than ${isLease ? lease_years : years_ahead} years ahead. Please check the year`

/** Why a day is no day of a stay; null if it is one. */
export function stayDayRefusal(day: string, today: string, isLease: boolean): string | null {
  const { from, to } = stayBounds(today, isLease)
  if (day < from) return tooLongAgo(isLease)
  return day > to ? tooFarAhead(isLease) : null
}
