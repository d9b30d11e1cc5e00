// Upgrade command: `npm run upgrade` brings the database up to date without starting a node; `-- --plan` says what that will do, as
// tried on a database without rows, and changes nothing.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { queues } from '#server/apps/jobs.ts'
import { changedFunctions } from '#server/db/apply-functions.ts'
import {
  applyMigrations,
  executedMigrations,
  inTransaction,
  migrationNames,
  migrations_folder,
  migrationText,
  prepareBookkeeping,
} from '#server/db/apply-migrations.ts'
import { pendingBackfills, readBackfills, runBackfills } from '#server/db/backfills.ts'
import { openCommandDatabase } from '#server/db/command-database.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { keepLookup } from '#server/db/keep-lookup.ts'
import { connect, isOneLogin, prepareDatabase } from '#server/db/logins.ts'
import { migrate } from '#server/db/migrate.ts'
import { effectsOf, type Effects } from '#server/db/rehearsal.ts'
import { gatewayTypes } from '#server/gateways/find-kind.ts'
import { systemTypes } from '#server/property-systems/kinds.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { readConfig, type Config } from '#server/start/config.ts'
import { version } from '#server/start/version.ts'

/** A connection of the owner's. */
type Owner = Awaited<ReturnType<typeof connect>>

const log = (line: string) => console.log(line)

async function upgrade(config: Config) {
  const database = await openCommandDatabase(config, log)
  try {
    const one_login = isOneLogin(database)
    const ran = await migrate(database.ownerUrl, queues, {
      one_login,
      progress: ({ done, total, name }) => name !== null && log(`${done + 1} of ${total}: ${name}`),
    })
    await keepLookup(database.ownerUrl, 'gateway_types', gatewayTypes())
    await keepLookup(database.ownerUrl, 'property_interface_types', systemTypes())
    log(ran.length === 0 ? `The database is at Foyer ${version} already.` : `The database is at Foyer ${version}.`)
    const owner = await connect(database.ownerUrl)
    const { signal } = new AbortController()
    const told = new Map<string, number>()
    const progress = (name: string, seen: number, rows: number) => {
      const percent = Math.min(99, Math.floor((seen / Math.max(rows, seen, 1)) * 10) * 10)
      if (told.get(name) !== percent) log(`${name}: ${percent} %`)
      told.set(name, percent)
    }
    try {
      if (!(await runBackfills(owner, { signal, progress, rest: 0.2 })))
        log('A running node fills the rest in the background.')
    } finally {
      await owner.end()
    }
  } finally {
    await database.stop()
  }
}

/** Rough figures of a small machine, so that an estimate is rather too long. */
const per_row_us = { rewritten: 1000, indexed: 10, read: 5, filled: 500 }
const minutesOf = (rows: number, operation: keyof typeof per_row_us) => (rows * per_row_us[operation]) / 60e6

async function plan(config: Config) {
  const database = await openCommandDatabase(config, log)
  const owner = await connect(database.ownerUrl)
  try {
    // Whatever this does by mistake is refused.
    await owner.query('set default_transaction_read_only = on')
    const executed = await executedBy(owner)
    const missing = migrationNames(migrations_folder).filter((name) => !executed.includes(name))
    const rows = await rowsOfTables(owner)
    let minutes = 0
    log(missing.length === 0 ? 'No migrations are missing.' : `${missing.length} migrations for Foyer ${version}:`)
    for (const [name, effects] of await rehearsed(executed, missing)) {
      const { parts, needs } = described(effects, rows)
      minutes += needs
      log(`  ${name}: ${parts.length === 0 ? 'locks no existing table' : parts.join('; ')}`)
    }
    if (missing.length > 0) log(`${rounded(minutes)} until it serves. Nodes of the release before go on meanwhile.`)
    const remembers = await isThere(owner, 'upgrade_functions')
    if (remembers) log(`${(await changedFunctions(owner)).length} functions are replaced.`)
    const pending = remembers ? await pendingBackfills(owner) : readBackfills()
    for (const { name, table } of pending)
      log(
        table === null
          ? `  In the background, once: ${name}`
          : `  In the background: ${name}, ${countOf(rows, table)} rows of ${table}: ` +
              rounded(2 * minutesOf(rows.get(table) ?? 0, 'filled')),
      )
    if (pending.length === 0) log('Nothing is filled in the background.')
    log('Nothing was changed. `npm run upgrade` does it without starting, and so does the next start.')
  } finally {
    await owner.end()
    await database.stop()
  }
}

async function isThere(owner: Owner, table: string): Promise<boolean> {
  const { rows } = await owner.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table])
  return rows[0]?.there ?? false
}
async function executedBy(owner: Owner): Promise<string[]> {
  if (await isThere(owner, 'kysely_migration')) return executedMigrations(owner)
  throw new CannotStart('There is nothing to upgrade: the database is empty, and the first start fills it.')
}

async function rowsOfTables(owner: Owner): Promise<Map<string, number>> {
  const { rows } = await owner.query<{ name: string; rows: number }>(
    `select relname as name, greatest(reltuples, 0)::float8 as rows from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  return new Map(rows.map((row) => [row.name, row.rows]))
}

/** On a database of its own without rows, which is deleted afterwards. */
async function rehearsed(executed: string[], missing: string[]): Promise<[string, Effects][]> {
  if (missing.length === 0) return []
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-plan-'))
  const { url, stop } = await startEmbedded({ directory, fast: true })
  try {
    const { ownerUrl } = await prepareDatabase({ url, secretKeys: () => ['only for this moment, and thrown away'] })
    const owner = await connect(ownerUrl)
    try {
      const folder = path.join(directory, 'migrations')
      fs.mkdirSync(folder)
      for (const name of executed.filter((one) => !missing.includes(one)))
        fs.writeFileSync(path.join(folder, `${name}.sql`), migrationText(migrations_folder, name))
      await prepareBookkeeping(owner)
      await applyMigrations(owner, { folder, patience: { lock_ms: 1000, tries_ms: 0 } })
      const all: [string, Effects][] = []
      for (const name of missing)
        all.push([
          name,
          await inTransaction(owner, () => effectsOf(owner, () => owner.query(migrationText(migrations_folder, name)))),
        ])
      return all
    } finally {
      await owner.end()
    }
  } finally {
    await stop()
    fs.rmSync(directory, { recursive: true, force: true })
  }
}

const countOf = (rows: Map<string, number>, table: string) => Math.round(rows.get(table) ?? 0).toLocaleString('en')
const rounded = (minutes: number) => (minutes < 0.1 ? 'A few seconds' : `About ${minutes.toFixed(1)} minutes`)

function described({ locked, rewritten, indexed, read }: Effects, rows: Map<string, number>) {
  const named = (names: string[]) => names.map((name) => `${name} (${countOf(rows, name)} rows)`).join(', ')
  const long = new Set([...rewritten, ...indexed, ...read])
  const brief = locked.map(({ table }) => table).filter((name) => !long.has(name))
  const readOnly = read.filter((name) => !rewritten.includes(name) && !indexed.includes(name))
  const parts = [
    brief.length > 0 ? `locks ${named(brief)} for a moment` : '',
    rewritten.length > 0 ? `rewrites ${named(rewritten)}` : '',
    indexed.length > 0 ? `builds indexes of ${named(indexed)}` : '',
    readOnly.length > 0 ? `reads or fills ${named(readOnly)}` : '',
  ].filter(Boolean)
  const time = (names: string[], operation: keyof typeof per_row_us) =>
    names.reduce((sum, name) => sum + minutesOf(rows.get(name) ?? 0, operation), 0)
  return { parts, needs: time(rewritten, 'rewritten') + time(indexed, 'indexed') + time(read, 'read') }
}

try {
  const [given, ...more] = process.argv.slice(2)
  if (more.length > 0 || (given !== undefined && given !== '--plan'))
    throw new CannotStart('npm run upgrade, or npm run upgrade -- --plan to see what it would do.')
  await (given === '--plan' ? plan : upgrade)(readConfig(process.env))
} catch (error) {
  process.exitCode = 1
  console.error(error instanceof CannotStart ? error.message : error)
}
