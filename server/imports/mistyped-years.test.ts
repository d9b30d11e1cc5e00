// Mistyped years: in every column of days that an import has, a year that cannot be meant is named, or converted and noted; nobody
// vanishes from the list.
import { describe, expect, test } from 'vitest'
import type { Row } from '#server/imports/spreadsheets/sheet.ts'
import { accountImport, check as checkAccounts } from './accounts.ts'
import type { Person } from './definition.ts'
import { importColumns } from './headings.ts'
import { dayColumns } from './rent-roll.ts'
import { check as checkRooms } from './rooms.ts'

const today = '2026-11-28'
const headings: Record<string, string> = {
  arrives_on: 'Arrival',
  departs_on: 'Departure',
  lease_from: 'Lease start',
  lease_to: 'Lease end',
}
const kinds = [
  ...dayColumns.map((column) => ({ kind: 'rooms', column, check: checkRooms })),
  ...importColumns(accountImport)
    .filter(([, { type }]) => type === 'moment')
    .map(([column]) => ({ kind: 'accounts', column, check: checkAccounts })),
]

/** The named person, and what is said of row 2. */
function read({ check, column }: (typeof kinds)[number], written: string) {
  const lines: Row[] = [
    [1, ['Room', 'Name', headings[column] ?? column]],
    [2, ['101', 'Ada Keller', written]],
    [3, ['102', 'Ben Ode', '']],
  ]
  const options = {
    property_id: 1,
    today,
    leases: true,
    lets_by_lease: true,
    ahead: true,
    day_order: null,
    properties: [],
  }
  const { records, rest } = check(() => lines, options)
  const { problems, left_out, notes } = rest as unknown as Record<'problems' | 'left_out', { row: number }[]> & {
    notes: string[]
  }
  const people = [...records].flatMap((record) => (record as { guests?: Person[] }).guests ?? [record])
  return {
    day: people.map((person) => (person as unknown as Record<string, unknown>)[stored(column)]),
    people: people.length,
    isNamed: [...problems, ...left_out].some(({ row }) => row === 2),
    /** Counted among those who are left out: 26-12-20 is a day of 2020. */
    isCounted: notes.some((note) => note.startsWith('Left out')),
    notes,
  }
}
const stored = (column: string) => ({ lease_from: 'arrives_on', lease_to: 'departs_on' })[column] ?? column

describe.each(kinds)('$column of $kind', (of) => {
  test.each(['26', '0026', '202', '2206', '2569', '1405', '1448', '9999'])('the year %s', (year) => {
    for (const written of [`${year}-12-20`, `20/12/${year}`, `20 December ${year}`]) {
      const { day, people, isNamed, isCounted, notes } = read(of, written)
      const dates = day.filter((value) => value != null).map((value) => String(value).slice(0, 10))
      // Whatever is stored can be meant; who is not stored is named.
      const last = of.kind === 'rooms' ? '2076-11-28' : '9999-12-31'
      for (const date of dates) expect(date > '1976-11-28' && date <= last, `${written}: ${date}`).toBe(true)
      expect(isNamed || isCounted || people === 2, `${written}: nobody vanishes`).toBe(true)
      expect(isNamed || isCounted || dates.length === 1, `${written}: nothing is left out without a word`).toBe(true)
      const isConverted = !isNamed && ['2569', '1405'].includes(year)
      expect(notes.filter((note) => note.includes('calendar')).length, `${written}: ${notes.join()}`).toBe(
        isConverted ? 1 : 0,
      )
    }
  })
})

test('years of the Thai and the Persian calendar are the days that they mean', () => {
  const [arrivals] = kinds
  if (!arrivals) throw new Error('rooms have arrivals')
  const dayOf = (written: string) => read(arrivals, written).day[0]
  expect(['28/11/2569', '2569-11-28', '28 พฤศจิกายน 2569', '29/02/2567', '๒๘/๑๑/๒๕๖๙'].map(dayOf)).toEqual([
    '2026-11-28',
    '2026-11-28',
    '2026-11-28',
    '2024-02-29',
    '2026-11-28',
  ])
  expect(['1405/09/07', '07.09.1405', '31/06/1405', '۱۴۰۵/۰۹/۰۷', '۷ آذر ۱۴۰۵'].map(dayOf)).toEqual([
    '2026-11-28',
    '2026-11-28',
    '2026-09-22',
    '2026-11-28',
    '2026-11-28',
  ])
  expect(read(arrivals, '28/11/2569').notes).toContain(
    'Dates were read by the Thai Buddhist calendar: 2569-11-28 is 2026-11-28.',
  )
  expect(read(arrivals, '31/12/1405')).toMatchObject({ isNamed: true })
})
