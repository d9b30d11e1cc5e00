// Migrate: brings the database up to date with this program, as the owner. If several nodes start, one does and the others wait.

import { applyFunctions } from '#server/db/apply-functions.ts'
import { completeBackfills } from '#server/db/backfills.ts'
import { grantFunctions, requireRoles } from '#server/db/grants.ts'
import { orLocked } from '#server/db/lock-timeout.ts'
import { connect } from '#server/db/logins.ts'
import {
  applyMigrations,
  executedMigrations,
  inTransaction,
  migrationNames,
  migrations_folder,
  prepareBookkeeping,
  type Patience,
  type Progress,
  withTries,
} from '#server/db/apply-migrations.ts'
import { prepareQueues } from '#server/db/queue-tables.ts'
import type { QueueOptions } from '#server/db/queues.ts'
import { fitOf, recordRelease, releasesOf } from '#server/db/releases.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { version } from '#server/start/version.ts'

interface MigrateOptions {
  /** The app's login serves signing in and guests, too. */
  one_login?: boolean
  folder?: string
  progress?: Progress
  /** For tests, which need not wait as long. */
  limits?: Patience & { others_ms: number }
}
/** Another node may have much to migrate. */
const patience = { others_ms: 10 * 60_000, lock_ms: 700, tries_ms: 10 * 60_000 }
/** Any number that no other program uses on the same server. */
const advisory_lock = 0x666f7967

/**
 * Returns the names of the migrations that ran.
 *
 * @param queues of all jobs of the program; others are dropped a week later
 */
export async function migrate(
  ownerUrl: string,
  queues: readonly QueueOptions[],
  { one_login = false, folder = migrations_folder, progress, limits = patience }: MigrateOptions = {},
): Promise<string[]> {
  const owner = await connect(ownerUrl, limits.others_ms)
  try {
    await owner.query(`set application_name = 'foyer migrate'`)
    await orLocked(() => owner.query('select pg_advisory_lock($1)', [advisory_lock]), othersMigrate)
    await prepareBookkeeping(owner)
    const executed = await executedMigrations(owner)
    const fit = fitOf({ executed, known: migrationNames(folder), releases: await releasesOf(owner) })
    // A later release has queues and functions that this one does not know.
    if (fit === 'newer') return []
    await requireRoles(owner, one_login)
    const filled = () => recordRelease(owner, { is_new: true })
    const ran = await orLocked(
      () => applyMigrations(owner, { folder, patience: limits, progress, filled }),
      tablesLocked,
    )
    const functions = () => withTries(limits.tries_ms, () => inTransaction(owner, () => applyFunctions(owner)))
    await orLocked(functions, tablesLocked)
    if (executed.length === 0) await completeBackfills(owner)
    await orLocked(() => prepareQueues(ownerUrl, queues), tablesLocked)
    await orLocked(() => grantFunctions(ownerUrl, one_login), tablesLocked)
    await recordRelease(owner)
    return ran
  } finally {
    await owner.end()
  }
}
const othersMigrate =
  'Another node has been migrating the database for ten minutes, and this one has waited for it. Start again when it is done.'
const tablesLocked =
  'The database could not be upgraded, because something else holds a lock on its tables. No migration is half done: ' +
  'end what holds it, and start again.'

/** For a node whose login may not migrate: refuses a database that does not fit this program. */
export async function checkMigrated(appUrl: string, folder = migrations_folder): Promise<void> {
  const client = await connect(appUrl)
  try {
    const { rows } = await client.query<{ name: string }>('select name from door_migrations() as name').catch(() => {
      throw new CannotStart(`The database has no tables of this program yet. ${migrateFirst}`)
    })
    const executed = rows.map(({ name }) => name)
    const known = migrationNames(folder)
    if (fitOf({ executed, known, releases: await releasesOf(client) }) === 'newer') return
    const missing = known.filter((name) => !executed.includes(name))
    if (missing.length > 0)
      throw new CannotStart(
        `The database is older than Foyer ${version} and lacks ${missing.join(', ')}. ${migrateFirst}`,
      )
  } finally {
    await client.end()
  }
}
const migrateFirst =
  'The login of DATABASE_URL may not make them: start a node with DATABASE_OWNER_URL first, then this one.'
