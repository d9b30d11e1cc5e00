// Tables: the server's list of columns and the readable schema match what the migrations make.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#server/db/logins.ts'
import { readSchema } from '#scripts/schema.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'

let database: TestDatabase
beforeAll(async () => void (database = await freshDatabase()))
afterAll(() => database.drop())

test('server/db/tables.ts names the columns of every table (`npm run tables` writes it)', async () => {
  const source = fs.readFileSync('server/db/tables.ts', 'utf8')
  const interfaces = new Map(
    [...source.matchAll(/export interface (\w+) \{\n([\s\S]*?)\n\}/g)].map(([, name, body]) => [name, body]),
  )
  const tables = [...(interfaces.get('DB') ?? '').matchAll(/^ {2}(\w+): (\w+)/gm)]
  const written = tables.map(([, table, name]) => [
    table,
    [...(interfaces.get(name ?? '') ?? '').matchAll(/^ {2}(\w+):/gm)].map(([, column]) => column),
  ])

  const admin = await connect(database.adminUrl)
  const { rows } = await admin.query<{ table: string; columns: string[] }>(`
    select table_name::text as table, array_agg(column_name::text order by column_name::text collate "C") as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name !~ '^(kysely|upgrade)_'
    group by 1 order by table_name::text collate "C"`)
  await admin.end()
  expect(written).toEqual(rows.map(({ table, columns }) => [table, columns]))
})

test('server/db/schema is the present schema (`npm run tables` writes it)', async ({ skip }) => {
  const owner = await connect(database.ownerUrl)
  try {
    const { rows } = await owner.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    if ((rows[0]?.version ?? 0) < 180000) skip('another release of PostgreSQL words its statements in another way')
    const folder = 'server/db/schema'
    const written = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.sql'))
      .map((file): [string, string] => [
        file.split(path.sep).join('/'),
        fs.readFileSync(path.join(folder, file), 'utf8'),
      ])
    const schema = await readSchema(owner)
    expect(written.map(([file]) => file).toSorted()).toEqual([...schema.keys()].toSorted())
    // However the lines of a function's comment are broken.
    const joined = (text = '') => text.replaceAll('\n-- ', ' ')
    for (const [file, content] of written) expect(joined(content), file).toBe(joined(schema.get(file)))
  } finally {
    await owner.end()
  }
})
