// Imports and their callers: into which property, how they are logged, only once, and without leaving files behind.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as imports from '#contract/imports.ts'
import { messages } from '#contract/messages.ts'
import { clash, forbidden, notFound } from '#server/errors/refused.ts'
import { accountImports, csv } from '#test/account-imports.ts'
import { openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

const { send, inDatabase, bring, namesIn, aProperty } = accountImports(() => ({ foyer, editor }))

test("a property's editor imports into their own property, a group's must choose one", async () => {
  const group = await foyer.group(editor)
  const property_id = await aProperty({ group_id: group.id })
  const desk = await foyer.invited(editor, { owner_type: 'Property', owner_id: property_id })
  const manager = await foyer.invited(editor, { owner_type: 'Group', owner_id: group.id })
  await bring(csv('name\nAnn\n'), {}, desk)
  expect(await send(csv('name\nBob\n'), {}, manager)).toMatchObject({
    status: 422,
    body: { errors: { property_id: [messages.fields.required] } },
  })
  await bring(csv('name\nBob\n'), { property_id }, manager)
  expect(await namesIn(property_id)).toEqual(['Ann', 'Bob'])
  const viewer = await foyer.viewer(editor)
  expectRefused(await send(csv('name\nCid\n'), { property_id }, viewer), forbidden())
})

test('an import is logged, and a failed one is kept for the dashboard', async () => {
  const property_id = await aProperty()
  await bring(csv('name,password\nAnn,quiet-harbour\nann,quiet-harbour\n'), { property_id })
  const log = await foyer.ask(activity.list, { filters: { action: 'import' }, per_page: 1 }, editor)
  expect(log.body.data[0]).toMatchObject({
    object_type: 'properties',
    object_id: property_id,
    after: { file_name: 'guests.csv', accounts: 1, duplicates: 1, created: 1, overwritten: 0 },
  })
  expect(log.text).not.toContain('quiet-harbour')
  await send(csv('name,expires\nBob,sometime\n'), { property_id })
  expect(
    await inDatabase(
      'select outcome, total, duplicates, jsonb_array_length(problems) as problems from imports where property_id = $1 order by id',
      [property_id],
    ),
  ).toEqual([
    { outcome: 'done', total: 1, duplicates: 1, problems: null },
    { outcome: 'failed', total: 0, duplicates: 0, problems: 1 },
  ])
})

test('a key for some properties sees and undoes what it imported into several, and a sibling does not', async () => {
  const group = await foyer.group(editor)
  const [one, two] = [await aProperty({ group_id: group.id }), await aProperty()]
  const { program } = await foyer.apiKey(editor, { property_ids: [one, two] })
  const { program: narrower } = await foyer.apiKey(editor, { property_ids: [one] })
  const manager = await foyer.invited(editor, { owner_type: 'Group', owner_id: group.id })
  const file = csv(`name,property_id,expires\nAnn,${one},\nBob,${two},\nCid,${two},sometime\n`)
  const answer = await send(file, { skip_problems: true }, program)
  expect(answer.body.data, answer.text).toMatchObject({ created: 2, overwritten: 0, problem_rows: 1 })
  const id = Number(answer.body.data.id)
  const rowsOf = async (who: typeof program) =>
    (await foyer.get(imports.list, { per_page: 5 }, who)).data.filter((row) => row.id === id)
  expect(await rowsOf(program)).toMatchObject([{ created: 2, overwritten: 0, problem_count: 1 }])
  expect((await foyer.file(imports.problems, { id, format: 'csv' }, program)).text).toMatch(/^4,/m)
  for (const other of [narrower, manager]) {
    expect(await foyer.get(imports.list, { per_page: 5 }, other)).toMatchObject({ data: [] })
    expectRefused(await foyer.ask(imports.undo, { id }, other), notFound())
  }
  expect((await foyer.get(imports.undo, { id }, program)).data).toMatchObject({ id, created: 2 })
  expect([await namesIn(one), await namesIn(two)]).toEqual([[], []])
  const own = await bring(csv(`name,property_id\nAnn,${one}\n`), {}, program)
  expect((await foyer.get(imports.list, {}, manager)).data).toMatchObject([{ id: own.id, created: 1 }])
})

test('the same file with the same key is imported once', async () => {
  const property_id = await aProperty()
  const key = { 'idempotency-key': unique('key') }
  const answers = await Promise.all([1, 2].map(() => send(csv('name\nAnn\n'), { property_id }, editor, key)))
  expect(answers.map((answer) => answer.body.data.created)).toEqual([1, 1])
  expectRefused(
    await send(csv('name\nBob\n'), { property_id }, editor, key),
    clash('This Idempotency-Key was used for a different request.'),
  )
  expect(await namesIn(property_id)).toEqual(['Ann'])
})

test('concurrent imports of one file into one property run one after another', async () => {
  const property_id = await aProperty()
  const rows = Array.from({ length: 300 }, (_, index) => `Guest ${index}`)
  const files = [rows, rows.toReversed(), rows].map((names) => csv(`name\n${names.join('\n')}\n`))
  const results = await Promise.all(files.map((file) => bring(file, { property_id })))
  expect(results.map((result) => result.created).toSorted((one, other) => one - other)).toEqual([0, 0, 300])
})

test('an upload leaves nothing behind', async () => {
  const own = mkdtempSync(path.join(os.tmpdir(), 'foyer-left-'))
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = own
  try {
    await send(csv('name\nAnn\n'), { property_id: await aProperty() })
    await send(csv('nothing\n'))
    expect(readdirSync(own)).toEqual([])
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    rmSync(own, { recursive: true, force: true })
  }
})
