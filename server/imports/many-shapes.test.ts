// Lists of many shapes are read as a careful person would: rooms, people, their contacts, and the rows with problems.
import { describe, expect, test } from 'vitest'
import { encodedIn } from '#test/encode.ts'
import { listsOfManyShapes, type ListOfShape } from '#test/lists-of-many-shapes.ts'
import { sheetOfCsv } from '#server/imports/spreadsheets/csv.ts'
import type { Row } from '#server/imports/spreadsheets/sheet.ts'
import type { Person } from './definition.ts'
import { check, likeness } from './rooms.ts'

interface Room {
  number: string
  guests: Person[]
}

function read({ lines, encoding, leases = false, day_order }: ListOfShape) {
  const text = lines.map((line) => `${line}\r\n`).join('')
  const sheet = sheetOfCsv(encoding === undefined ? Buffer.from(text) : encodedIn(encoding, text), likeness)
  const filled = () => [...sheet.rows()].filter(([, cells]: Row) => cells.some((cell) => cell.trim() !== ''))
  const options = {
    property_id: 1,
    today: '2026-11-25',
    leases,
    lets_by_lease: leases,
    ahead: false,
    day_order: day_order ?? null,
    properties: [],
  }
  const { records, rest } = check(filled, options)
  return { rooms: [...records] as Room[], rest: rest as never as Rest }
}
interface Rest {
  problems: { row: number }[]
  left_out: { row: number }[]
}

const fullName = ({ first_name, last_name }: Person) => [first_name, last_name].filter(Boolean).join(' ')
const rowsOf = (some: { row: number }[]) => [...new Set(some.map(({ row }) => row))].toSorted((one, two) => one - two)

describe.each(listsOfManyShapes)('$what', (list) => {
  test('its rooms, and nothing else', () => {
    expect(read(list).rooms.map(({ number }) => number)).toEqual(list.rooms.map((room) => room.split(': ')[0]))
  })
  test('the people in each', () => {
    const people = read(list).rooms.map(({ number, guests }) =>
      guests.length === 0 ? number : `${number}: ${guests.map(fullName).join(', ')}`,
    )
    expect(people).toEqual(list.rooms)
  })
  test('the rows with problems, and no others', () => {
    const { rest } = read(list)
    expect([rowsOf(rest.problems), rowsOf(rest.left_out)]).toEqual([list.bad ?? [], list.left_out ?? []])
  })
  test('their contacts', () => {
    const reached = read(list).rooms.flatMap(({ guests }) =>
      guests.flatMap((guest): [string, string][] => {
        const contacts = [guest.mobile_number, guest.email].filter((contact) => contact !== null)
        return contacts.length === 0 ? [] : [[fullName(guest), contacts.join(' ')]]
      }),
    )
    expect(Object.fromEntries(reached)).toEqual(list.contacts ?? {})
  })
})
