// Money: decimals as texts, and how many places each coin has by ISO 4217. The table is our own: the one of a language's runtime
// follows how prices are displayed, has none for forints and rupiahs, and changes with its version.
import { messages } from './messages.ts'

/** Currencies of ISO 4217, by the decimal places of their smallest coin; also those withdrawn lately, which records still have. */
const codes: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU
    CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IRR JMD KES KGS
    KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK
    PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD
    USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG ZWL`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}
const coins = new Map(
  Object.entries(codes).flatMap(([places, list]) =>
    list.split(/\s+/).map((code): [string, number] => [code, Number(places)]),
  ),
)

/** No coin has more decimal places. */
export const coin_places_max = Math.max(...coins.values())
export const currencies: readonly string[] = [...coins.keys()].toSorted()
/** The decimal places of a currency: 2 for GBP, 0 for JPY, 3 for KWD. */
export const placesOf = (currency: string): number => coins.get(currency) ?? 2
/** The decimal places that a decimal is written with. */
export const placesIn = (decimal: string): number => decimal.split('.')[1]?.length ?? 0

/**
 * A number, or a text such as `-12.50`, as a decimal without superfluous zeros; null if it is none. A number is read as it was
 * written: 1e-7 is `0.0000001`.
 */
export function decimalOf(value: number | string): string | null {
  const text = typeof value === 'number' ? withoutPower(value) : value
  const [, sign, whole, fraction = ''] = /^([+-]?)0*(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined) return null
  const places = fraction.replace(/0+$/, '')
  const size = places === '' ? whole : `${whole}.${places}`
  return sign === '-' && size !== '0' ? `-${size}` : size
}

function withoutPower(value: number): string {
  const [digits = '', power] = String(value).split('e-')
  if (power === undefined) return digits
  return `${value < 0 ? '-' : ''}0.${'0'.repeat(Number(power) - 1)}${digits.replace(/[-.]/g, '')}`
}

/** The refusal of an amount with more decimal places than its coin has; null if it has none too many. */
export const moneyTooFine = (decimal: string, currency: string): string | null =>
  placesIn(decimal) > placesOf(currency) ? messages.fields.tooFine(currency, placesOf(currency)) : null
