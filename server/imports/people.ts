// People: separates the names in one cell of a rent roll or room list as a reader would: the cell is split wherever people may be
// apart, each piece is looked at (only a title, only a first name, a whole name), and what belongs to one person is joined again.
import {
  couple,
  honorific,
  isFamily,
  isFamilyFirst,
  isParticle,
  isSuffix,
  isTitle,
  isUnnamed,
  joinerOf,
  thai_title,
} from './people-words.ts'

export interface PersonName {
  first_name: string | null
  last_name: string
}

/** A piece of a cell without what stands beside the name. `name` is empty where only a title or "family" is written. */
interface Piece {
  name: string
  title: string | null
  /** `Jr.`, `III`. */
  suffix: string | null
  /** The piece was written as `Family, First`. */
  family: string | null
}

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '')
const lines = /\s*[\n;|؛；]\s*/u
/** Remarks and nicknames. */
const aside = /\([^()]*\)|\[[^[\]]*\]|["“„«][^"”“»]*["”»]/gu
/** `Ortega y Gasset` */
const compound_surname = /^\S+ [yei] \S+$/iu
/** `1. `, `- `, `2x`, `*`: marks and numbers beside names. */
const mark = /^(?:[-•*–†‡#✓!]+|[x×]?\d+[.)x×]?|\+\d+)$/iu

/**
 * `Keller, Ada`, `Ada and Ben Keller`, `SMITH/JOHN MR`, `Mr & Mrs Smith`, `João Costa e Silva`, one person per line; in this order.
 *
 * @param lastFirst of a column whose names begin with the family's and have no comma
 */
export function peopleIn(cell: string, { lastFirst = false } = {}): PersonName[] {
  const people = cell
    .normalize('NFC')
    .replace(aside, ' ')
    .split(lines)
    .flatMap((line) => peopleOfLine(line, lastFirst))
  return distinct(people)
}

/** `last_name` is empty where only a title is written. */
type Named = PersonName & { title: string | null }

function peopleOfLine(line: string, lastFirst: boolean): Named[] {
  const cleaned = wordsOf(line)
    .filter((word) => !mark.test(word))
    .map((word) => word.replace(/^[*†‡#]+|[*†‡#]+$/gu, ''))
    .filter((word) => word !== '')
    .join(' ')
  const pieces = bySlash(cleaned) ?? cleaned.split('/').flatMap((part) => byJoiners(part.trim(), line))
  const named = pieces
    .filter(({ name, title }) => (name === '' ? title !== null : /\p{L}/u.test(name) && !isUnnamed(name)))
    .map((piece) => ({ title: piece.title, ...nameIn(piece, lastFirst) }))
  return named.map((person, index) => ofOneFamily(person, named, index)).filter(({ last_name }) => last_name !== '')
}

/** A word beside a whole name is a first name, and a title alone is somebody of the same family. */
function ofOneFamily(person: Named, all: Named[], index: number): Named {
  if (person.first_name !== null || all.length === 1) return person
  const isWhole = (other: Named) => other !== person && other.first_name !== null
  const whole = all.slice(index + 1).find(isWhole) ?? all.find(isWhole)
  if (person.last_name === '') {
    const relative = whole ?? all.find(({ last_name }) => last_name !== '')
    return { ...person, last_name: relative?.last_name ?? '' }
  }
  if (!whole || person.title !== null) return person
  return { ...person, first_name: person.last_name, last_name: whole.last_name }
}

/** `SURNAME/FIRST TITLE/FIRST TITLE`, as reservation systems write it; null for other cells. */
function bySlash(text: string): Piece[] | null {
  const [surname = '', ...given] = text.split('/').map((part) => part.trim())
  if (given.length === 0) return null
  const in_capitals = text === text.toUpperCase()
  const of_surname = pieceOf(surname)
  const pieces = given.map((part) => pieceOf(in_capitals ? part.replace(/(?<=\p{L}{3})(MRS|MR)$/u, ' $1') : part))
  const isSurname = wordsOf(surname).length === 1 || isParticle(wordsOf(surname)[0] ?? '') || in_capitals
  // `Ada Keller / Ben Ode` are two people, `Smith / Ms Jane Middle` is one.
  const apart = /\s\/|\/\s/.test(text)
  const areGiven = pieces.every(({ name, title }) =>
    apart ? title !== null && wordsOf(name).length > 1 : in_capitals || title !== null || wordsOf(name).length === 1,
  )
  if (!isSurname || !areGiven) return null
  return pieces.map((piece) => ({ ...piece, suffix: piece.suffix ?? of_surname.suffix, family: of_surname.name }))
}

/** Splits at words between people. One that may be part of a surname is so behind a whole name and before one word. */
function byJoiners(text: string, cell: string): Piece[] {
  const all = wordsOf(text.replace(/([&+])/g, ' $1 '))
  const parts: string[][] = [[]]
  for (const [at, word] of all.entries()) {
    const joiner = at === 0 || at === all.length - 1 ? null : joinerOf(word, cell)
    const left = parts.at(-1) ?? []
    if (joiner === null || (joiner === 'perhaps' && isOfSurname(left, all.slice(at + 1), cell))) left.push(word)
    else parts.push([])
  }
  return parts.flatMap((part) => byCommas(part.join(' ')))
}

function isOfSurname(left: string[], rest: string[], cell: string): boolean {
  const end = rest.findIndex((word) => joinerOf(word, cell) !== null)
  const right = end < 0 ? rest : rest.slice(0, end)
  const comma = left.findLastIndex((word) => word.endsWith(','))
  const before = left.slice(comma + 1).filter((word) => !isTitle(word, 1))
  // `Ortega y Gasset, José`
  const beforeComma = comma < 0 && before.length > 0 && (right[0]?.endsWith(',') ?? false)
  return beforeComma || (comma < 0 && before.length > 1 && right.length === 1 && !isTitle(right[0] ?? '', 1))
}

/** `Ada Keller, Ben Ode` and `Mr Smith, Mrs Smith` are two people; `Keller, Ada` and `von Trapp, Maria Augusta` are one. */
function byCommas(text: string): Piece[] {
  const parts = text.split(/\s*[,،、，]\s*/u).filter((part) => part !== '')
  const names = parts.filter((part) => !wordsOf(part).every((word) => isSuffix(word)))
  const suffix = parts.find((part) => !names.includes(part)) ?? null
  const pieces = names.map((part) => ({ ...pieceOf(part), ...(suffix !== null && { suffix }) })).flatMap(couples)
  const [first, ...others] = pieces
  if (!first || others.length === 0) return pieces
  const isWhole = ({ name }: Piece) =>
    wordsOf(name).length > 1 && !isParticle(wordsOf(name)[0] ?? '') && !compound_surname.test(name)
  const isWritten = ({ name }: Piece) => isFamilyFirst(name) && name.length > 1
  if (pieces.every(isWhole) || pieces.every(({ title }) => title !== null) || pieces.every(isWritten)) return pieces
  const family = first.name
  // `García, Ana, Luis`
  if (others.length > 1 && others.every(({ name }) => wordsOf(name).length === 1))
    return others.map((piece) => ({ ...piece, family }))
  const beside = { title: first.title ?? others[0]?.title ?? null, suffix: first.suffix ?? others[0]?.suffix ?? null }
  return [{ ...beside, family, name: others.map(({ name }) => name).join(' ') }]
}

/** `山田夫妻`: both, by the name of the family. */
function couples(piece: Piece): Piece[] {
  if (!couple.test(piece.name)) return [piece]
  const name = piece.name.replace(couple, '')
  return [
    { ...piece, name },
    { ...piece, name },
  ]
}

/** Takes titles, suffixes and "family" from both ends. */
function pieceOf(text: string): Piece {
  const left = wordsOf(text.replace(thai_title, '').replace(honorific, ''))
  const found: Pick<Piece, 'title' | 'suffix'> = { title: null, suffix: null }
  const isBeside = (word: string) => {
    if (isTitle(word, left.length - 1)) found.title ??= word
    else if (isSuffix(word) && left.length > 1) found.suffix ??= word
    else return isFamily(word)
    return true
  }
  while (left[0] !== undefined && !isSuffix(left[0]) && isBeside(left[0])) left.shift()
  while (left.length > 0 && isBeside(left.at(-1) ?? '')) left.pop()
  const english = left.length > 1 && /^the$/i.test(left[0] ?? '') ? left.slice(1) : left
  return { ...found, family: null, name: english.join(' ') }
}

function nameIn({ name, suffix, family }: Piece, lastFirst: boolean): PersonName {
  const withSuffix = (first: string) => [first, suffix ?? ''].filter((part) => part !== '').join(' ') || null
  if (family !== null) return { first_name: withSuffix(name), last_name: family }
  const foreign = /[\p{Script=Katakana}][・=＝][\p{Script=Katakana}]/u.test(name)
  const all = foreign ? name.split(/[・=＝]/u) : wordsOf(name)
  if (lastFirst || (!foreign && all.length > 1 && isFamilyFirst(name)))
    return { first_name: withSuffix(all.slice(1).join(' ')), last_name: all[0] ?? '' }
  const at = familyAt(all)
  return { first_name: withSuffix(all.slice(0, at).join(' ')), last_name: all.slice(at).join(' ') }
}

/** Where the family name begins: at its particle, at the word before an `e` or `y`, else with the last word. */
function familyAt(all: string[]): number {
  // `van Dijk`; but `Van Morrison`
  if (isParticle(all[0] ?? '') && all[0] === all[0]?.toLowerCase()) return 0
  const joined = all.findIndex((word, at) => at > 1 && at < all.length - 1 && /^[yei]$/iu.test(word))
  const particle = all.findIndex((word, at) => at > 0 && at < all.length - 1 && isParticle(word))
  if (particle > 0 && (joined < 0 || particle < joined)) return particle
  return joined > 0 && all.length === joined + 2 ? joined - 1 : all.length - 1
}

/** Two people of one name are told apart by their titles: `Mr & Mrs Smith`. */
function distinct(people: Named[]): PersonName[] {
  const keyOf = ({ first_name, last_name }: PersonName) => `${first_name ?? ''}|${last_name}`
  const counts = new Map<string, number>()
  for (const person of people) counts.set(keyOf(person), (counts.get(keyOf(person)) ?? 0) + 1)
  return people.map(({ title, first_name, last_name }) => ({
    first_name: first_name ?? ((counts.get(`|${last_name}`) ?? 0) > 1 ? title : null),
    last_name,
  }))
}
