// Tables: writes server/db/tables.ts and server/db/schema from a database with all migrations applied. A function's file is its source,
// and only put into PostgreSQL's own form; one that has none yet is taken from the migration that makes it.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import {
  applyMigrations,
  migrationNames,
  migrations_folder,
  migrationText,
  prepareBookkeeping,
} from '#server/db/apply-migrations.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { connect, prepareDatabase } from '#server/db/logins.ts'
import { queues } from '#server/apps/jobs.ts'
import { completeBackfills } from '#server/db/backfills.ts'
import { migrate } from '#server/db/migrate.ts'
import { released_migration } from '#scripts/release.ts'
import { readFunctions, readSchema } from '#scripts/schema.ts'

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
  await takeFunctionsOfMigrations(ownerUrl)
  await migrate(ownerUrl, queues)
  const written = path.join(directory, 'tables.ts')
  // Leaves out views, which only functions of the database read, and what only upgrades read.
  const codegen = [
    '--url',
    ownerUrl,
    '--dialect',
    'postgres',
    '--exclude-pattern',
    '{pgboss.*,public.acting_users,public.upgrade_*}',
  ]
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
  // As of a database that is new: this one already had migrations.
  await completeBackfills(owner)
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

/** Writes the files of functions that migrations since the release have made. */
async function takeFunctionsOfMigrations(ownerUrl: string) {
  const owner = await connect(ownerUrl)
  try {
    await prepareBookkeeping(owner)
    const names = migrationNames(migrations_folder)
    const functionsAfter = async (wanted: string[]) => {
      const folder = fs.mkdtempSync(path.join(directory, 'migrations-'))
      for (const name of wanted)
        fs.writeFileSync(path.join(folder, `${name}.sql`), migrationText(migrations_folder, name))
      await applyMigrations(owner, { folder, patience: { lock_ms: 0, tries_ms: 0 } })
      return readFunctions(owner)
    }
    const released = await functionsAfter(names.filter((name) => name <= released_migration))
    const present = await functionsAfter(names)
    for (const [name, content] of present) {
      const file = path.join(schema, name)
      if (content !== released.get(name) && !fs.existsSync(file)) fs.writeFileSync(file, content)
    }
  } finally {
    await owner.end()
  }
}
