// Amounts: sums of money, which the API sends as decimal strings so that no digit is lost.
import { wholeOf } from './numbers.ts'

/** Formats a decimal as `1,240.50`, with a true minus sign if negative. */
export const decimalOf = (amount: string): string => {
  const [whole = '', places] = amount.replace('-', '').split('.')
  const text = wholeOf(Number(whole)) + (places === undefined ? '' : `.${places}`)
  return amount.startsWith('-') ? `−${text}` : text
}
/** `GBP 1,240.50`. */
export const amountText = (currency: string, amount: string): string => `${currency} ${decimalOf(amount)}`
export const totalsText = (totals: readonly { currency: string; amount: string }[]): string =>
  totals.length === 0 ? 'Nothing' : totals.map(({ currency, amount }) => amountText(currency, amount)).join(', ')
