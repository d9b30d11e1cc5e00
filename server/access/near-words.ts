// Near words: whether a password is little more than names that are known of its owner (ASVS 6.1.2, 6.2.11).
import { plain } from '#contract/plain-text.ts'

/** The product, and words that people add to a name to make it longer. */
const common = ['foyer', 'wifi', 'wlan', 'admin', 'password', 'passwort', 'welcome', 'reception', 'hotel']
/** Letters needed besides the names. A digit counts half, since digits are mostly a year; symbols do not count. */
const own_min = 6
const word_min = 3

const lookAlikes: Record<string, string> = {
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

/** The words of a name; of an e-mail address those of the local part, and of the domain with and without its ending. */
function wordsOf(name: string): string[] {
  const [local = '', domain = ''] = name.split('@')
  return [local, domain, domain.replace(/\.[^.]*$/, '')].flatMap(wordsIn)
}

const backwards = (word: string) => Array.from(word).toReversed().join('')

/** A pattern for a word, also with look-alike digits and symbols. A short word counts only by itself, for it is part of many others. */
function patternOf(word: string): string {
  const letters = Array.from(word, (letter) =>
    lookAlikes[letter] === undefined ? letter : `[${lookAlikes[letter]}]`,
  ).join('')
  return word.length > word_min ? letters : `(?<!\\p{L})(?:${letters})+(?!\\p{L})`
}

/**
 * Whether a password contains one of the names and, apart from all of them, fewer than six letters of its own; a letter
 * repeated in a row counts once.
 * `names` are those of person and company, and e-mail addresses.
 */
export function isNear(password: string, names: readonly string[]): boolean {
  const words = [...common, ...names.flatMap(wordsOf)].filter(({ length }) => length >= word_min)
  const patterns = [...new Set([...words, ...words.map(backwards)])]
    .toSorted((one, other) => other.length - one.length)
    .map(patternOf)
  const whole = plain(password)
  const rest = whole.replaceAll(new RegExp(patterns.join('|'), 'gu'), ' ')
  const once = rest.replaceAll(/(.)\1+/gu, '$1')
  const own = (once.match(/\p{L}/gu)?.length ?? 0) + (once.match(/\p{N}/gu)?.length ?? 0) / 2
  return rest !== whole && own < own_min
}
