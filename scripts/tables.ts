// Tables: writes server/db/tables.ts and server/db/schema from a database with all migrations applied.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startEmbedded } from '#server/db/embedded.ts'
import { connect, prepareDatabase } from '#server/db/logins.ts'
import { queues } from '#server/apps/jobs.ts'
import { migrate } from '#server/db/migrate.ts'
import { readSchema } from '#scripts/schema.ts'

const target = 'server/db/tables.ts'
const schema = 'server/db/schema'
const header =
  '// Tables: the columns of every table, as the migrations made them. Written by `npm run tables`, never by hand.\n'
/** As server/db/connect.ts reads PostgreSQL's values. */
const types = { int8: 'number', timestamptz: 'string', date: 'string' }

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-tables-'))
const { url, stop } = await startEmbedded({ directory, fast: true })
try {
  const { ownerUrl } = await prepareDatabase({ url, secretKeys: () => ['only for this moment, and thrown away'] })
  await migrate(ownerUrl, queues)
  const written = path.join(directory, 'tables.ts')
  // Leaves out views, which only functions of the database read.
  const codegen = ['--url', ownerUrl, '--dialect', 'postgres', '--exclude-pattern', '{pgboss.*,public.acting_users}']
  const reading = ['--numeric-parser', 'number', '--type-mapping', JSON.stringify(types), '--no-domains']
  execFileSync(process.execPath, [
    'node_modules/kysely-codegen/dist/cli/bin.js',
    ...codegen,
    ...reading,
    '--out-file',
    written,
  ])
  const body = fs.readFileSync(written, 'utf8').replace(/^\/\*\*[\s\S]*?\*\/\n/, '')
  fs.writeFileSync(target, header + body)
  execFileSync(process.execPath, ['node_modules/prettier/bin/prettier.cjs', '--write', '--log-level=warn', target])
  const owner = await connect(ownerUrl)
  const files = await readSchema(owner)
  await owner.end()
  fs.rmSync(schema, { recursive: true, force: true })
  for (const [name, content] of files) {
    fs.mkdirSync(path.dirname(path.join(schema, name)), { recursive: true })
    fs.writeFileSync(path.join(schema, name), content)
  }
  console.log(`Wrote ${target} and ${files.size} files of ${schema}`)
} finally {
  await stop()
  fs.rmSync(directory, { recursive: true, force: true })
}
