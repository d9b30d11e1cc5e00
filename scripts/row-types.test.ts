// Row types: no row of SQL that is typed by hand says another type than its column has.
import { expect, test } from 'vitest'
import { differingIn, differingRows, tablesIn } from '#scripts/row-types.ts'

const tables = tablesIn(`
export interface DB {
  rooms: Rooms
}
export interface Rooms {
  /**
   * As on the door.
   */
  floor: string | null
  id: Generated<number>
  rate: Generated<Numeric>
  state: string
}
`)
const found = (source: string) =>
  differingIn(source, tables).differing.map(({ column, written, has }) => [column, written, has])

test.each([
  ['sql<{ id: string }>`select r.id from rooms as r`', [['id', 'string', 'Generated<number>']]],
  ['sql<{ floor: string }>`select floor from rooms where id = ${id(`x`)}`', [['floor', 'string', 'string | null']]],
  ['sql<{ rate: string }>`update rooms set rate = 1 returning rate`', [['rate', 'string', 'Generated<Numeric>']]],
])('%s', (source, differing) => {
  expect(found(source)).toEqual(differing)
})

test('a row with a name is found in its file', () => {
  expect(
    found('interface Found {\n  /** Its own. */\n  id: string\n}\nsql<Found>`select r.id from rooms as r`'),
  ).toEqual([['id', 'string', 'Generated<number>']])
})

test.each([
  'sql<{ id: number; rate: number; floor: string | null }>`select r.id, r.rate, r.floor from rooms as r`',
  'sql<{ floor: string }>`select floor from rooms where floor is not null`',
  'sql<{ id: string; floor: string }>`select r.id::text, coalesce(r.floor, $1) as floor from rooms as r`',
  "sql<{ state: 'clean' | 'dirty' }>`select state from rooms`",
  'sql<{ id: string }>`select g.id from rooms as r join guests as g on true`',
])('%s is as it should be', (source) => {
  expect(found(source)).toEqual([])
})

test('every row that is typed by hand has the types of its columns', () => {
  const { compared, lines } = differingRows('server')
  expect(lines).toEqual([])
  expect(compared).toBeGreaterThan(200)
})
