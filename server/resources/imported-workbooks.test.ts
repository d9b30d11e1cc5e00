// Imported workbooks: the samples, and what other programs write, taken unedited.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as imports from '#contract/imports.ts'
import { accountImports, fixture } from '#test/account-imports.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { aFile } from '#test/uploads.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

const { send, bring, stored, aProperty } = accountImports(() => ({ foyer, editor }))

test('the samples are open to everyone, and that of accounts imports unedited', async () => {
  for (const name of ['accounts', 'devices'])
    for (const base of ['/files', '/api/v1/files']) {
      const sample = await foyer.app.inject(`${base}/${name}.csv`)
      expect([sample.statusCode, sample.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    }
  const property_id = await aProperty()
  const sample = (await foyer.app.inject('/files/accounts.csv')).body
  expect(sample.split('\r\n')[0]).toBe(imports.accountColumns.join(','))
  expect(await bring(aFile('accounts.csv', sample), { property_id })).toMatchObject({
    total: 3,
    created: 3,
    problems: [],
  })
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

test('a list of people on three sheets, as a spreadsheet package ships it, is refused by their names', async () => {
  const answer = await send(fixture('people.xlsx'), { property_id: await aProperty() })
  expect(answer.status).toBe(422)
  expect(answer.text).toContain('try again: “sheet1”, “sheet2” and “sheet3”.')
})
