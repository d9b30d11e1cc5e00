// Chosen sheets: if several sheets of a workbook have a suitable list, the named one is imported.
import { write } from '@e965/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as devices from '#contract/devices.ts'
import * as imports from '#contract/imports.ts'
import * as rooms from '#contract/rooms.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { aFile, type TestFile } from '#test/uploads.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

/** The sheets by name; one whose name ends in `(hidden)` is hidden. */
function workbook(sheets: Record<string, string[][]>): TestFile {
  const SheetNames = Object.keys(sheets)
  const drawn = SheetNames.map((name) => {
    const rows = sheets[name] ?? []
    const cells = rows.flatMap((row, y) =>
      row.map((v, x) => [`${String.fromCharCode(65 + x)}${y + 1}`, { t: 's', v }] as const),
    )
    return [name, { ...Object.fromEntries(cells), '!ref': `A1:Z${rows.length}` }] as const
  })
  const Sheets = SheetNames.map((name) => ({ name, Hidden: name.endsWith('(hidden)') ? (1 as const) : (0 as const) }))
  const content = write(
    { SheetNames, Sheets: Object.fromEntries(drawn), Workbook: { Sheets } },
    {
      type: 'buffer',
      bookType: 'xlsx',
    },
  ) as Buffer
  return aFile('several.xlsx', content)
}

const kinds = [
  {
    kind: 'accounts',
    field: 'AccountImport',
    call: imports.accounts,
    header: ['name', 'email'],
    row: (name: string) => [name, `${name}@example.com`],
    stored: async (property_id: number) =>
      (await foyer.get(accounts.list, { params: { property_id } }, editor)).data.map(({ name }) => name),
  },
  {
    kind: 'devices',
    field: 'DeviceImport',
    call: imports.devices,
    header: ['name', 'mac'],
    row: (name: string) => [name, name === 'east' ? '00005e005301' : '00005e005302'],
    stored: async (property_id: number) =>
      (await foyer.get(devices.list, { params: { property_id } }, editor)).data.map(({ name }) => name),
  },
  {
    kind: 'rooms',
    field: 'RoomImport',
    call: imports.rooms,
    header: ['room', 'guest'],
    row: (name: string) => [name, 'Ada Keller'],
    stored: async (property_id: number) =>
      (await foyer.get(rooms.list, { params: { property_id } }, editor)).data.map(({ number }) => number),
  },
] as const

test.each(kinds)(
  'of two suitable sheets of $kind, a dry run offers both, and the named one is imported',
  async (of) => {
    const { id: property_id } = await foyer.property(editor)
    const list = (name: string) => [[...of.header], of.row(name)]
    const file = workbook({
      East: list('east'),
      'Léa & “Co” 2026': list('west'),
      'Old (hidden)': list('old'),
      Notes: [['Ask at the desk']],
    })
    const send = (more: object) => foyer.ask(of.call, { [of.field]: file, property_id, ...more } as never, editor)
    const sheets = ['East', 'Léa & “Co” 2026']
    const message =
      'More than one sheet of this workbook holds such a list. Choose the one to import: “East” and “Léa & “Co” 2026”.'

    const undecided = await send({ dry_run: true })
    const nothing = { sheets, total: 0, preview: [], problem_rows: 1, problems: [{ row: 0, column: null, message }] }
    expect([undecided.status, undecided.body]).toMatchObject([200, { data: nothing }])
    expect((await send({})).body).toMatchObject({ errors: { [of.field]: [message] } })

    for (const sheet of ['Old (hidden)', 'South'])
      expect((await send({ sheet })).body).toMatchObject({
        errors: { sheet: [`This file has no such sheet, or it is hidden: “${sheet}”.`] },
      })
    expect(await of.stored(property_id)).toEqual([])

    const check = await send({ sheet: 'Léa & “Co” 2026', dry_run: true })
    expect(check.body).toMatchObject({ data: { sheets, total: 1, problems: [], preview: [{ name: 'west' }] } })
    const done = await send({ sheet: 'Léa & “Co” 2026' })
    expect([done.status, done.body]).toMatchObject([200, { data: { total: 1, created: 1 } }])
    expect(await of.stored(property_id)).toEqual(['west'])
  },
)

test('with a single suitable sheet there is nothing to choose, and a CSV has no sheets to name', async () => {
  const { id: property_id } = await foyer.property(editor)
  const file = workbook({
    Cover: [['Welcome']],
    Rooms: [
      ['room', 'guest'],
      ['7', 'Ada Keller'],
    ],
  })
  const dryRun = await foyer.get(imports.rooms, { RoomImport: file, property_id, dry_run: true }, editor)
  expect(dryRun.data).toMatchObject({ sheets: [], total: 1 })
  const csv = aFile('rooms.csv', 'room,guest\n7,Ada Keller\n')
  const refused = await foyer.ask(imports.rooms, { RoomImport: csv, property_id, sheet: 'Rooms' }, editor)
  expect([refused.status, refused.body]).toMatchObject([
    422,
    { errors: { sheet: [expect.stringContaining('no such sheet')] } },
  ])
})
