// People: separates the names in one cell of a rent roll or room list as a reader would.

export interface PersonName {
  first_name: string | null
  last_name: string
}

const titles = /^(?:mr|mrs|ms|miss|mx|dr|prof|sir|herr|frau|mme|m|sr|sra|dott)\.?\s+(?=\S)/i
/** `1. `, `- `: marks before each of several names. `(wife)` after a name is dropped, too. */
const mark = /^(?:\d+[.)]|[-•*–])\s+/
const particles = /^(?:van|von|de|del|della|di|da|der|den|la|le|du|al|el|bin|ter|ten|zu|y)$/i
/** Between people: a line break, a semicolon, a slash, an "and". */
const between = /\s*(?:[\n;/|、،]|\s&\s|\s\+\s|\s(?:and|und|et|y|e)\s)\s*/i

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '')

/** `Keller, Ada`, `Ada Keller`, `Ada and Ben Keller`, `Keller, Ada & Ben`, one person per line; in this order. */
export function peopleIn(cell: string, { lastFirst = false } = {}): PersonName[] {
  const parts = cell
    .replace(/\([^()]*\)/g, ' ')
    .split(between)
    .flatMap(apart)
    .map((part) => part.trim().replace(mark, '').replace(titles, ''))
    .filter((part) => part !== '')
  const people = parts.map((part) => nameIn(part, lastFirst))
  return people.map((person, index) => {
    if (person.first_name !== null || people.length === 1) return person
    // One word next to a full name is a first name; the other person has the family name.
    const family = people.slice(index + 1).find((other) => other.first_name !== null) ?? people[0]
    return family && family !== person && family.first_name !== null
      ? { first_name: person.last_name, last_name: family.last_name }
      : person
  })
}

/** `Ada Keller, Ben Ode` are two people; `Keller, Ada` and `von Trapp, Maria Augusta` are one. */
function apart(part: string): string[] {
  const pieces = part.split(',').map((piece) => piece.trim())
  const full = (piece: string) => words(piece).length > 1 && !particles.test(words(piece)[0] ?? '')
  return pieces.length > 1 && pieces.every(full) ? pieces : [part]
}

function nameIn(text: string, lastFirst: boolean): PersonName {
  const [last = '', ...first] = text.split(',').map((piece) => piece.trim())
  const given = first.filter((piece) => piece !== '').join(' ')
  if (given !== '') return { first_name: given.replace(titles, ''), last_name: last }
  const all = words(last)
  if (lastFirst) return { first_name: all.slice(1).join(' ') || null, last_name: all[0] ?? '' }
  // `Jan van der Berg`: the family name begins with its particle.
  const particle = all.findIndex((word, index) => index > 0 && index < all.length - 1 && particles.test(word))
  const at = particle > 0 ? particle : all.length - 1
  return { first_name: all.slice(0, at).join(' ') || null, last_name: all.slice(at).join(' ') }
}
