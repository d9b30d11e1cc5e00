// Migrations: plain SQL files, each run once, all in one transaction, as the owner. If several nodes start, one runs them and the
// others wait.

import fs from 'node:fs'
import path from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { Pool } from 'pg'
import { CannotStart } from '#server/start/cannot-start.ts'
import { grantFunctions } from '#server/db/grants.ts'
import { orLocked } from '#server/db/lock-timeout.ts'
import { connect } from '#server/db/logins.ts'
import { prepareQueues } from '#server/db/queue-tables.ts'
import type { QueueOptions } from '#server/db/queues.ts'

/** Next to this file, in the sources as well as in dist. */
const sources = path.join(import.meta.dirname, 'migrations')

interface MigrateOptions {
  /** The app's login serves signing in and guests, too. */
  one_login?: boolean
  folder?: string
  /** For tests, which need not wait as long. */
  limits?: { others_ms: number; lock_ms: number }
}
/** Another node may have much to migrate. The wait for a lock on a table is short, because later requests queue behind ours. */
const patience = { others_ms: 10 * 60_000, lock_ms: 30_000 }
/** Any number that no other program uses on the same server. */
const advisory_lock = 0x666f7967

/**
 * Brings the database up to date with this program. Returns the names of the migrations that ran.
 *
 * @param queues of all jobs of the program; other queues are dropped
 */
export async function migrate(
  ownerUrl: string,
  queues: readonly QueueOptions[],
  { one_login = false, folder = sources, limits = patience }: MigrateOptions = {},
): Promise<string[]> {
  const pool = new Pool({ connectionString: ownerUrl, max: 1, idleTimeoutMillis: 0, application_name: 'foyer migrate' })
  // A connection lost while idle shows in the next query.
  pool.on('error', () => {})
  const db = new Kysely<Executed>({ dialect: new PostgresDialect({ pool }) })
  try {
    // Kept by the only connection of this pool until it ends.
    await sql`select set_config('lock_timeout', ${String(limits.others_ms)}, false)`.execute(db)
    await orLocked(() => sql`select pg_advisory_lock(${advisory_lock})`.execute(db), othersMigrate)
    await sql`select set_config('lock_timeout', ${String(limits.lock_ms)}, false)`.execute(db)
    return await orLocked(() => bringUp(db, { ownerUrl, queues, folder, one_login }), tablesLocked)
  } finally {
    await db.destroy()
  }
}
const othersMigrate =
  'Another node has been migrating the database for ten minutes, and this one has waited for it. Start again when it is done.'
const tablesLocked =
  'The database could not be brought up to date, since something else holds a lock on its tables. No migration is half done: ' +
  'end what holds it, and start again.'

interface BringUp {
  ownerUrl: string
  queues: readonly QueueOptions[]
  folder: string
  one_login: boolean
}
async function bringUp(db: Kysely<Executed>, { ownerUrl, queues, folder, one_login }: BringUp): Promise<string[]> {
  const migrations = readMigrations(folder)
  await refuseNewerDatabase(db, migrations)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    // Two branches may each add a file, and the order of merging must not matter.
    allowUnorderedMigrations: true,
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  const failed = results.find((result) => result.status === 'Error')
  if (failed) throw new Error(`The migration ${failed.migrationName} failed, and nothing was changed`, { cause: error })
  if (error) throw error
  await prepareQueues(ownerUrl, queues)
  await grantFunctions(ownerUrl, one_login)
  return results.map((result) => result.migrationName)
}

/** For a node whose login may not migrate: refuses a database that is not exactly at this program's migrations. */
export async function checkMigrated(appUrl: string, folder = sources): Promise<void> {
  const client = await connect(appUrl)
  try {
    const { rows } = await client.query<{ name: string }>('select name from door_migrations() as name').catch(() => {
      throw new CannotStart(`The database has no tables of this program yet. ${migrateFirst}`)
    })
    const executed = rows.map(({ name }) => name)
    refuseUnknown(executed, readMigrations(folder))
    const missing = Object.keys(readMigrations(folder)).filter((name) => !executed.includes(name))
    if (missing.length > 0) throw new CannotStart(`The database lacks ${missing.join(', ')}. ${migrateFirst}`)
  } finally {
    await client.end()
  }
}
const migrateFirst =
  'The login of DATABASE_URL may not make them: start a node with DATABASE_OWNER_URL first, then this one.'

type Executed = { kysely_migration: { name: string } }

function readMigrations(folder: string): Record<string, Migration> {
  const files = fs.readdirSync(folder).filter((file) => file.endsWith('.sql'))
  return Object.fromEntries(
    files.map((file) => [
      path.basename(file, '.sql'),
      {
        up: (db) =>
          sql
            .raw(fs.readFileSync(path.join(folder, file), 'utf8'))
            .execute(db)
            .then(() => {}),
      },
    ]),
  )
}

async function refuseNewerDatabase(db: Kysely<Executed>, known: Record<string, Migration>): Promise<void> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('kysely_migration') is not null as there`.execute(
    db,
  )
  if (!rows[0]?.there) return
  const executed = await db.selectFrom('kysely_migration').select('name').execute()
  refuseUnknown(
    executed.map(({ name }) => name),
    known,
  )
}

/** An older program must not work on tables that it does not know. */
function refuseUnknown(executed: string[], known: Record<string, Migration>) {
  const unknown = executed.filter((name) => !(name in known))
  if (unknown.length > 0)
    throw new CannotStart(
      `The database is newer than this program: it has been through ${unknown.join(', ')}, which this program does not have. ` +
        'Start the newer program, or restore the backup that was made before it.',
    )
}
