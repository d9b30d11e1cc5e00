// Rent roll: a list of rooms and who lives in them, as people and property systems write it: titles above the headings,
// groups and totals between the rooms, several people in a cell or over several rows, vacant units, former tenants.
import { messages } from '#contract/messages.ts'
import { RoomGuestInput } from '#contract/room-guests.ts'
import { number as roomNumber } from '#contract/rooms.ts'
import { UnreadableFile, type Row } from '#server/spreadsheets/limits.ts'
import type { Person } from './definition.ts'
import { CellProblem, cleanCell, momentIn, textIn } from './cells.ts'
import { squashed } from './headings.ts'
import { peopleIn } from './people.ts'
import type { Problems } from './problems.ts'

export interface RoomRead {
  /** The first row that names it. */
  row: number
  number: string
  guests: Person[]
}

/** Headings, squashed: lower case without spaces or punctuation. By preference. */
const headings = {
  number: ['roomnumber', 'roomno', 'room', 'rooms', 'unitnumber', 'unitno', 'unitid', 'unit', 'units', 'apartmentnumber', 'apartment', 'apt', 'aptno', 'flatnumber', 'flat', 'suite', 'pitch', 'bed', 'zimmernummer', 'zimmernr', 'zimmer', 'wohnung', 'einheit', 'chambre', 'appartement', 'logement', 'habitacion', 'piso', 'camera', 'kamer'],
  last_name: ['lastname', 'surname', 'familyname', 'guestlastname', 'nachname', 'nom', 'apellido', 'apellidos', 'cognome', 'achternaam'],
  first_name: ['firstname', 'givenname', 'forename', 'guestfirstname', 'vorname', 'prenom', 'nombre', 'nome', 'voornaam'],
  name: ['name', 'fullname', 'guestname', 'guest', 'guests', 'residentname', 'resident', 'residents', 'tenantname', 'tenant', 'tenants', 'occupant', 'occupants', 'occupantname', 'leaseholder', 'mieter', 'bewohner', 'gast', 'gastname', 'locataire', 'inquilino', 'huurder'],
  email: ['email', 'emailaddress', 'mail', 'guestemail', 'residentemail', 'tenantemail', 'courriel', 'correo'],
  mobile_number: ['mobilenumber', 'mobile', 'mobilephone', 'cell', 'cellphone', 'phonenumber', 'phone', 'telephone', 'tel', 'telefon', 'telephone1', 'handy', 'telefono'],
  external_reference: ['externalreference', 'reservation', 'reservationnumber', 'confirmation', 'confirmationnumber', 'booking', 'bookingreference', 'residentid', 'tenantid', 'tenantcode', 'residentcode', 'reference'],
  arrives_on: ['arrival', 'arrivaldate', 'arriveson', 'arrives', 'checkin', 'checkindate', 'movein', 'moveindate', 'anreise', 'einzug', 'arrivee', 'llegada'],
  departs_on: ['departure', 'departuredate', 'departson', 'departs', 'checkout', 'checkoutdate', 'moveout', 'moveoutdate', 'abreise', 'auszug', 'depart', 'salida'],
  status: ['status', 'residentstatus', 'unitstatus', 'occupancy', 'occupancystatus', 'leasestatus', 'tenantstatus', 'roomstatus', 'state', 'stat'],
  role: ['role', 'relationship', 'residenttype', 'tenanttype', 'occupanttype', 'type'],
} as const // prettier-ignore
type Heading = keyof typeof headings

/** How far down the headings may stand. */
const title_rows_max = 30

const vacant =
  /^(?:\W*|vacant.*|empty|available|unoccupied|none|n\/?a|model|frei|leer|leerstand|vide|vacante|libre|vuoto|leeg)$/i
const present =
  /^(?:current|occupied|resident|tenant|occ|in[ -]?house|checked[ -]?in|stay(?:ing|over)?|leased|rented|active|notice.*|on notice|ntv.*|eviction|month[ -]to[ -]month|mtm|belegt|vermietet|occupé|ocupado|yes|y|1)$/i
const absent =
  /^(?:applicant|applied|approved|future|pending|prospect|waitlist(?:ed)?|wait list|past|former|previous|moved[ -]?out|evicted|cancell?ed|denied|reserved|reservation|expected|arriving|due in|checked[ -]?out|departed|no[ -]?show|vacated)(?:\s.*)?$/i
/** Under a heading such as `Occupied`. */
const no = /^(?:no|n|0|false)$/i
const noOccupant = /^(?:guarantor|co-?signer|cosigner|emergency contact|applicant|owner|landlord|bürge|garant)/i
const total = /^(?:grand |sub-?)?(?:total|sum|summe|gesamt|totaux?|totale|count|average)s?\b|\btotals?:?$/i
const group =
  /^(?:building|block|floor|level|wing|tower|phase|section|property|site|house|page|floorplan|unit type|haus|gebäude|etage|stock|bâtiment|étage|edificio|planta)\b/i

/** The columns of a row of headings, or nothing where it is none. */
function columnsIn(cells: readonly string[]): Map<Heading, number> | undefined {
  const names = cells.map((cell) => squashed(cell.normalize('NFKD').replace(/\p{M}/gu, '')))
  const at = new Map<Heading, number>()
  for (const [name, known] of Object.entries(headings) as [Heading, readonly string[]][]) {
    const found = known.find((heading) => names.includes(heading))
    if (found !== undefined) at.set(name, names.indexOf(found))
  }
  // A title such as `Rooms` stands alone; headings stand beside one another, or alone above numbers.
  const filled = names.filter((name) => name !== '').length
  return at.has('number') && (at.size > 1 || filled === 1) ? at : undefined
}

/** `101.0` is a number that a program wrote for 101; digits are digits in any script. */
const plainNumber = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/^(\d+)\.0+$/, '$1')

/** Each script has its ten digits in a row, so their first is found by going down from one to it. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  if (code < 128) return digit
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero--
  return String(code - zero)
}

const below = (above: readonly string[], cells: readonly string[]) =>
  Array.from(
    { length: Math.max(above.length, cells.length) },
    (_, index) => `${above[index] ?? ''} ${cells[index] ?? ''}`,
  )

/** The rows that are rooms, and what each says of who is in it. `today` is a day such as 2026-11-22. */
export async function readRentRoll(rows: AsyncIterable<Row>, today: string, problems: Problems) {
  const roll = new Roll(today, problems)
  let above: readonly string[] = []
  let seen = 0
  for await (const [row, cells] of rows) {
    if (roll.columns === undefined) {
      // Headings may stand in two lines: `Unit` above `No.`.
      roll.columns = columnsIn(cells) ?? columnsIn(below(above, cells))
      if (roll.columns) roll.titles = cells
      above = cells
      if (++seen > title_rows_max && roll.columns === undefined) throw new UnreadableFile('noRoom')
      continue
    }
    // … or the second line says more of what the first has named.
    const both = roll.rows === 0 && above.length > 0 ? columnsIn(below(above, cells)) : undefined
    above = []
    if (both && both.size >= roll.columns.size) roll.columns = both
    else roll.add(row, cells)
  }
  if (seen === 0) throw new UnreadableFile('empty')
  if (roll.columns === undefined) throw new UnreadableFile('noRoom')
  if (roll.rows === 0) throw new UnreadableFile('headerOnly')
  return roll
}

class Roll {
  columns: Map<Heading, number> | undefined
  titles: readonly string[] = []
  readonly rooms = new Map<string, RoomRead>()
  rows = 0
  duplicates = 0
  private last: RoomRead | undefined
  private readonly today: string
  private readonly problems: Problems

  constructor(today: string, problems: Problems) {
    this.today = today
    this.problems = problems
  }

  get ignored() {
    const taken = new Set(this.columns?.values())
    return this.titles.map((title) => title.trim()).filter((title, index) => title !== '' && !taken.has(index))
  }

  add(row: number, cells: string[]) {
    const filled = cells.filter((cell) => cell.trim() !== '')
    const first = filled[0]?.trim() ?? ''
    // The headings again at the top of a printed page, totals, and what groups the rooms.
    if (columnsIn(cells) || total.test(first) || (filled.length === 1 && group.test(first))) return
    try {
      this.addRoom(row, cells, filled.length)
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error
      this.rows++
      this.problems.add(row, error instanceof InColumn ? error.column : null, error.message)
    }
  }

  private raw(cells: readonly string[], name: Heading): string {
    const at = this.columns?.get(name)
    return at === undefined ? '' : (cells[at] ?? '').trim()
  }

  private addRoom(row: number, cells: string[], filled: number) {
    const typed = inColumn('number', () => plainNumber(cleanCell(this.raw(cells, 'number'))))
    const guests = this.guestsIn(cells)
    if (typed === '') {
      // A further person of the room above, whose number is not repeated, or a note.
      if (guests.length === 0) return
      if (!this.last) throw new InColumn('number', messages.fields.required)
      this.rows++
      return this.join(this.last, guests)
    }
    if (filled === 1 && (this.columns?.size ?? 0) > 1 && !/\d/.test(typed))
      throw new InColumn('number', `Is “${typed}” a room? Write something beside it, or leave the row out.`)
    const number = inColumn('number', () => textIn(roomNumber)(typed))
    this.rows++
    const known = this.rooms.get(number.toLowerCase())
    if (known && guests.length === 0) this.duplicates++
    this.last = known ?? { row, number, guests: [] }
    this.rooms.set(number.toLowerCase(), this.last)
    this.join(this.last, guests)
  }

  private join(room: RoomRead, guests: Person[]) {
    for (const guest of guests) {
      const known = room.guests.findIndex((other) => nameOf(other) === nameOf(guest))
      if (known < 0) room.guests.push(guest)
      else {
        this.duplicates++
        room.guests[known] = guest
      }
    }
  }

  /** Who lives there now: nobody who is still to come, who has left, or who only answers for the rent. */
  private guestsIn(cells: readonly string[]): Person[] {
    const cell = (name: Heading) => inColumn(name, () => cleanCell(this.raw(cells, name)))
    const named = this.namesIn(cells)
    const status = cell('status').replace(/^\W+$/, '')
    if (named.length === 0 || noOccupant.test(cell('role'))) return []
    if (status !== '' && (vacant.test(status) || no.test(status) || absent.test(status))) return []
    if (status !== '' && !present.test(status))
      throw new InColumn('status', `Does “${status}” live here now? Write current, past, future or vacant.`)
    const arrives_on = this.dayIn(cell, 'arrives_on')
    const departs_on = this.dayIn(cell, 'departs_on')
    if ((arrives_on !== null && arrives_on > this.today) || (departs_on !== null && departs_on < this.today)) return []
    const text = (name: 'email' | 'mobile_number' | 'external_reference') => {
      const typed = cell(name)
      return typed === '' || typed === '-' ? null : inColumn(name, () => textIn(RoomGuestInput.shape[name])(typed))
    }
    const contact = { email: text('email'), mobile_number: text('mobile_number') }
    const stay = { external_reference: text('external_reference'), arrives_on, departs_on }
    // What stands beside several people is the first one's.
    return named.map((name, index) => ({
      ...name,
      ...(index === 0 ? contact : { email: null, mobile_number: null }),
      ...stay,
    }))
  }

  private namesIn(cells: readonly string[]) {
    const last_name = inColumn('last_name', () => cleanCell(this.raw(cells, 'last_name')))
    const first_name = inColumn('first_name', () => cleanCell(this.raw(cells, 'first_name')))
    const whole = this.raw(cells, 'name')
    if (vacant.test(last_name) && !vacant.test(whole)) {
      const people = inColumn('name', () => peopleIn(whole.split('\n').map(cleanCell).join('\n')))
      return people.map((person) => inColumn('name', () => checked(person)))
    }
    if (vacant.test(last_name)) return []
    return [inColumn('last_name', () => checked({ first_name: first_name === '' ? null : first_name, last_name }))]
  }

  private dayIn(cell: (name: Heading) => string, name: 'arrives_on' | 'departs_on'): string | null {
    const typed = cell(name)
    return typed === '' || typed === '-' ? null : inColumn(name, () => momentIn(typed).slice(0, 10))
  }
}

const checked = ({ first_name, last_name }: Pick<Person, 'first_name' | 'last_name'>) => ({
  first_name: first_name === null ? null : textIn(RoomGuestInput.shape.first_name)(first_name),
  last_name: textIn(RoomGuestInput.shape.last_name)(last_name),
})

export const nameOf = ({ first_name, last_name }: Pick<Person, 'first_name' | 'last_name'>) =>
  [first_name, last_name].filter(Boolean).join(' ').toLowerCase()

/** What is wrong with the cell of one column. */
class InColumn extends CellProblem {
  readonly column: string
  constructor(column: string, message: string) {
    super(message)
    this.column = column
  }
}

function inColumn<R>(column: Heading, read: () => R): R {
  try {
    return read()
  } catch (error) {
    if (error instanceof CellProblem && !(error instanceof InColumn)) throw new InColumn(column, error.message)
    throw error
  }
}
