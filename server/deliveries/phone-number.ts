// Phone number: what people type as a mobile number, in the international notation.
import { isSupportedCountry, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min'

/**
 * E.164, such as `+447700900123`; null if it is not a number.
 *
 * @param country ISO 3166-1, for numbers without a country code
 */
export function phoneNumber(typed: string, country: string | null): string | null {
  const found = parsePhoneNumberFromString(typed, { ...homeOf(country), extract: false })
  return found?.isPossible() ? found.number : null
}

const isCountry = (code: string): code is CountryCode => isSupportedCountry(code)
const homeOf = (country: string | null) => (country !== null && isCountry(country) ? { defaultCountry: country } : {})
