// Imported workbooks: the samples, and files written by other programs, imported unedited.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as devices from '#contract/devices.ts'
import * as imports from '#contract/imports.ts'
import { invalid } from '#server/errors/refused.ts'
import { accountImports, fixture } from '#test/account-imports.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { aFile, type TestFile } from '#test/uploads.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

const { send, bring, stored, aProperty } = accountImports(() => ({ foyer, editor }))

const samples = [
  {
    kind: 'accounts',
    columns: imports.accountColumns,
    bringSample: (file: TestFile, property_id: number) =>
      foyer.get(imports.accounts, { AccountImport: file, property_id }, editor),
    total: 3,
  },
  {
    kind: 'devices',
    columns: imports.deviceColumns,
    bringSample: (file: TestFile, property_id: number) =>
      foyer.get(imports.devices, { DeviceImport: file, property_id }, editor),
    total: 2,
  },
  {
    kind: 'rooms',
    columns: imports.roomColumns,
    bringSample: (file: TestFile, property_id: number) =>
      foyer.get(imports.rooms, { RoomImport: file, property_id }, editor),
    total: 2,
  },
]
test.each(samples)('the sample of $kind is open to everyone, has every column and imports unedited', async (sample) => {
  const { kind, columns, bringSample, total } = sample
  const texts = []
  for (const base of ['/files', '/api/v1/files']) {
    const answer = await foyer.app.inject(`${base}/${kind}.csv`)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    texts.push(answer.body)
  }
  const [text = ''] = texts
  expect(texts).toEqual([text, text])
  expect(text.split('\r\n')[0]).toBe(columns.join(','))
  const { data } = await bringSample(aFile(`${kind}.csv`, text), await aProperty())
  expect(data).toMatchObject({ total, created: total, problems: [], ignored_columns: [] })
})

test.each(['libreoffice.xlsx', 'libreoffice.xls', 'libreoffice-utf16.csv', 'gnumeric.xlsx', 'gnumeric.xls'])(
  '%s imports unedited',
  async (name) => {
    const property_id = await aProperty()
    expect(await bring(fixture(name), { property_id })).toMatchObject({
      total: 3,
      created: 3,
      ignored_columns: ['Notes'],
    })
    expect(await stored(property_id)).toMatchObject([
      {
        name: "O'Brien, Seán",
        email: 'sean@example.com',
        mobile_number: '447700900456',
        username: 'sean',
        status: 'disabled',
        expires_at: '2031-03-16T11:30:00+00:00',
      },
      {
        name: 'Zoë Müller',
        email: 'zoe@example.com',
        mobile_number: '+44 7700 900123',
        username: 'zoe',
        password: 'Passw0rd-1',
        status: 'active',
        expires_at: '2031-03-15T23:59:59+00:00',
      },
      { name: '李小龙', email: null, username: 'lee', password: 'lee-4711', status: 'active', expires_at: null },
    ])
  },
)

test('a workbook of Excel 95 imports unedited', async () => {
  expect(await bring(fixture('gnumeric-excel95.xls'), { property_id: await aProperty() })).toMatchObject({ total: 3 })
})

test("XlsxWriter's imports unedited: typed dates, leading zeros, rich text, a formula", async () => {
  const property_id = await aProperty()
  await bring(fixture('xlsxwriter.xlsx'), { property_id })
  expect(await stored(property_id)).toMatchObject([
    {
      name: 'Ada Lovelace',
      mobile_number: '447700900001',
      password: '01815',
      expires_at: '2031-12-10T23:59:59+00:00',
    },
    { name: 'Alan Turing', password: '00042', status: 'disabled', expires_at: '2031-06-07T14:30:00+00:00' },
    { name: 'Grace Hopper', email: 'grace@example.com' },
  ])
})

test('a list of people on three sheets, as a spreadsheet package ships it, is refused with the names of the sheets', async () => {
  const answer = await send(fixture('people.xlsx'), { property_id: await aProperty() })
  expectRefused(
    answer,
    invalid({
      AccountImport: [
        'More than one sheet of this workbook holds such a list. Choose the one to import: “sheet1”, “sheet2” and “sheet3”.',
      ],
    }),
  )
})

test.each([
  ['devices-openpyxl.xlsx', 'Bought'],
  ['devices-gnumeric.xls', 'Bought'],
  ['devices-writeexcel.xls', 'Notes'],
])('%s imports unedited, as devices', async (name, ignored) => {
  const property_id = await aProperty()
  for (const number of ['101', '204']) await foyer.room(editor, { property_id, number })
  const { data } = await foyer.get(imports.devices, { DeviceImport: fixture(name), property_id }, editor)
  expect(data).toMatchObject({ total: 3, created: 3, problems: [], ignored_columns: [ignored] })
  const { data: rows } = await foyer.get(devices.list, { params: { property_id }, sort: 'name' }, editor)
  const stored = await Promise.all(rows.map(async ({ id }) => (await foyer.get(devices.get, { id }, editor)).data))
  expect(stored).toMatchObject([
    {
      name: 'Door lock 7',
      mac_address: '00:00:5e:00:53:03',
      external_reference: '0007',
      room: null,
      status: 'disabled',
    },
    { name: 'Lobby printer', mac_address: '00:00:5e:00:53:01', external_reference: '0012', room: { name: '101' } },
    { name: 'Télévision 204', mac_address: '00:00:5e:00:53:02', external_reference: '4711', room: { name: '204' } },
  ])
})
