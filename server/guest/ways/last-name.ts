// Last name: whether a guest means the name that the desk has entered. People leave out accents and hyphens, write one of two
// surnames, or put their first name before it.

/** One for each way to write letters that a keyboard lacks: `Muller` and `Mueller` for Müller, `Aaberg` for Åberg. */
const collators = ['und', 'de-u-co-phonebk', 'da'].map(
  (locale) => new Intl.Collator(locale, { sensitivity: 'base', ignorePunctuation: true }),
)
const same = (one: string, other: string) => collators.some((collator) => collator.compare(one, other) === 0)

/** Too common in names to identify anybody. */
const particles = new Set(
  'af al ap ben bin da das de dei del della den der des di do dos du el het la las le los op ten ter van von zu zum zur y'.split(
    ' ',
  ),
)

/** Replaces letters that no collation equates with their base letters, and removes all kinds of apostrophes. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll('ø', 'ö')
    .replaceAll('ı', 'i')
    .replace(/[`´'’]/g, '')
    .trim()

const wordsOf = (text: string) => text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '')

/** What was typed, and its last word, as people put their first name before it. */
const meantBy = (given: string) => [given, ...wordsOf(given).slice(-1)]

/** @param known as the desk has entered it */
export function isLastName(typed: string, known: string): boolean {
  const [given, stored] = [plain(typed), plain(known)]
  if (!/\p{L}/u.test(given) || !/\p{L}/u.test(stored)) return false
  const parts = wordsOf(stored).filter((word) => word.length > 1 && !particles.has(word))
  return [stored, ...parts].some((part) => meantBy(given).some((word) => same(word, part)))
}

/** Whether it is all of a name, of however few letters. */
export function isWholeName(typed: string, known: string): boolean {
  const [given, stored] = [plain(typed), plain(known)]
  return /\p{L}/u.test(given) && /\p{L}/u.test(stored) && meantBy(given).some((word) => same(word, stored))
}
