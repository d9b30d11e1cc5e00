// Imports of accounts, as callers use them: what a spreadsheet changes, and what it must not.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as imports from '#contract/imports.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import { accountImports, csv } from '#test/account-imports.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

const { send, inDatabase, bring, stored, namesIn, aProperty } = accountImports(() => ({ foyer, editor }))

test('new accounts are made with all that their row gives, and the passwords can be read again', async () => {
  const property_id = await aProperty()
  const package_id = (await foyer.package(editor)).id
  const header = imports.accountColumns.join(',')
  const result = await bring(
    csv(
      `${header}\r\nAda,ada@example.com,+44 20 7946 0000,ada,secret-1815,${package_id},2,REF-1,,${property_id},false,2031-12-10T09:00Z\r\n`,
    ),
    { property_id },
  )
  expect(result).toMatchObject({
    total: 1,
    created: 1,
    overwritten: 0,
    duplicates: 0,
    rows: 1,
    problems: [],
    problem_rows: 0,
  })
  expect(await stored(property_id)).toMatchObject([
    {
      name: 'Ada',
      email: 'ada@example.com',
      mobile_number: '+44 20 7946 0000',
      username: 'ada',
      password: 'secret-1815',
      package_id,
      account_type_id: 2,
      status: 'disabled',
      expires_at: '2031-12-10T09:00:00+00:00',
    },
  ])
})

test('-1, and an empty cell, let the chosen package and type apply; other values are used', async () => {
  const property_id = await aProperty()
  const [chosen, own] = [(await foyer.package(editor)).id, (await foyer.package(editor)).id]
  await bring(csv(`name,package_id,account_type_id,external_reference\nAnn,-1,-1,-1\nBob,,,\nCid,${own},1,R9\n`), {
    property_id,
    package_id: chosen,
    account_type_id: 2,
  })
  expect(await stored(property_id)).toMatchObject([
    { name: 'Ann', package_id: chosen, account_type_id: 2 },
    { name: 'Bob', package_id: chosen, account_type_id: 2 },
    { name: 'Cid', package_id: own, account_type_id: 1 },
  ])
  expect(
    await inDatabase('select external_reference from accounts where property_id = $1 order by name', [property_id]),
  ).toEqual([{ external_reference: null }, { external_reference: null }, { external_reference: 'R9' }])
})

test('an account of the same name is overwritten, whatever its case, and columns that are missing keep what it has', async () => {
  const property_id = await aProperty()
  const package_id = (await foyer.package(editor)).id
  const before = await foyer.account(editor, {
    property_id,
    name: 'Grace Hopper',
    email: 'grace@example.com',
    username: 'grace',
    password: 'cobol-1959',
    package_id,
    account_type_id: 2,
    mobile_number: '+1 555 0100',
  })
  const result = await bring(csv('Name,Mobile,Password\n  grace HOPPER ,+1 555 0199,\n'), { property_id })
  expect(result).toMatchObject({ total: 1, created: 0, overwritten: 1, duplicates: 0 })
  expect(await stored(property_id)).toMatchObject([
    {
      id: before.id,
      name: 'grace HOPPER',
      email: 'grace@example.com',
      username: 'grace',
      password: 'cobol-1959',
      package_id,
      account_type_id: 2,
      mobile_number: '+1 555 0199',
    },
  ])
  await bring(csv('name,email,password,package_id\nGrace Hopper,,,-1\n'), { property_id })
  expect(await stored(property_id)).toMatchObject([{ id: before.id, email: null, password: 'cobol-1959', package_id }])
})

test('a name that repeats in the file counts as a duplicate, and its last row wins', async () => {
  const property_id = await aProperty()
  const result = await bring(
    csv('name,email\nAnn,one@example.com\nBob,\n ANN ,two@example.com\nann,three@example.com\n'),
    { property_id },
  )
  expect(result).toMatchObject({ total: 2, created: 2, duplicates: 2, rows: 4 })
  expect(result.preview.map(({ row, outcome }) => [row, outcome])).toEqual([
    [2, 'duplicate'],
    [3, 'new'],
    [4, 'duplicate'],
    [5, 'new'],
  ])
  expect(await stored(property_id)).toMatchObject([{ name: 'ann', email: 'three@example.com' }, { name: 'Bob' }])
})

test('a dry run reports the same and writes nothing', async () => {
  const property_id = await aProperty()
  await foyer.account(editor, { property_id, name: 'Bob' })
  const package_ = await foyer.package(editor)
  const file = csv('name,email,shoe size\nAnn,ann@example.com,38\nbob,,44\n')
  const dryRun = await bring(file, { property_id, package_id: package_.id, dry_run: true })
  expect(dryRun).toMatchObject({ total: 2, created: 1, overwritten: 1, ignored_columns: ['shoe size'] })
  expect(dryRun.preview).toEqual([
    { row: 2, name: 'Ann', email: 'ann@example.com', package_name: package_.name, outcome: 'new' },
    { row: 3, name: 'bob', email: null, package_name: package_.name, outcome: 'overwritten' },
  ])
  expect(await namesIn(property_id)).toEqual(['Bob'])
  expect(await inDatabase('select from imports where property_id = $1', [property_id])).toHaveLength(0)
  expect(await bring(file, { property_id, package_id: package_.id })).toMatchObject({
    total: 2,
    created: 1,
    overwritten: 1,
  })
})

test('rooms are found by their number within the property', async () => {
  const [property_id, other] = [await aProperty(), await aProperty()]
  for (const [property, number] of [
    [property_id, '12A'],
    [other, '14'],
  ])
    await inDatabase(
      'insert into rooms (customer_id, property_id, number) select customer_id, id, $2 from properties where id = $1',
      [property, number],
    )
  await bring(csv('name,Room No.\nAnn,12a\n'), { property_id })
  expect((await stored(property_id))[0]?.room?.name).toBe('12A')
  expect((await send(csv('name,room\nBob,14\n'), { property_id })).text).toContain(
    'Row 2, room_number: There is no room 14 in the property',
  )
})

test("dates are the property's own, and a day is good until it ends", async () => {
  const property_id = await aProperty()
  await inDatabase(`update properties set time_zone = 'America/New_York' where id = $1`, [property_id])
  await bring(csv('name,valid until\nAnn,2031-01-15\nBob,15.7.2031 18:30\nCid,2031-01-15T10:00:00+02:00\nDan,\n'), {
    property_id,
  })
  expect((await stored(property_id)).map((account) => account.expires_at)).toEqual([
    '2031-01-16T04:59:59+00:00',
    '2031-07-15T22:30:00+00:00',
    '2031-01-15T08:00:00+00:00',
    null,
  ])
  expect(
    (await send(csv('name,expires\nAnn,2031-02-01\nBob,2031-02-30\n'), { property_id, dry_run: true })).body.data
      .problems,
  ).toEqual([{ row: 3, column: 'expires_at', message: 'There is no such date' }])
})

test('each row names its property if none is chosen for all', async () => {
  const [one, two] = [await aProperty(), await aProperty()]
  expect(await bring(csv(`name,property_id\nAnn,${one}\nAnn,${two}\nBob,${two}\n`))).toMatchObject({
    total: 3,
    duplicates: 0,
  })
  expect([await namesIn(one), await namesIn(two)]).toEqual([['Ann'], ['Ann', 'Bob']])
  const answer = await send(csv(`name,property_id\nCid,\nDan,2000000000\n`))
  expect(answer.text).toContain('Row 2, property_id')
  expectRefused(
    await send(csv(`name,property_id\nCid,${two}\n`), { property_id: one }),
    invalid({
      AccountImport: [
        '1 of 1 rows cannot be imported, so nothing was.',
        'Row 2, property_id: This file is imported into another property',
      ],
    }),
  )
  expectRefused(
    await send(csv(`name,property_id\nCid,2000000\n`)),
    invalid({
      AccountImport: [
        '1 of 1 rows cannot be imported, so nothing was.',
        'Row 2, property_id: The selected property id is invalid.',
      ],
    }),
  )
})

test('ids of another customer are treated as unknown', async () => {
  const property_id = await aProperty()
  const neighbour = await foyer.customer()
  const theirs = { package: (await foyer.package(neighbour)).id, property: (await foyer.property(neighbour)).id }
  const answer = await send(csv(`name,package_id,account_type_id\nAnn,${theirs.package},1\nBob,,7\n`), {
    property_id,
  })
  expect(answer.body).toMatchObject({
    errors: {
      AccountImport: [
        '2 of 2 rows cannot be imported, so nothing was.',
        'Row 2, package_id: The selected package id is invalid.',
        'Row 3, account_type_id: The selected account type id is invalid.',
      ],
    },
  })
  expect(await send(csv('name\nAnn\n'), { property_id: theirs.property })).toMatchObject({
    status: 422,
    body: { errors: { property_id: ['The selected property id is invalid.'] } },
  })
  expectRefused(
    await send(csv(`name,property_id\nAnn,${theirs.property}\n`)),
    invalid({
      AccountImport: [
        '1 of 1 rows cannot be imported, so nothing was.',
        'Row 2, property_id: The selected property id is invalid.',
      ],
    }),
  )
})

test('first and last names make a name; headings are understood as people write them', async () => {
  const property_id = await aProperty()
  await bring(
    csv(
      'Surname;FIRST NAME;E-Mail Address;Tel.;Enabled\nLovelace;Ada;ada@example.com;020 7946 0000;no\n;Plato;;;yes\n',
    ),
    { property_id },
  )
  expect(await stored(property_id)).toMatchObject([
    { name: 'Ada Lovelace', email: 'ada@example.com', mobile_number: '020 7946 0000', status: 'disabled' },
    { name: 'Plato', status: 'active' },
  ])
})

test.each([
  ['a title and an empty line', 'Guest list, Hotel Seaview\n\nName,Email\nZoe Lund,zoe@example.com\n'],
  ['when it was printed', 'Printed 25/11/2026 08:00,,\nName,Email,Room\nZoe Lund,zoe@example.com,\n'],
])('lines above the headings of a list of accounts are none: %s', async (_, text) => {
  const property_id = await aProperty()
  expect(await bring(csv(text), { property_id })).toMatchObject({ total: 1, problem_rows: 0 })
  expect(await stored(property_id)).toMatchObject([{ name: 'Zoe Lund', email: 'zoe@example.com' }])
})

test.each([
  ['German', 'Nachname;Vorname;E-Mail;Telefon', 'Müller;Zoë;zoe@example.com;0171 3920010', 'Zoë Müller'],
  ['French', 'Nom;Prénom;Courriel', 'Durand;Léa;zoe@example.com', 'Léa Durand'],
  ['Spanish', 'Nombre;Apellidos;Correo', 'Luz;Vega;zoe@example.com', 'Luz Vega'],
])('headings of a list of accounts are understood in %s', async (_, headings, row, name) => {
  const property_id = await aProperty()
  await bring(csv(`${headings}\n${row}\n`), { property_id })
  expect(await stored(property_id)).toMatchObject([{ name, email: 'zoe@example.com' }])
})

test('usernames that clash, in the file or with others, are named by their rows', async () => {
  const property_id = await aProperty()
  await foyer.account(editor, { property_id, name: 'Zoe', username: 'desk' })
  const { problems } = await bring(csv('name,username\nAnn,ＤＥＳＫ\nBob,bob\nCid,B\u200Bob\nZoe,desk\n'), {
    property_id,
    dry_run: true,
  })
  expect(problems).toEqual(
    expect.arrayContaining([
      { row: 2, column: 'username', message: 'Another account of the property has this username' },
      { row: 4, column: 'username', message: 'Row 3 has this username too' },
    ]),
  )
})

test("no more accounts are imported than the property's limit allows", async () => {
  const property_id = await aProperty({ max_accounts: 3 })
  await bring(csv('name\nAnn\nBob\n'), { property_id })
  for (const dry_run of [true, false])
    expect(await send(csv('name\nbob\nCid\nDan\n'), { property_id, dry_run })).toMatchObject({
      status: 422,
      body: { errors: { property_id: [expect.stringContaining('at most 3 accounts')] } },
    })
  expect(await bring(csv('name\nann\nbob\nCid\n'), { property_id })).toMatchObject({ created: 1, overwritten: 2 })
})

test('what was wrong with a file, and what was left out of it, can be taken as a table: of a check, and of an import later', async () => {
  const property_id = await aProperty()
  const file = csv('name,email,expires\nAnn,ann at example,\nBob,bob@example.com,sometime\n')
  const wanted = [
    'Row,Column,Problem,Cell left out',
    expect.stringMatching(/^2,email,.*,ann at example$/),
    expect.stringMatching(/^3,expires_at,.*,$/),
  ]
  const linesOf = ({ text }: { text: string }) => text.replace('\uFEFF', '').trim().split('\r\n')

  const checked = (await send(file, { property_id, dry_run: true })).body.data
  const { problems, left_out } = checked
  const asked = { file_name: 'list.of guests.csv', problems, left_out, format: 'csv' as const }
  const ofCheck = await foyer.file(imports.problemsOfCheck, asked, editor)
  expect(linesOf(ofCheck)).toEqual(wanted)
  expect(ofCheck.headers['content-disposition']).toContain('filename=list.of-guests-problems.csv')

  const { id } = await bring(file, { property_id, skip_problems: true })
  expect(linesOf(await foyer.file(imports.problems, { id: id ?? 0, format: 'csv' }, editor))).toEqual(wanted)
  expectRefused(
    await send(file, { property_id }),
    invalid({
      AccountImport: [
        '1 of 2 rows cannot be imported, so nothing was.',
        'Row 3, expires_at: Please write the date as 2026-12-31',
      ],
    }),
  )
  const { data } = await foyer.get(imports.list, { params: { property_id } }, editor)
  expect(data.map(({ outcome, problem_count }) => [outcome, problem_count])).toEqual([
    ['failed', 1],
    ['done', 2],
  ])
  const ofFailed = await foyer.file(imports.problems, { id: data[0]?.id ?? 0, format: 'csv' }, editor)
  expect(linesOf(ofFailed)).toEqual([wanted[0], wanted[2]])

  const workbook = await foyer.file(imports.problems, { id: id ?? 0 }, editor)
  expect(workbook.bytes.subarray(0, 2).toString()).toBe('PK')
  const neighbour = await foyer.customer()
  expectRefused(await foyer.ask(imports.problems, { id: id ?? 0 }, neighbour), notFound())
})

test('a value is called left out only where the rest of its row is stored', async () => {
  const property_id = await aProperty()
  await foyer.account(editor, { property_id, name: 'Holder', username: 'taken' })
  const lines = [
    'name,email,username',
    'Ann,ann at example,ann',
    // Replaced by the last row.
    'Bob,bob at example,bob',
    // Its user name is that of row 2, which only the whole file shows.
    'Cid,cid at example,ann',
    // Its user name is an account's, which only the database shows.
    'Dan,dan at example,taken',
    'Bob,bob@example.com,bob',
  ]
  for (const way of [{ dry_run: true }, { skip_problems: true }]) {
    const { left_out, left_out_rows, problems } = await bring(csv(lines.join('\n')), { property_id, ...way })
    expect(problems.map(({ row }) => row)).toEqual([4, 5])
    expect(left_out.map(({ row }) => row)).toEqual([2])
    expect(left_out_rows).toBe(1)
  }
})
