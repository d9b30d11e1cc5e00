// Rent roll: a list of rooms and who lives in them, as people and property systems write it: titles above the headings,
// groups and totals between the rooms, several people in a cell or over several rows, vacant units, former tenants.
import { messages } from '#contract/messages.ts'
import { RoomGuestInput } from '#contract/room-guests.ts'
import { number as roomNumber } from '#contract/rooms.ts'
import { UnreadableFile } from '#server/spreadsheets/limits.ts'
import type { Likeness, Row } from '#server/spreadsheets/sheet.ts'
import type { Person } from './definition.ts'
import { CellProblem, cleanCell, textIn } from './cells.ts'
import { peopleIn } from './people.ts'
import type { Problems } from './problems.ts'
import { DayOrder } from './rent-roll-days.ts'
import { comparable, headingsIn, ofOne, type Columns, type Heading, type Headings } from './rent-roll-headings.ts'
import { asciiDigits, looksLikeNumber, numberIn, withoutZeros } from './room-numbers.ts'
import {
  isBlank,
  isGroup,
  isNoOccupant,
  isSummary,
  isTotal,
  isVacant,
  livesThere,
  sectionIn,
} from './rent-roll-words.ts'

export interface RoomRead {
  /** The first row that names it. */
  row: number
  number: string
  guests: Person[]
}

/** So many rows at the start of a file tell where its headings are. */
const first_rows = 40

/** How many headings are found, with rows below them. What a type or a sum is called says nothing of rooms. */
export const likeness: Likeness = (first) => {
  const found = headingsIn(first)
  const below = first.at(-1)?.[0] ?? 0
  return found && below > found.row ? found.columns.size - (found.columns.has('role') ? 1 : 0) : 0
}

/** The rows that are rooms, and what each says of who is in it. `today` is a day such as 2026-11-22. */
export function readRentRoll(rows: () => Iterable<Row>, today: string, problems: Problems) {
  const first = firstOf(rows())
  if (first.length === 0) throw new UnreadableFile('empty')
  const headings = headingsIn(first)
  if (!headings) throw new UnreadableFile('noRoom')
  const days = new DayOrder(() => daysIn(rows(), headings.columns))
  const roll = new Roll(headings, { today, days, problems })
  for (const row of rows()) if (row[0] > headings.row) roll.add(row)
  if (roll.rows === 0) throw new UnreadableFile('headerOnly')
  return roll
}

function firstOf(rows: Iterable<Row>): Row[] {
  const first: Row[] = []
  for (const row of rows) if (first.push(row) === first_rows) break
  return first
}

/** What stands below a heading, in any of the columns that it reaches over. */
function cellIn(cells: readonly string[], columns: Columns, name: Heading): string {
  for (const at of columns.get(name) ?? []) {
    const text = cells[at]?.trim() ?? ''
    if (text !== '') return text
  }
  return ''
}

function* daysIn(rows: Iterable<Row>, columns: Columns) {
  for (const [, cells] of rows)
    for (const name of ['arrives_on', 'departs_on'] as const) yield asciiDigits(cellIn(cells, columns, name))
}

class Roll {
  readonly rooms = new Map<string, RoomRead>()
  rows = 0
  duplicates = 0
  private last: RoomRead | undefined
  /** Under a heading such as `Future residents` stands who does not live there. */
  private section: 'present' | 'absent' = 'present'
  private columns: Columns
  /** The first row of each number, whatever zeros it begins with. */
  private readonly zeros = new Map<string, RoomRead>()
  private readonly headings: Headings
  private readonly today: string
  private readonly days: DayOrder
  private readonly problems: Problems

  constructor(headings: Headings, { today, days, problems }: { today: string; days: DayOrder; problems: Problems }) {
    this.headings = headings
    this.columns = headings.columns
    this.today = today
    this.days = days
    this.problems = problems
  }

  get ignored() {
    return this.headings.ignored
  }

  add(row: Row) {
    const [number, cells] = row
    if (this.isBetween(row)) return
    try {
      this.addRoom(number, cells)
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error
      this.rows++
      this.problems.add(number, error instanceof InColumn ? error.column : null, error.message)
    }
  }

  /** The headings again at the top of a printed page, totals, and what groups the rooms. */
  private isBetween(row: Row): boolean {
    const [, cells, across] = row
    if (this.headings.lines.includes(comparable(cells))) return true
    const again = ofOne(row)
    if (again) {
      // On a further page the columns may stand elsewhere.
      if (again.columns.size >= this.columns.size) this.columns = again.columns
      return true
    }
    const filled = cells.filter((cell) => cell.trim() !== '')
    const first = filled[0]?.trim() ?? ''
    if (isTotal(first) || (isSummary(first) && this.namesIn(cells).length === 0)) return true
    if (filled.length > 1) return false
    const section = sectionIn(first)
    if (section) this.section = section
    const isMerged = (across ?? []).some(([from]) => cells[from]?.trim() === first)
    return section !== undefined || isGroup(first) || (isMerged && !looksLikeNumber(first))
  }

  private raw(cells: readonly string[], name: Heading): string {
    return cellIn(cells, this.columns, name)
  }

  private addRoom(row: number, cells: string[]) {
    const typed = inColumn('number', () => numberIn(cleanCell(this.raw(cells, 'number'))))
    const guests = this.guestsIn(cells)
    if (typed === '') {
      // A further person of the room above, whose number is not repeated, or a note.
      if (guests.length === 0) return
      if (!this.last) throw new InColumn('number', messages.fields.required)
      this.rows++
      return this.join(this.last, guests)
    }
    const filled = cells.filter((cell) => cell.trim() !== '').length
    if (filled === 1 && this.columns.size > 1 && !looksLikeNumber(typed))
      throw new InColumn('number', `Is “${typed}” a room? Write something beside it, or leave the row out.`)
    const room = this.roomOf(
      row,
      inColumn('number', () => textIn(roomNumber)(typed)),
    )
    this.rows++
    if (room !== this.last && room.row !== row && guests.length === 0) this.duplicates++
    this.last = room
    this.join(room, guests)
  }

  private roomOf(row: number, number: string): RoomRead {
    const key = number.toLowerCase()
    const known = this.rooms.get(key)
    if (known) return known
    const alike = this.zeros.get(withoutZeros(key))
    if (alike)
      throw new InColumn('number', `Is this the “${alike.number}” of row ${alike.row}? Write both the same way.`)
    const room = { row, number, guests: [] }
    this.rooms.set(key, room)
    this.zeros.set(withoutZeros(key), room)
    return room
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
    const status = cell('status')
    if (named.length === 0 || this.section === 'absent' || isNoOccupant(cell('role'))) return []
    const lives = livesThere(status)
    if (lives === undefined)
      throw new InColumn('status', `Does “${status}” live here now? Write current, past, future or vacant.`)
    if (!lives) return []
    const arrives_on = this.dayIn(cell, 'arrives_on')
    const departs_on = this.dayIn(cell, 'departs_on')
    if ((arrives_on !== null && arrives_on > this.today) || (departs_on !== null && departs_on < this.today)) return []
    const text = (name: 'email' | 'mobile_number' | 'external_reference', typed: string) =>
      isBlank(typed) ? null : inColumn(name, () => textIn(RoomGuestInput.shape[name])(typed))
    const contact = {
      email: text('email', cell('email')),
      mobile_number: text('mobile_number', asciiDigits(cell('mobile_number'))),
    }
    const stay = { external_reference: text('external_reference', cell('external_reference')), arrives_on, departs_on }
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
    const lastFirst = this.columns.has('last_name_first')
    const whole = this.raw(cells, lastFirst ? 'last_name_first' : 'name')
    if (isVacant(last_name) && !isVacant(whole)) {
      const people = inColumn('name', () => peopleIn(whole.split('\n').map(cleanCell).join('\n'), { lastFirst }))
      return people.map((person) => inColumn('name', () => checked(person)))
    }
    if (isVacant(last_name)) return []
    return [inColumn('last_name', () => checked({ first_name: first_name === '' ? null : first_name, last_name }))]
  }

  private dayIn(cell: (name: Heading) => string, name: 'arrives_on' | 'departs_on'): string | null {
    const typed = asciiDigits(cell(name))
    return isBlank(typed) ? null : inColumn(name, () => this.days.dayIn(typed))
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
