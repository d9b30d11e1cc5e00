// Imports of rooms: room lists and rent rolls as people and property systems write them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as imports from '#contract/imports.ts'
import type { Reply } from '#contract/endpoint.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as rooms from '#contract/rooms.ts'
import { forbidden, invalid } from '#server/errors/refused.ts'
import { inDays, openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { aFile } from '#test/uploads.ts'
import { workbookOf } from '#test/workbooks.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

const csv = (lines: string[]) => aFile('rooms.csv', lines.map((line) => `${line}\r\n`).join(''))
const send = (lines: string[], more: object, who = editor) =>
  foyer.ask(imports.rooms, { RoomImport: csv(lines), ...more }, who)
async function bring(lines: string[], more: object): Promise<Reply<typeof imports.rooms>['data']> {
  const answer = await send(lines, more)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.data
}
const aProperty = async () => (await foyer.property(editor)).id
/** `101: Ada Keller, Ben Ode`, by number. */
async function stored(property_id: number) {
  const { data } = await foyer.get(rooms.list, { params: { property_id }, sort: 'number', per_page: 200 }, editor)
  const { data: guests } = await foyer.get(
    roomGuests.list,
    { params: { property_id }, sort: 'name', per_page: 200 },
    editor,
  )
  return data.map(({ id, number }) => {
    const names = guests.filter(({ room }) => room.id === id).map(({ name }) => name)
    return names.length === 0 ? number : `${number}: ${names.join(', ')}`
  })
}
const read = async (lines: string[]) => {
  const property_id = await aProperty()
  await bring(lines, { property_id })
  return stored(property_id)
}

describe('a list is read as a careful person reads it', () => {
  const cases: [string, string[], string[]][] = [
    ['rooms alone', ['Room', '101', '102'], ['101', '102']],
    ['a guest with each', ['Room,Guest', '101,Ada Keller', '102,'], ['101: Ada Keller', '102']],
    [
      'titles above, groups and totals between, headings repeated',
      [
        'Rent Roll,,,',
        'Harbour House,,as of 2026-11-01,',
        'Unit,Resident,Status,Rent',
        'Building A,,,',
        'A-1,"Keller, Ada",Current,900',
        'A-2,VACANT,Vacant,0',
        'Total,,,900',
        'Unit,Resident,Status,Rent',
        'Building B,,,',
        'B-1,"Ode, Ben",Notice,800',
        'Grand total,,3 units,1700',
      ],
      ['A-1: Ada Keller', 'A-2', 'B-1: Ben Ode'],
    ],
    ['headings in two lines', ['Unit,Resident,Move', 'No.,Name,In', '1,Ada Keller,2020-01-01'], ['1: Ada Keller']],
    [
      'several people over several rows, and in a cell',
      ['Unit,Tenant', '1,Ada Keller', ',Ben Keller', '2,"Cid Ode; Dee Ode"', '3,"Eve Ray\nFay Ray"'],
      ['1: Ada Keller, Ben Keller', '2: Cid Ode, Dee Ode', '3: Eve Ray, Fay Ray'],
    ],
    [
      'only who lives there now',
      [
        'Unit,Name,Status,Type,Move-in,Move-out',
        `1,Now Here,Current,Resident,${inDays(-2000)},`,
        '1,Grand Parent,Current,Guarantor,,',
        '2,Still Coming,Future,Resident,,',
        '3,Has Left,Past,Resident,,',
        '4,Wants One,Applicant,Resident,,',
        `5,Comes Later,Current,Resident,${inDays(60)},`,
        `6,Went Away,Current,Resident,${inDays(-600)},${inDays(-30)}`,
        `7,On Notice,Notice,Resident,,${inDays(60)}`,
      ],
      ['1: Now Here', '2', '3', '4', '5', '6', '7: On Notice'],
    ],
    [
      'another language, and other digits',
      ['Zimmer;Nachname;Vorname;Status', '101;Müller;Zoë;belegt', '١٠٢;Leer;;frei'],
      ['101: Zoë Müller', '102'],
    ],
    ['numbers that a program wrote', ['Room,Name', '101.0,Ada Keller', 'A-2,'], ['101: Ada Keller', 'A-2']],
  ]
  test.each(cases)('%s', async (_name, lines, expected) => {
    expect(await read(lines)).toEqual(expected)
  })
})

test('the details of guests are imported, too', async () => {
  const property_id = await aProperty()
  const header = imports.roomColumns.join(',')
  await bring([header, `101,Ada,Keller,ada@example.com,+44 7700 900123,RES-1,${inDays(-9)},${inDays(9)},current`], {
    property_id,
  })
  const { data } = await foyer.get(roomGuests.list, { params: { property_id } }, editor)
  expect(data).toMatchObject([
    {
      name: 'Ada Keller',
      email: 'ada@example.com',
      mobile_number: '+44 7700 900123',
      external_reference: 'RES-1',
      arrives_on: inDays(-9),
      departs_on: inDays(9),
      room: { name: '101' },
    },
  ])
})

test.each([
  ['13.NOV.26', '28.DEC.26'],
  ['20-NOV-26', '28-DEC-26'],
  ['11/20/26', '12/28/26'],
  ['20.11.26', '28.12.26'],
])('years of two digits are of this century: %s to %s', async (arrival, departure) => {
  const property_id = await aProperty()
  await bring(['Room,Guest,Arrival,Departure', `101,Ada Keller,${arrival},${departure}`], { property_id })
  const { data } = await foyer.get(roomGuests.list, { params: { property_id } }, editor)
  expect(data).toMatchObject([{ arrives_on: expect.stringMatching(/^2026-11-/), departs_on: '2026-12-28' }])
})

test.each(['Email: N/A, declined, no email, refused, none', 'Phone: N/A, none, unknown, ex-directory'])(
  'a contact that says there is none is left empty (%s)',
  async (words) => {
    const [column = '', cells = ''] = words.split(': ')
    for (const cell of cells.split(', ')) {
      const property_id = await aProperty()
      const result = await bring([`Room,Guest,${column}`, `101,Ada Keller,${cell}`], { property_id })
      expect(result, cell).toMatchObject({ total: 1, problem_rows: 0 })
      expect(await stored(property_id), cell).toEqual(['101: Ada Keller'])
      const { data } = await foyer.get(roomGuests.list, { params: { property_id } }, editor)
      expect(data, cell).toMatchObject([{ email: null, mobile_number: null }])
    }
  },
)

test('two buildings with the same room numbers do not share a room', async () => {
  const lines = [
    'Building,Unit,Resident,Status',
    'East,101,Ann Lee,Current',
    'West,101,Cy Dow,Current',
    'West,102,,Vacant',
  ]
  const rooms = await read(lines)
  expect(rooms).toHaveLength(3)
  expect(rooms.filter((room) => room.includes('Ann Lee') && room.includes('Cy Dow'))).toEqual([])
})

test('if no program has calculated a formula, the row is named, and its guest is not put into the room above', async () => {
  const property_id = await aProperty()
  const text = (at: string, words: string) => `<c r="${at}" t="inlineStr"><is><t>${words}</t></is></c>`
  const sheet = workbookOf(
    `<row r="1">${text('A1', 'Room')}${text('B1', 'Guest')}</row>
     <row r="2"><c r="A2"><v>101</v></c>${text('B2', 'Ann Lee')}</row>
     <row r="3"><c r="A3"><f>A2+1</f></c>${text('B3', 'Bob Ray')}</row>
     <row r="4"><c r="A4"><v>103</v></c><c r="B4"><f>CONCATENATE("Cy"," ","Dow")</f></c></row>`,
  )
  const ask = { RoomImport: aFile('rooms.xlsx', sheet), property_id, dry_run: true }
  const { body } = await foyer.ask(imports.rooms, ask, editor)
  expect(body.data.problems.map(({ row }) => row)).toEqual([3, 4])
  expect(body.data.preview.map(({ guests }) => guests)).not.toContain('Bob Ray')
  expect(body.data.preview).toContainEqual(expect.objectContaining({ name: '101', guests: 'Ann Lee' }))
})

test('rooms are matched by number and guests by name within their room; guests who are not named stay', async () => {
  const property_id = await aProperty()
  const pack = await foyer.package(editor)
  const own = await foyer.package(editor)
  const room = await foyer.room(editor, { property_id, number: 'a-1', package_id: own.id })
  await foyer.roomGuest(editor, { room_id: room.id, first_name: 'Ada', last_name: 'Keller', email: 'old@example.com' })
  await foyer.roomGuest(editor, { room_id: room.id, last_name: 'Stays' })
  const lines = ['Room,Guest,Phone', 'A-1,ADA KELLER,+44 20 7946 0000', 'A-2,Ben Ode,', 'A-2,Ben Ode,']
  const check = await bring(lines, { property_id, package_id: pack.id, dry_run: true })
  expect(check).toMatchObject({
    id: null,
    total: 2,
    created: 1,
    overwritten: 1,
    rows: 3,
    duplicates: 1,
    problem_rows: 0,
  })
  expect(check.preview).toMatchObject([
    { row: 2, name: 'A-1', guests: 'ADA KELLER', outcome: 'overwritten' },
    { row: 3, name: 'A-2', guests: 'Ben Ode', outcome: 'new' },
  ])
  expect(await stored(property_id)).toEqual(['a-1: Ada Keller, Stays'])
  const done = await bring(lines, { property_id, package_id: pack.id })
  expect(done).toMatchObject({ total: 2, created: 1, overwritten: 1 })
  expect(done.id).toBeGreaterThan(0)
  expect(await stored(property_id)).toEqual(['A-1: Ada Keller, Stays', 'A-2: Ben Ode'])
  const { data } = await foyer.get(roomGuests.list, { searchValue: 'ada keller', params: { property_id } }, editor)
  expect(data).toMatchObject([{ email: 'old@example.com', mobile_number: '+44 20 7946 0000' }])
  const again = await foyer.get(rooms.get, { id: room.id }, editor)
  expect(again.data).toMatchObject({ occupancy: 'occupied', occupants: 2, package_id: own.id })
  const made = await foyer.get(rooms.list, { params: { property_id }, searchValue: 'a-2' }, editor)
  expect(made.data).toMatchObject([{ number: 'A-2', package: { id: pack.id } }])
})

test('bad rows are named, and nothing is stored', async () => {
  const property_id = await aProperty()
  const lines = [
    'Unit,Resident,Status,E-mail',
    '1,Ada Keller,Current,not an address',
    '2,Ben Ode,Perhaps,',
    'Garden,,,',
    `${'9'.repeat(51)},Cid Ray,Current,`,
    '5,Dee Fox,Current,',
  ]
  const check = await bring(lines, { property_id, dry_run: true })
  expect(check.problems.map(({ row, column }) => `${row} ${column}`)).toEqual(['3 status', '4 number', '5 number'])
  expect(check.problem_rows).toBe(3)
  expect(check).toMatchObject({
    left_out: [{ row: 2, column: 'email', value: 'not an address', sentence: 'This is not an e-mail address' }],
    left_out_rows: 1,
  })
  expectRefused(
    await send(lines, { property_id }),
    invalid({
      RoomImport: [
        '3 of 5 rows cannot be imported, so nothing was.',
        'Row 3, status: Does “Perhaps” live here now? Write current, past, future or vacant.',
        'Row 4, number: Is “Garden” a room? Write something beside it, or leave the row out.',
        'Row 5, number: Please use at most 50 characters',
      ],
    }),
  )
  expect(await stored(property_id)).toEqual([])
})

test('a file without rooms is refused with a reason, and so is one without a property', async () => {
  const property_id = await aProperty()
  for (const [lines, sentence] of [
    [
      ['Name,E-mail', 'Ada,ada@example.com'],
      'There is no column for the room. Name it Room or Unit, with the guests beside it, as the sample file does. ' +
        'What is hidden is not read.',
    ],
    [['Room,Name'], 'This file has a header and nothing below it. Add a row for each record.'],
    [[''], 'This file is empty.'],
  ] as const)
    expectRefused(await send([...lines], { property_id }), invalid({ RoomImport: [sentence] }))
  expect((await send(['Room', '1'], {})).text).toContain('"property_id":["This field is required"]')
})

test("a property's own editor imports into it, and a viewer does not", async () => {
  const property_id = await aProperty()
  const place = { owner_type: 'Property', owner_id: property_id } as const
  expect((await send(['Room', '1'], {}, await foyer.invited(editor, place))).status).toBe(200)
  expectRefused(await send(['Room', '2'], {}, await foyer.viewer(editor, place)), forbidden())
  expect(await stored(property_id)).toEqual(['1'])
})
