// Months: their long and short names in many languages, from the platform's data.
import { addMonths, noonOf } from '#contract/days.ts'

const languages =
  'en de fr es it pt nl sv da nb fi pl cs sk hu ro hr sl tr ru uk bg sr el ar he lt lv et vi id ca is th'.split(' ')
/** Common spellings that differ from the platform's. */
const more: [string, number][] = [
  ['sept', 9],
  ['mrz', 3],
  ['maerz', 3],
  ['mai', 5],
  ['mrt', 3],
  ['ene', 1],
  ['мая', 5],
]

const folded = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase()
    .replaceAll('ı', 'i')

let names: Map<string, Set<number>> | undefined

/** From 1 to 12; undefined if no language has such a month, or languages disagree. Names may be shortened to three letters. */
export function monthNamed(name: string): number | undefined {
  names ??= namesOfAll()
  const wanted = folded(name)
  const exact = names.get(wanted)
  if (exact) return only(exact)
  if (wanted.length < 3) return undefined
  return only(new Set([...names].flatMap(([known, months]) => (known.startsWith(wanted) ? [...months] : []))))
}

const only = (months: Set<number>) => (months.size === 1 ? [...months][0] : undefined)

function namesOfAll(): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>()
  const add = (name: string, month: number) =>
    found.set(folded(name), (found.get(folded(name)) ?? new Set()).add(month))
  for (const language of languages)
    for (const month of ['long', 'short'] as const)
      // Alone, and after a day, where many languages inflect the word.
      for (const day of [undefined, 'numeric'] as const) {
        const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, { month, day, timeZone: 'UTC' })
        for (let index = 0; index < 12; index++) {
          const parts = format.formatToParts(noonOf(addMonths('2026-01-15', index)))
          const name = parts.find(({ type }) => type === 'month')?.value
          if (name !== undefined && /\p{L}/u.test(name)) add(name, index + 1)
        }
      }
  for (const [name, month] of more) add(name, month)
  // Of the Persian calendar, whose dates are told by their years.
  const persian = (locale: string) =>
    new Intl.DateTimeFormat(`${locale}-u-ca-persian-nu-latn`, {
      month: locale === 'fa' ? 'long' : 'numeric',
      timeZone: 'UTC',
    })
  for (let index = 0; index < 12; index++) {
    const at = noonOf(addMonths('2026-01-10', index))
    add(persian('fa').format(at), Number(persian('en').format(at)))
  }
  return found
}
