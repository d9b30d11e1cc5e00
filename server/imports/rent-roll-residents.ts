// Rent roll residents: who lives in the room of a row, and for how long: names, contacts and days as people write them.
import { RoomGuestInput } from '#contract/room-guests.ts'
import { stayBounds, tooFarAhead, tooLongAgo } from '#contract/stay-days.ts'
import { cleanCell, textIn } from './cells.ts'
import { addressesIn, numbersIn, type Contacts } from './contacts.ts'
import type { DayOrder } from './days.ts'
import type { Person } from './definition.ts'
import { peopleIn } from './people.ts'
import type { LeftOuts, Problems } from './problems.ts'
import { cellIn, ColumnProblem, inColumn } from './rent-roll-cells.ts'
import type { Heading, Headings } from './rent-roll-headings.ts'
import type { OrderOfDays } from '#contract/imports.ts'
import { isBlank, isNoOccupant, saysToCome, isVacant, livesThere, type Section } from './rent-roll-words.ts'
import { asciiDigits } from '#contract/digits.ts'

export interface RollReading {
  /** A day like 2026-11-22. */
  today: string
  /** In a student home a lease counts as a stay. */
  leases: boolean
  /** The property is let by leases, which may have begun long ago. */
  lets_by_lease: boolean
  /** People who move in later are read, too. */
  ahead: boolean
  day_order: OrderOfDays | null
  problems: Problems
  leftOuts: LeftOuts
}

/** In which columns the cells are; a further page may have them in others. */
export type Layout = Pick<Headings, 'columns' | 'more'>

/** A day, and the column that has it. */
interface Dated {
  column: Heading
  day: string | null
}

/** Reads the people of a row. */
export class Residents {
  layout: Layout
  /** People who move in later, if only present residents are read. */
  later = 0
  /** People whose stay is over. */
  gone = 0
  private readonly days: DayOrder
  private readonly reading: RollReading

  constructor(layout: Layout, days: DayOrder, reading: RollReading) {
    this.layout = layout
    this.days = days
    this.reading = reading
  }

  /** Present residents: without those who have not come yet, have left, or are only liable for the rent. */
  of(row: number, cells: readonly string[], section: Section): Person[] {
    const cell = (name: Heading) => inColumn(name, () => cleanCell(cellIn(cells, this.layout.columns, name)))
    const named = this.namesIn(cells)
    const status = cell('status')
    if (named.length === 0 || section === 'absent' || isNoOccupant(cell('role'))) return []
    const stay = this.stayOf(row, cell, status, section)
    if (stay === undefined) return []
    const reference = cell('external_reference')
    const kept = isBlank(reference) ? undefined : RoomGuestInput.shape.external_reference.safeParse(reference)
    if (kept?.success === false)
      this.reading.leftOuts.add(row, 'external_reference', reference, 'This is too long for a reference')
    const external_reference = kept?.success ? (kept.data ?? null) : null
    const emails = this.contactsIn(row, cells, 'email', addressesIn, named.length)
    const numbers = this.contactsIn(row, cells, 'mobile_number', numbersIn, named.length)
    // A contact in a row with several people belongs to the first one, unless there is one for each.
    return named.map((name, index) => ({
      ...name,
      email: emails[index] ?? null,
      mobile_number: numbers[index] ?? null,
      external_reference,
      ...stay,
    }))
  }

  /** One contact for each person, or one only; all others are reported as left out. */
  private contactsIn(
    row: number,
    cells: readonly string[],
    name: 'email' | 'mobile_number',
    read: (cell: string) => Contacts,
    people: number,
  ): string[] {
    const left: Contacts['left'] = []
    for (const at of this.layout.columns.get(name) ?? []) {
      const contacts = read(linesOf(cells[at] ?? ''))
      left.push(...contacts.left)
      if (contacts.found.length === 0) continue
      for (const { value, sentence } of left) this.reading.leftOuts.add(row, name, value, sentence)
      const kept = contacts.found.length === people ? people : 1
      for (const more of contacts.found.slice(kept))
        this.reading.leftOuts.add(row, name, more, `A guest has one: ${contacts.found[0]} is kept`)
      return contacts.found.slice(0, kept)
    }
    for (const { value, sentence } of left) this.reading.leftOuts.add(row, name, value, sentence)
    return []
  }

  /** Undefined for people who do not live there and, if future residents are read, are not going to. */
  private stayOf(row: number, cell: (name: Heading) => string, status: string, section: Section) {
    const lives = section === 'present' ? livesThere(status) : false
    const isExpected = saysToCome(status)
    const isComing = this.reading.ahead && (section === 'coming' || isExpected)
    if (lives === undefined && !isExpected)
      throw new ColumnProblem('status', `Does “${status}” live here now? Write current, past, future or vacant.`)
    if (!lives && !isComing) {
      if (isExpected) this.later++
      return undefined
    }
    const stay = this.stayIn(row, cell, !isBlank(status))
    if (stay === undefined) return undefined
    const isLater = stay.arrives_on !== null && stay.arrives_on > this.reading.today
    if (isLater && !this.reading.ahead) this.later++
    return (isLater ? this.reading.ahead : lives) ? stay : undefined
  }

  /** The days of the stay; undefined if it is over. */
  private stayIn(row: number, cell: (name: Heading) => string, hasStatus: boolean) {
    const { today, lets_by_lease } = this.reading
    const [arrival, departure] = this.daysIn(cell, hasStatus)
    let [arrives_on, departs_on] = [arrival.day, departure.day]
    const leaveOut = ({ column }: Dated, sentence: string) =>
      this.reading.leftOuts.add(row, column, cell(column), sentence)
    if (arrives_on !== null && departs_on !== null && departs_on < arrives_on)
      throw new ColumnProblem(
        departure.column,
        `The departure ${departs_on} is before the arrival ${arrives_on}. Are they in each other’s columns?`,
      )
    const { from, to } = stayBounds(today, lets_by_lease)
    if (departs_on !== null && departs_on > to) {
      leaveOut(departure, `${tooFarAhead(lets_by_lease)}: until then the stay has no end`)
      departs_on = null
    }
    // Who lives there until further notice may have come long ago, whatever the house is let by.
    const isLease = lets_by_lease || departs_on === null
    if (arrives_on !== null && arrives_on < stayBounds(today, isLease).from) {
      leaveOut(arrival, tooLongAgo(isLease))
      arrives_on = null
    }
    const nobody = 'nobody is checked in by this row'
    const isFarAhead = arrives_on !== null && arrives_on > to
    if (isFarAhead) leaveOut(arrival, `${tooFarAhead(lets_by_lease)}: ${nobody}`)
    if (departs_on !== null && departs_on < from) leaveOut(departure, `${tooLongAgo(lets_by_lease)}: ${nobody}`)
    const isOver = departs_on !== null && departs_on < today
    if (isOver) this.gone++
    return isOver || isFarAhead ? undefined : { arrives_on, departs_on }
  }

  /** Arrival and departure, or else the days of a lease where it counts. An expired lease ends no stay of people whose status is given. */
  private daysIn(cell: (name: Heading) => string, hasStatus: boolean): [arrival: Dated, departure: Dated] {
    const { today, leases } = this.reading
    const dated = (column: Heading): Dated => ({ column, day: this.dayIn(cell, column) })
    const [arrival, departure] = [dated('arrives_on'), dated('departs_on')]
    if (!leases) return [arrival, departure]
    const until = dated('lease_to')
    const ends = departure.day === null && !(hasStatus && until.day !== null && until.day < today)
    return [arrival.day === null ? dated('lease_from') : arrival, ends ? until : departure]
  }

  namesIn(cells: readonly string[]) {
    const last_name = inColumn('last_name', () => cleanCell(cellIn(cells, this.layout.columns, 'last_name')))
    const first_name = inColumn('first_name', () => cleanCell(cellIn(cells, this.layout.columns, 'first_name')))
    const lastFirst = this.layout.columns.has('last_name_first')
    const whole = [
      cellIn(cells, this.layout.columns, lastFirst ? 'last_name_first' : 'name'),
      ...this.layout.more.map((at) => cells[at] ?? ''),
    ]
      .filter((text) => !isNobody(text))
      .join('\n')
    if (isNobody(last_name) && whole !== '') {
      const people = inColumn('name', () => peopleIn(whole.split('\n').map(cleanCell).join('\n'), { lastFirst }))
      return people.map((person) => inColumn('name', () => checked(person)))
    }
    if (isNobody(last_name)) return []
    return [inColumn('last_name', () => checked({ first_name: first_name === '' ? null : first_name, last_name }))]
  }

  private dayIn(cell: (name: Heading) => string, name: Heading): string | null {
    const typed = asciiDigits(cell(name)).trim()
    return isBlank(typed) || isOpen(typed) ? null : inColumn(name, () => this.days.dayIn(typed))
  }
}

/** A name has a letter: `3` is a number of people. */
const isNobody = (text: string) => isVacant(text) || (!/\p{L}/u.test(text) && !text.startsWith('#'))

/** A stay without an end. */
const isOpen = (text: string) =>
  /^(?:open(?:[ -]ended)?|n\/?a|tb[acd]|mtm|month[ -]to[ -]month|none|unbefristet|indefinid[oa]|indéterminée?|ongoing|unknown)$/i.test(
    text,
  )

/** The lines of a cell as text, without error values of formulas. */
const linesOf = (cell: string) =>
  cell
    .split('\n')
    .map((line) =>
      line
        .toWellFormed()
        .replace(/\p{Cc}/gu, ' ')
        .trim(),
    )
    .filter((line) => !/^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|ERROR|NOT-CALCULATED!)$/.test(line))
    .map((line) => line.replace(/^'(?=[=+@-])/, ''))
    .join('\n')

const checked = ({ first_name, last_name }: Pick<Person, 'first_name' | 'last_name'>) => ({
  first_name: first_name === null ? null : textIn(RoomGuestInput.shape.first_name)(first_name),
  last_name: textIn(RoomGuestInput.shape.last_name)(last_name),
})
