// Room lists of many programs, imported unedited: which rooms and guests come out, or which rows are named.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as imports from '#contract/imports.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as rooms from '#contract/rooms.ts'
import { invalid } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { accountImports } from '#test/account-imports.ts'
import { aFile } from '#test/uploads.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

const { inDatabase } = accountImports(() => ({ foyer, editor }))

const folder = path.join(import.meta.dirname, '../../../test/fixtures/room-lists')
const list = (name: string) => aFile(name, readFileSync(path.join(folder, name)))
const aProperty = async () => (await foyer.property(editor)).id
const bring = (file: ReturnType<typeof aFile>, property_id: number, more = {}) =>
  foyer.ask(imports.rooms, { RoomImport: file, property_id, ...more }, editor)

/** `101: Ada Keller, Ben Ode` for each room; other details of a guest follow the name. */
async function stored(property_id: number) {
  const page = { params: { property_id }, per_page: 200 }
  const { data } = await foyer.get(rooms.list, { ...page, sort: 'number' }, editor)
  const { data: guests } = await foyer.get(roomGuests.list, { ...page, sort: 'name' }, editor)
  return data.map(({ id, number }) => {
    const inside = guests
      .filter(({ room }) => room.id === id)
      .map((guest) =>
        [guest.name, guest.email, guest.mobile_number, guest.external_reference, guest.arrives_on, guest.departs_on]
          .filter((text) => text !== null)
          .join(' '),
      )
    return [number, ...inside].join(' | ')
  })
}

const read: [file: string, rooms: string[], notes: string[]][] = [
  [
    'rent-roll-xlsxwriter.xlsx',
    ['0101 | Ada Keller 2019-03-01', '0102', '0103 | Ben Ode 2019-07-01 | Cid Ode 2019-07-01'],
    ['Only “Rent Roll” was read, not “Criteria” and “Charge codes” (hidden).'],
  ],
  [
    'rent-roll-writeexcel.xls',
    ['101 | Ada Keller 2019-03-01', '102', '103 | Ben Ode 2019-07-15 | Cid Ode 2019-07-15', 'A | Dee Fox 2018-05-06'],
    ['Left out, because they move in later: 1 person.'],
  ],
  [
    'rent-roll-html.xls',
    ['001 | Zoë Lefèvre 06 12 34 56 78 2019-03-13', '002 | Ada Keller 0612345679 2019-04-01', '101'],
    ['Only “Table 2” was read, not “Table 1”.', 'Left out, because they have moved out: 1 person.'],
  ],
  [
    'student-home-openpyxl.xlsx',
    [
      'A1.1 | Ada Keller ada@example.com +44 7700 900101',
      'A1.2 | Ben Ode ben@example.com',
      'B2.1 | Dee Fox dee@example.com',
      'B2.2',
    ],
    [
      'Only “Residents 2026” was read, not “Summary”.',
      'Hidden, and therefore not read: column E.',
      'Hidden, and therefore not read: row 6.',
    ],
  ],
  [
    'in-house-xlwt.xls',
    ['007 | Ada Keller R-1001 2019-11-20 | Ben Keller R-1001 2019-11-20', '012 | Zoë Müller R-1002 2019-11-20', '101'],
    [],
  ],
  [
    'tenants-libreoffice.xls',
    ['01 | Zoë Müller zoe@example.com 2019-03-01', '02', '11 | Georg von Trapp | Maria von Trapp 2019-04-01', '12'],
    ['Only “Mieter” was read, not “Deckblatt”.', 'Left out, because they have moved out: 1 person.'],
  ],
  ['arabic-gnumeric.xls', ['101 | ليلى حداد 0501234567 2019-11-01', '102', '103 | سارة ناصر | عمر ناصر'], []],
  [
    'pitches-ruby.xls',
    [
      'A-9 | Eva van der Berg 2019-11-21 | Jan van der Berg 2019-11-21',
      'A-10 | Ada Keller 2019-11-20 | Ben Keller 2019-11-20',
      'A-11',
      'A-12 | Ida Müller 2019-11-20 | Zoë Müller 2019-11-20',
      'B-1',
    ],
    ['Only “Pitches” was read, not “Read me”.'],
  ],
  [
    'russian-unicode-text.csv',
    [
      '01 | Мария Петровна Иванова +7 912 345-67-89 2019-02-01',
      '02',
      '03 | Анна Орлова 2019-03-15 | Пётр Орлов 2019-03-15',
    ],
    [],
  ],
  [
    'report-excel-2003-xml.xls',
    ['0012 | Ada Keller 2019-03-01 | Ben Keller', '0101'],
    ['Hidden, and therefore not read: column C.', 'Hidden, and therefore not read: row 5.'],
  ],
]

test.each(read)('%s imports unedited', async (name, expected, notes) => {
  const property_id = await aProperty()
  const answer = await bring(list(name), property_id)
  expect(answer.text).not.toContain('errors')
  expect(answer.body.data.notes).toEqual(notes)
  expect(await stored(property_id)).toEqual(expected)
})

describe('what is ambiguous is asked about', () => {
  test('of two sheets with a list, neither is read by default: they are named', async () => {
    const property_id = await aProperty()
    const answer = await bring(list('two-months-openpyxl.xlsx'), property_id)
    expect([answer.status, answer.body]).toMatchObject([
      422,
      {
        errors: {
          RoomImport: [
            'More than one sheet of this workbook holds such a list. Choose the one to import: “October” and “November”.',
          ],
        },
      },
    ])
    expect(await stored(property_id)).toEqual([])
  })

  test('numbers that a program changed: the rows are named', async () => {
    const property_id = await aProperty()
    const { data } = (await bring(list('lost-numbers-xlwt.xls'), property_id, { dry_run: true })).body
    expect(data.problems).toEqual([
      {
        row: 3,
        column: 'number',
        message: 'This is a date. Write the number as text: a program may have changed it.',
      },
      { row: 4, column: 'number', message: 'Is this the “007” of row 2? Write both the same way.' },
    ])
    expectRefused(
      await bring(list('lost-numbers-xlwt.xls'), property_id),
      invalid({
        RoomImport: [
          '2 of 4 rows cannot be imported, so nothing was.',
          'Row 3, number: This is a date. Write the number as text: a program may have changed it.',
          'Row 4, number: Is this the “007” of row 2? Write both the same way.',
        ],
      }),
    )
    expect(await stored(property_id)).toEqual([])
  })

  test('a room that exists with leading zeros which the file lacks', async () => {
    const property_id = await aProperty()
    for (const number of ['007', '8', '10']) await foyer.room(editor, { property_id, number })
    const file = aFile('rooms.csv', 'Room,Guest\n7,Ada Keller\n08,Ben Ode\n10,Cid Ray\n100,Dee Fox\n')
    const { data } = (await bring(file, property_id, { dry_run: true })).body
    expect(data.problems).toEqual([
      { row: 2, column: 'number', message: 'The property has a room “007”. Write both the same way.' },
      { row: 3, column: 'number', message: 'The property has a room “8”. Write both the same way.' },
    ])
  })

  test('days that may be either: the other rows show the order, else the country, else a person chooses once', async () => {
    const property_id = await aProperty()
    const inCountry = (code: string | null) =>
      inDatabase('update properties set country_id = (select id from countries where code = $2) where id = $1', [
        property_id,
        code,
      ])
    const lines = (last: string) =>
      aFile('rooms.csv', `Room,Guest,Move in\n1,Ada Keller,03/04/2026\n2,Ben Ode,${last}\n`)
    // Neither: nobody has said, or the country begins with the year.
    for (const code of [null, 'SE']) {
      await inCountry(code)
      const { data } = (await bring(lines('05/05/2026'), property_id, { dry_run: true })).body
      expect(data).toMatchObject({
        day_orders: ['day_first', 'month_first'],
        rows: 0,
        problems: [{ row: 0, column: null }],
      })
      const refused = await bring(lines('05/05/2026'), property_id)
      expectRefused(
        refused,
        invalid({
          day_order: [
            'Dates in this file can be read in two ways. Choose whether the day or the month comes first: “03/04/2026”.',
          ],
        }),
      )
    }
    const arrivalOf = async (order: object, last = '05/05/2026') => {
      expect((await bring(lines(last), property_id, order)).status).toBe(200)
      return (await stored(property_id))[0]
    }
    expect(await arrivalOf({ day_order: 'day_first' })).toBe('1 | Ada Keller 2026-04-03')
    expect(await arrivalOf({ day_order: 'month_first' })).toBe('1 | Ada Keller 2026-03-04')
    await inCountry('GB')
    const { data: british } = (await bring(lines('05/05/2026'), property_id, { dry_run: true })).body
    expect(british).toMatchObject({
      day_orders: [],
      notes: [expect.stringContaining('03/04/2026 the day was read first')],
    })
    expect(await arrivalOf({})).toBe('1 | Ada Keller 2026-04-03')
    await inCountry('US')
    expect(await arrivalOf({})).toBe('1 | Ada Keller 2026-03-04')
    // What the file shows counts more than the country, and what it contradicts itself in is named by row.
    expect(await arrivalOf({}, '13/05/2026')).toBe('1 | Ada Keller 2026-04-03')
    const both = aFile(
      'rooms.csv',
      'Room,Guest,Move in\n1,Ada Keller,03/04/2026\n2,Ben Ode,13/05/2026\n3,Cy Dow,05/13/2026\n',
    )
    expect((await bring(both, property_id, { dry_run: true })).body.data.problems).toEqual([
      { row: 2, column: 'arrives_on', message: '3/4 may be either day. Please write the date as 2026-12-31' },
    ])
  })
})

test('accounts are read by the same rules: the sheet that has them, without hidden rows and columns', async () => {
  const property_id = await aProperty()
  const file = list('student-home-openpyxl.xlsx')
  const answer = await foyer.ask(imports.accounts, { AccountImport: file, property_id, dry_run: true }, editor)
  // It names rooms that do not exist yet; a vacant one has no name.
  expect(answer.body.data.problems.map(({ row, column }) => `${row} ${column}`)).toEqual([
    '4 room_number',
    '5 room_number',
    '7 room_number',
    '8 name',
  ])
  const { data } = (
    await foyer.ask(imports.accounts, { AccountImport: list('guests-openpyxl.xlsx'), property_id }, editor)
  ).body
  expect(data).toMatchObject({
    total: 2,
    notes: ['Only “Guests” was read, not “Cover” and “Packages”.', 'Hidden, and therefore not read: column C.'],
  })
  const { data: made } = await foyer.get(accounts.list, { params: { property_id }, sort: 'name' }, editor)
  expect(made).toMatchObject([{ name: 'Ada Keller', email: 'ada@example.com' }, { name: 'Ben Ode' }])
})
