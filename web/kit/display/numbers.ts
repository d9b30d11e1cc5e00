// Numbers: formats for counts, money, amounts of data and durations.

import { language, locale } from '#web/words/language.ts'

/**
 * A whole number with separated thousands: `12,500`. The browser's own formatter gives the same in English, but creating the first one
 * took 100 ms in a browser slowed down four times.
 */
export const wholeOf = (value: number): string =>
  language() === 'en' ? String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',') : value.toLocaleString(locale())

/** `3 devices`, `1 device`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${wholeOf(count)} ${count === 1 ? one : many}`

/** `3 devices, 1 consent`: of several counts those that are not 0; empty where all are. */
export const countedThere = (counts: readonly [count: number, one: string, many?: string][]): string =>
  counts
    .filter(([count]) => count !== 0)
    .map((parts) => counted(...parts))
    .join(', ')

/** `12,500.5`: at most so many decimal places, none for a whole number. */
export const fractionOf = (value: number, places_max = 1): string =>
  value.toLocaleString(language() === 'en' ? 'en-GB' : locale(), { maximumFractionDigits: places_max })

/** `1.2`, and `1,2` where it is written so: with exactly so many places. */
export const fixedOf = (value: number, places: number): string =>
  language() === 'en'
    ? value.toFixed(places)
    : value.toLocaleString(locale(), { minimumFractionDigits: places, maximumFractionDigits: places })

/** `4.20`, `1.125`, `12,500`: an amount of money without its currency, whose coin may have no decimal places, or three. */
export function moneyOf(value: number): string {
  const [whole = '', places = ''] = String(value).split('.')
  return `${wholeOf(Number(whole))}${places && `${language() === 'en' ? '.' : ','}${places.padEnd(2, '0')}`}`
}

const sizes = [
  ['TB', 1e12],
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const
/** `1.2 GB`, `80 MB`, `512 B`; 1 GB is 10⁹ bytes. One decimal place below 10, none above. */
export function dataOf(bytes: number): string {
  const [unit, size] = sizes.find(([, one]) => bytes >= one * 0.9995) ?? ['B', 1]
  const value = bytes / size
  return `${unit === 'B' || value >= 10 ? wholeOf(Math.round(value)) : fixedOf(value, 1).replace(/[.,]0$/, '')} ${unit}`
}

/** `2 d 4 h`, `1 h 5 min`, `40 min`, `25 s`: the two largest units. */
export function lengthOf(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const two = (large: number, unit: string, small: number, smaller: string) =>
    small > 0 ? `${wholeOf(large)} ${unit} ${small} ${smaller}` : `${wholeOf(large)} ${unit}`
  if (hours >= 24) return two(Math.floor(hours / 24), 'd', hours % 24, 'h')
  if (hours > 0) return two(hours, 'h', minutes % 60, 'min')
  return minutes > 0 ? `${minutes} min` : `${Math.floor(seconds)} s`
}
