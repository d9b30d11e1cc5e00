// An invented field that is a reference: a column of the database and two lines of the contract, and nothing else. It is written, refused,
// read, listed, filed and logged by the API; web/kit/form/field-section.test.ts draws one.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as groups from '#contract/groups.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

vi.mock('#contract/groups.ts', async () => {
  const { withLines } = await import('./with-lines.ts')
  return withLines('contract/groups.ts', {
    'export const GroupInput = z.object({': "breakfast_package_id: ref('packages').nullish(),",
    'export const GroupRow = z.object({': 'breakfast_package_id: id.nullable(),',
    "guests: ['portal_id'": ", 'breakfast_package_id'",
  })
})

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  await foyer.query(
    `alter table groups add column breakfast_package_id integer,
       add foreign key (customer_id, breakfast_package_id) references packages (customer_id, id)`,
    [],
  )
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

test('it is written and read, in a record, in the list, in its file and in the log', async () => {
  const [breakfast, brunch] = [await foyer.package(editor, { name: 'Breakfast' }), await foyer.package(editor)]
  const asked = { name: 'Harbour', breakfast_package_id: breakfast.id }
  const { id } = (await foyer.get(groups.create, asked, editor)).data
  const own = { id, breakfast_package_id: breakfast.id }
  expect((await foyer.get(groups.get, { id }, editor)).data).toMatchObject(own)
  expect((await foyer.get(groups.list, {}, editor)).data).toMatchObject([own])
  const { bytes } = await foyer.file(groups.exportList, { format: 'csv' }, editor)
  const [titles = '', row = ''] = bytes.toString().split('\n')
  expect(titles).toContain('Breakfast package')
  expect(row).toContain(String(breakfast.id))

  const changed = { id, breakfast_package_id: brunch.id }
  expect((await foyer.get(groups.update, changed, editor)).data).toMatchObject(changed)
  expect((await foyer.get(groups.update, { id, name: 'Quay' }, editor)).data).toMatchObject(changed)
  const log = (await foyer.get(activity.list, { filters: { object_type: ['groups'], object_id: [id] } }, editor)).data
  expect(log.map(({ before, after }) => [before?.['breakfast_package_id'], after?.['breakfast_package_id']])).toEqual([
    [undefined, undefined],
    [breakfast.id, brunch.id],
    [undefined, breakfast.id],
  ])
})

test('what is out of reach is refused at the field', async () => {
  const theirs = await foyer.package(await foyer.customer())
  const asked = { name: 'Cliff', breakfast_package_id: theirs.id }
  const answer = await foyer.ask(groups.create, asked, editor)
  expect([answer.status, answer.text]).toEqual([
    422,
    expect.stringContaining('"breakfast_package_id":["The selected breakfast package id is invalid."]'),
  ])
})
