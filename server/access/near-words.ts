// Near words: whether a password is little more than names that others know of its owner (ASVS 6.1.2, 6.2.11).
import { plain } from '#contract/plain-text.ts'

/** The product, and what people write beside a name to make it longer. */
const everybodys = ['foyer', 'wifi', 'wlan', 'admin', 'password', 'passwort', 'welcome', 'reception', 'hotel']
/** So much of one's own is asked beside the names. A digit counts half, for those are mostly a year; signs count nothing. */
const own_min = 6
const word_min = 3

const alike: Record<string, string> = {
  a: 'a4@',
  b: 'b8',
  e: 'e3',
  g: 'g9',
  i: 'i1!|',
  l: 'l1|',
  o: 'o0',
  s: 's5$',
  t: 't7+',
  z: 'z2',
}

/** Each word of a name, and the name in one. */
function wordsIn(name: string): string[] {
  const words = plain(name).match(/[\p{L}\p{N}]+/gu) ?? []
  return [...words, words.join('')]
}

/** Of an e-mail address the part before the sign, and the domain with and without its ending. */
function wordsOf(name: string): string[] {
  const [local = '', domain = ''] = name.split('@')
  return [local, domain, domain.replace(/\.[^.]*$/, '')].flatMap(wordsIn)
}

const backwards = (word: string) => Array.from(word).toReversed().join('')

/** A word as it is written with digits and signs in place of letters; a short one stands alone, or is part of any other. */
function written(word: string): string {
  const letters = Array.from(word, (letter) => (alike[letter] === undefined ? letter : `[${alike[letter]}]`)).join('')
  return word.length > word_min ? letters : `(?<!\\p{L})(?:${letters})+(?!\\p{L})`
}

/**
 * Whether a password holds one of the names, and beside all of them fewer than six letters of its own; one that is
 * repeated at once counts once.
 * `names` are those of person and company, and e-mail addresses.
 */
export function isNear(password: string, names: readonly string[]): boolean {
  const words = [...everybodys, ...names.flatMap(wordsOf)].filter(({ length }) => length >= word_min)
  const patterns = [...new Set([...words, ...words.map(backwards)])]
    .toSorted((one, other) => other.length - one.length)
    .map(written)
  const whole = plain(password)
  const rest = whole.replaceAll(new RegExp(patterns.join('|'), 'gu'), ' ')
  const once = rest.replaceAll(/(.)\1+/gu, '$1')
  const own = (once.match(/\p{L}/gu)?.length ?? 0) + (once.match(/\p{N}/gu)?.length ?? 0) / 2
  return rest !== whole && own < own_min
}
