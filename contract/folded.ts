// Folded: the two forms in which typed text is compared. Their counterparts in SQL are `same_fold` and `find_fold`; the test next to
// this file keeps them identical.

/** Invisible characters: direction marks, soft hyphens, joiners, fillers, variation selectors, tags. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu
const dashes = /[\u058a\u05be\u2010-\u2015\u2043\u2212\u2e3a\u2e3b]/g
/** A spacing accent; NFKC would turn it into a space with a combining mark. */
const accent = /\u00b4/g
const apostrophes = /[`\u02b9\u02bb\u02bc\u02bd\u05f3\u2018\u2019\u201b\u2032\u2035\ua78c]/g
/** Spelled out, so that both languages match the same ones. NFKC has turned all other spaces into U+0020. */
const spaces = '[ \\t\\n\\v\\f\\r\\u0085\\u1680\\u2028\\u2029]'
const around = new RegExp(`^${spaces}+|${spaces}+$`, 'g')

/** For values that must be unique, and for user names: no visible character is dropped. */
export function sameFold(typed: string): string {
  const plain = typed.replace(invisible, '').replace(accent, "'").normalize('NFKC').toLowerCase().normalize('NFKC')
  return plain.replaceAll('ς', 'σ').replace(dashes, '-').replace(apostrophes, "'").replace(around, '')
}

const accents = /[\u0300-\u036f]/g
/** Letters that Unicode does not decompose. */
const spelled: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ð: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}
/** Including what a Japanese keyboard types for a hyphen, and full stops and middle dots of other scripts. */
const between = new RegExp(`${spaces.slice(0, -1)}.'\\u00b7\\u2022\\u3002\\u30fb\\u30fc-]`, 'g')

/**
 * For codes and room numbers, which are accepted if exactly one record matches: `Room A-12` → `a12`, `0202` → `202`,
 * `abcd – efgh` → `abcdefgh`.
 */
export function findFold(typed: string): string {
  const plain = sameFold(typed)
    .normalize('NFKD')
    .replace(accents, '')
    .replace(/[øłđħıŧðßæœþ]/g, (letter) => spelled[letter] ?? '')
  return plain
    .normalize('NFKC')
    .replace(/(^|[^a-z0-9])room(?![a-z])/g, '$1')
    .replace(between, '')
    .replace(/^0+(?=.)/, '')
}
