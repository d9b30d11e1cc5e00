// List files: a spreadsheet of a list contains what the list shows, however long it is, and no formulas.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from 'pg'
import * as accounts from '#contract/accounts.ts'
import * as activity from '#contract/activity.ts'
import * as groups from '#contract/groups.ts'
import * as properties from '#contract/properties.ts'
import * as users from '#contract/users.ts'
import { selectedInvalid } from '#contract/errors.ts'
import { fieldUnknown } from '#contract/unknown-fields.ts'
import { connect } from '#server/db/logins.ts'
import { invalid } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

const rows = 2500
let foyer: TestFoyer
let admin: Client
let editor: Person
let group_id: number
beforeAll(async () => {
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
  editor = await foyer.customer()
  group_id = (await foyer.group(editor, { name: 'Coast' })).id
  await admin.query(
    `insert into properties (customer_id, name, city, group_id, property_type_id, created_at)
     select $1, case when i % 2 = 0 then 'Grand ' else '=Plain ' end || i, 'Bath',
       case when i % 10 = 0 then $2::integer end, 1, now() - i * interval '1 second'
     from generate_series(1, $3) as i`,
    [editor.user.customer.id, group_id, rows],
  )
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})
const lines = (text: string) => text.trim().split('\r\n')

test('every row is there once, in the order of the list, with names and without formulas', async () => {
  const { text, headers } = await foyer.file(properties.exportList, { sort: 'name' }, editor)
  expect(headers['content-disposition']).toContain('properties.csv')
  const [head, ...body] = lines(text)
  expect(head).toContain('Id,Name,Reference,City,Group,Portal,Package,Type,')
  expect(body).toHaveLength(rows)
  expect(new Set(body.map((line) => line.split(',')[0])).size).toBe(rows)
  expect(body.find((line) => line.includes('Grand 10,'))).toMatch(/Grand 10,,Bath,Coast,,,Hotel,/)
  expect(body.every((line) => !line.split(',')[1]?.startsWith('='))).toBe(true)
})

test('what is no text by itself is in words: the state of a property, and what a line of the log changed', async () => {
  const who = await foyer.customer()
  const { id } = await foyer.property(who, { name: 'Quay House', city: 'Porto', portal_id: null })
  const [, property] = lines((await foyer.file(properties.exportList, {}, who)).text)
  expect(property).toContain(',Incomplete,')
  await foyer.get(properties.update, { id, city: 'Bath', send_sms: true, country_id: 2 }, who)
  const { text } = await foyer.file(activity.exportList, { filters: { action: 'update' } }, who)
  for (const [city, texts] of [
    ['Porto', 'off'],
    ['Bath', 'on'],
  ] as const)
    expect(text).toMatch(new RegExp(`"City: ${city}\\r?\\n(?:.*\\r?\\n)?Text new accounts: ${texts}`))
  expect(text).not.toContain('{')
})

test('search, filters and parents narrow it, and are logged', async () => {
  const ask = { searchValue: 'grand', params: { group_id }, filters: { status: 'active' } } as const
  const { text } = await foyer.file(properties.exportList, ask, editor)
  expect(lines(text)).toHaveLength(rows / 10 + 1)
  const [line] = (await foyer.get(activity.list, { filters: { action: 'export' } }, editor)).data
  expect(line).toMatchObject({
    object_type: 'properties',
    object_id: null,
    after: { rows: rows / 10, format: 'csv', searchValue: 'grand', group_id, status: 'active' },
  })
})

test('a workbook, and files of other lists; a viewer may export what a viewer sees', async () => {
  const viewer = await foyer.viewer(editor, { owner_type: 'Group', owner_id: group_id })
  const book = await foyer.file(properties.exportList, { format: 'xlsx' }, viewer)
  expect(book.bytes.subarray(0, 2).toString()).toBe('PK')
  expect(lines((await foyer.file(properties.exportList, {}, viewer)).text)).toHaveLength(rows / 10 + 1)
  for (const endpoint of [groups.exportList, users.exportList, accounts.exportList, activity.exportList])
    expect(lines((await foyer.file(endpoint, {}, editor)).text).length).toBeGreaterThan(0)
})

test('an unknown field is refused, and so is a foreign parent', async () => {
  const foreign = (await foyer.group(await foyer.customer())).id
  expectRefused(
    await foyer.send(properties.exportList, { params: { group_id: foreign } }, editor),
    invalid({ 'params.group_id': [selectedInvalid('group_id')] }),
  )
  expectRefused(await foyer.send(properties.exportList, { group_id }, editor), invalid({ group_id: [fieldUnknown] }))
})
