// Amounts: sums of money, which travel as decimals so that no digit is lost.
import { wholeOf } from './numbers.ts'

/** `1,240.50` of a decimal; below zero with a true minus. */
export const decimalOf = (amount: string): string => {
  const [whole = '', places] = amount.replace('-', '').split('.')
  const text = wholeOf(Number(whole)) + (places === undefined ? '' : `.${places}`)
  return amount.startsWith('-') ? `−${text}` : text
}
/** `GBP 1,240.50`. */
export const amountText = (currency: string, amount: string): string => `${currency} ${decimalOf(amount)}`
export const totalsText = (totals: readonly { currency: string; amount: string }[]): string =>
  totals.length === 0 ? 'Nothing' : totals.map(({ currency, amount }) => amountText(currency, amount)).join(', ')
