// Rent roll: reads a list of rooms and residents as people and property systems write it: titles above the headings, groups and totals
// between the rooms, several people in a cell or over several rows, vacant units, former tenants.
import { messages } from '#contract/messages.ts'
import { number as roomNumber } from '#contract/rooms.ts'
import { UnreadableFile } from '#server/imports/spreadsheets/limits.ts'
import type { Likeness, Row } from '#server/imports/spreadsheets/sheet.ts'
import { rangesOf } from '#server/imports/spreadsheets/words.ts'
import { buildingIn, withBuildings, type RoomRead } from './buildings.ts'
import { conversionNotes } from './calendars.ts'
import { CellProblem, cleanCell, textIn } from './cells.ts'
import { DayOrder } from './days.ts'
import type { Person } from './definition.ts'
import { cellIn, ColumnProblem, inColumn } from './rent-roll-cells.ts'
import {
  comparable,
  headingsIn,
  mayBeHeading,
  ofOne,
  type Columns,
  type Heading,
  type Headings,
} from './rent-roll-headings.ts'
import { Residents, type RollReading } from './rent-roll-residents.ts'
import { isCountLine, isGroup, isNoRoom, isSummary, isTotal, sectionIn, type Section } from './rent-roll-words.ts'
import { asciiDigits } from '#contract/digits.ts'
import { looksLikeNumber, numberIn, sequenceNumber, roomsIn, withoutZeros } from './room-numbers.ts'

/** Rows at the start of a file among which its headings are searched. */
const first_rows = 40

/** The number of headings found, if there are rows below them. `role` does not count, because its words are not specific to rooms. */
export const likeness: Likeness = (first) => {
  const found = headingsIn(first)
  const below = first.at(-1)?.[0] ?? 0
  return found && below > found.row ? found.columns.size - (found.columns.has('role') ? 1 : 0) : 0
}

/** Reads the rooms and the people in them. */
export function readRentRoll(rows: () => Iterable<Row>, reading: RollReading) {
  const first = firstOf(rows())
  if (first.length === 0) throw new UnreadableFile('empty')
  const headings = headingsIn(first)
  if (!headings) throw new UnreadableFile('noRoom')
  const days = new DayOrder(() => daysIn(rows(), headings.columns), reading.day_order ?? 'ask')
  const roll = new Roll(headings, days, reading)
  for (const row of rows()) if (row[0] > headings.row) roll.add(row)
  roll.finish()
  if (roll.rows === 0) throw new UnreadableFile('headerOnly')
  return roll
}

function firstOf(rows: Iterable<Row>): Row[] {
  const first: Row[] = []
  for (const row of rows) if (first.push(row) === first_rows) break
  return first
}

export const dayColumns = ['arrives_on', 'departs_on', 'lease_from', 'lease_to'] as const
function* daysIn(rows: Iterable<Row>, columns: Columns) {
  for (const [, cells] of rows) for (const name of dayColumns) yield asciiDigits(cellIn(cells, columns, name)).trim()
}

const personal: readonly Heading[] = ['name', 'last_name', 'first_name', 'last_name_first', 'email', 'mobile_number']

const filledIn = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '')

class Roll {
  rows = 0
  duplicates = 0
  /** Rows with problems whose room is not known. */
  unplaced_rows = 0
  /** The room of the row that is being read, once it is known. */
  private room: RoomRead | undefined
  /** By building and number. */
  private readonly read = new Map<string, RoomRead>()
  private last: RoomRead | undefined
  /** The last row that had a number. */
  private last_cells: readonly string[] = []
  /** Rows without a number, until the next number shows which room they belong to. */
  private waiting: { number: number; cells: string[]; section: Roll['section'] }[] = []
  /** People below a heading such as `Future residents` do not live there. */
  private section: Section = 'present'
  /** The building in a line between rooms, for those below it. */
  private group = ''
  private row_before: number
  /** Another table has begun, with its own headings. */
  private over = false
  private readonly beyond: number[] = []
  private readonly no_rooms: number[] = []
  /** The first room of each number, without leading zeros. */
  private readonly zeros = new Map<string, RoomRead>()
  private readonly headings: Headings
  private readonly reading: RollReading
  private readonly residents: Residents
  private readonly days: DayOrder

  constructor(headings: Headings, days: DayOrder, reading: RollReading) {
    this.headings = headings
    this.days = days
    this.residents = new Residents(headings, days, reading)
    this.row_before = headings.row
    this.reading = reading
  }

  get ignored() {
    return this.headings.ignored
  }

  /** The rooms with their final numbers. */
  get rooms(): RoomRead[] {
    const rooms = withBuildings([...this.read.values()], this.reading.problems)
    this.unplaced_rows += this.read.size - rooms.length
    return rooms
  }

  get notes(): string[] {
    const notes = []
    if (this.beyond.length > 0)
      notes.push(
        `Not read, because the list ends above it: row${this.beyond.length === 1 ? '' : 's'} ${rangesOf(this.beyond)}.`,
      )
    if (this.no_rooms.length > 0)
      notes.push(
        `Not read, because they are not guest rooms: row${this.no_rooms.length === 1 ? '' : 's'} ${rangesOf(this.no_rooms)}.`,
      )
    const people = (count: number) => `${count} ${count === 1 ? 'person' : 'people'}`
    const { later, gone } = this.residents
    const more = this.reading.leases ? ' A list that replaces who lives there moves them in.' : ''
    if (later > 0) notes.push(`Left out, because they move in later: ${people(later)}.${more}`)
    if (gone > 0) notes.push(`Left out, because they have moved out: ${people(gone)}.`)
    return [...notes, ...this.days.notes, ...conversionNotes(this.days.converted)]
  }

  add(row: Row) {
    const [number, cells] = row
    const gap = number - this.row_before > 1
    this.row_before = number
    if (this.isBetween(row)) return
    if (gap && this.isOtherTable(cells)) this.over = true
    if (this.over) return void this.beyond.push(number)
    if (isNoRoom(this.raw(cells, 'number').trim(), cells)) return void this.no_rooms.push(number)
    this.attempt(number, () => this.addRow(number, cells))
  }

  finish() {
    this.settle(undefined)
  }

  private attempt(row: number, read: () => void) {
    this.room = undefined
    try {
      read()
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error
      this.rows++
      this.doubt()
      this.reading.problems.add(row, error instanceof ColumnProblem ? error.column : null, error.message)
    }
  }

  private doubt() {
    if (this.room) this.room.doubtful = true
    else this.unplaced_rows++
  }

  /** Whether a row is not a room: repeated headings of a printed page, totals, and group headings. */
  private isBetween(row: Row): boolean {
    const [, cells, across] = row
    if (this.isHeadingsAgain(row)) return true
    const filled = filledIn(cells)
    const first = filled[0]?.trim() ?? ''
    const isNamed = () => this.residents.namesIn(cells).length > 0
    if (isTotal(first) || (isSummary(first) && !isNamed())) return true
    if (filled.length <= 3 && isCountLine(filled.map((cell) => cell.trim()).join(' ')) && !isNamed()) return true
    if (filled.length > 1) return false
    const section = sectionIn(first)
    if (section) this.section = section
    const isMerged = (across ?? []).some(([from]) => cells[from]?.trim() === first)
    if (isGroup(first)) this.group = buildingIn(first) ?? this.group
    return section !== undefined || isGroup(first) || (isMerged && !looksLikeNumber(first))
  }

  private isHeadingsAgain(row: Row): boolean {
    const [, cells] = row
    if (this.headings.lines.includes(comparable(cells))) this.over = false
    else {
      const again = mayBeHeading(cells) ? ofOne(row) : undefined
      if (!again) return false
      // On a further page the columns may be in other positions.
      if (again.columns.size >= this.residents.layout.columns.size) {
        this.residents.layout = again
        this.over = false
      } else if (this.residents.namesIn(cells).length > 0 && again.columns.size < 2) return false
    }
    return true
  }

  /** After a gap: words instead of a number, and no digit in the row, as in `Floor plan | Units | Occupied`. */
  private isOtherTable(cells: readonly string[]): boolean {
    const number = this.raw(cells, 'number')
    const filled = filledIn(cells)
    return number !== '' && filled.length > 1 && filled.every((cell) => !/[\d@]/.test(asciiDigits(cell)))
  }

  private raw(cells: readonly string[], name: Heading): string {
    return cellIn(cells, this.residents.layout.columns, name)
  }

  private addRow(row: number, cells: string[]) {
    const typed = inColumn('number', () => numberIn(cleanCell(this.raw(cells, 'number'))))
    if (typed === '') {
      this.waiting.push({ number: row, cells, section: this.section })
      return
    }
    const rooms = roomsIn(typed)
    this.settle(rooms[0] ?? typed)
    for (const room of rooms) this.addRoom(row, cells, room)
    if (rooms.length > 1 && this.last && this.last.guests.length > 0)
      throw new ColumnProblem(
        'number',
        `Are “${typed}” ${rooms.length} rooms? Write a row for each, with who lives there.`,
      )
  }

  /**
   * Assigns the rows without a number, now that the next number is known: they are further people of the room above, or people whose
   * room is missing, which is a problem.
   */
  private settle(next: string | undefined) {
    const waiting = this.waiting
    this.waiting = []
    const section = this.section
    for (const { number, cells, section: ofRow } of waiting) {
      this.section = ofRow
      this.attempt(number, () => {
        const guests = this.residents.of(number, cells, this.section)
        // A note, or a person who does not live there.
        if (guests.length === 0) return
        if (!this.last || !this.isFurther(cells, next, waiting.length)) throw new ColumnProblem('number', withoutNumber)
        this.rows++
        this.join(this.last, guests)
      })
    }
    this.section = section
  }

  /**
   * Whether a row belongs to the room above: its cells about the room are empty or the same, and no room number is missing between
   * that one and the next.
   */
  private isFurther(cells: readonly string[], next: string | undefined, count: number): boolean {
    const above = this.last_cells
    const differs = cells.some(
      (cell, at) => cell.trim() !== '' && !this.ofPerson.has(at) && cell.trim() !== (above[at] ?? '').trim(),
    )
    if (differs) return false
    if (filledIn(cells).length < filledIn(above).length - 1) return true
    const [before, after] = [sequenceNumber(this.last?.number ?? ''), sequenceNumber(next ?? '')]
    return before === undefined || after === undefined || after - before !== count + 1
  }

  /** The columns in which people of one room may differ. */
  private get ofPerson(): ReadonlySet<number> {
    return new Set([
      ...[...personal, 'external_reference' as const, 'role' as const].flatMap(
        (name) => this.residents.layout.columns.get(name) ?? [],
      ),
      ...this.residents.layout.more,
    ])
  }

  private addRoom(row: number, cells: string[], typed: string) {
    // The number is known even if another cell has a problem, so that the next rows are not taken for the room above.
    this.last = undefined
    const filled = filledIn(cells).length
    if (!looksLikeNumber(typed) && (isHeadingWord(typed) || (filled === 1 && this.residents.layout.columns.size > 1)))
      throw new ColumnProblem('number', `Is “${typed}” a room? Write something beside it, or leave the row out.`)
    const room = this.roomOf(
      row,
      inColumn('number', () => textIn(roomNumber)(typed)),
      inColumn('building', () => cleanCell(this.raw(cells, 'building'))) || this.group,
    )
    this.last = room
    this.room = room
    this.last_cells = cells
    const guests = this.residents.of(row, cells, this.section)
    this.rows++
    if (room.row !== row && guests.length === 0) this.duplicates++
    this.join(room, guests)
  }

  private roomOf(row: number, number: string, building: string): RoomRead {
    const place = `${building.toLowerCase()}\n`
    const key = place + number.toLowerCase()
    const known = this.read.get(key)
    if (known) return known
    const alike = this.zeros.get(place + withoutZeros(number.toLowerCase()))
    if (alike)
      throw new ColumnProblem('number', `Is this the “${alike.number}” of row ${alike.row}? Write both the same way.`)
    const room: RoomRead = { row, number, building, guests: [] }
    this.read.set(key, room)
    this.zeros.set(place + withoutZeros(number.toLowerCase()), room)
    return room
  }

  private join(room: RoomRead, guests: Person[]) {
    for (const guest of guests) {
      const known = room.guests.findIndex((other) => fullName(other) === fullName(guest))
      if (known < 0) room.guests.push(guest)
      else {
        this.duplicates++
        room.guests[known] = { ...guest, ...this.stayOfBoth(room.guests[known], guest) }
      }
    }
  }

  /** For a person with a further lease of the same room: from the first day to the last. */
  private stayOfBoth(one: Person | undefined, other: Person): Partial<Person> {
    const days = [one?.arrives_on, other.arrives_on].filter((day) => day != null).toSorted()
    if (!this.reading.ahead || days.length < 2) return {}
    const [first, last] = one?.arrives_on === days[0] ? [one, other] : [other, one]
    return { arrives_on: first?.arrives_on ?? null, departs_on: last?.departs_on ?? null }
  }
}

const withoutNumber = `Which room is this? The number is missing. ${messages.fields.required}`

const isHeadingWord = (text: string) => mayBeHeading([text])

export const fullName = ({ first_name, last_name }: Pick<Person, 'first_name' | 'last_name'>) =>
  [first_name, last_name].filter(Boolean).join(' ').toLowerCase()
