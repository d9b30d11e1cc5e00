// Apply migrations: runs each that has not run yet in a transaction of its own, beside nodes that go on serving. A lock that is not
// free within a moment is given up and asked for again, so that no request waits long behind it. A killed start loses only the
// migration it was in, and the next one goes on there.
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { isDeadlock, isLocked } from '#server/db/lock-timeout.ts'

/** Called before each migration, and with `name` null when all are done. What it throws ends the upgrade between two of them. */
export type Progress = (at: { done: number; total: number; name: string | null }) => void

export interface Patience {
  /** Shorter than PostgreSQL's `deadlock_timeout` of a second: in a deadlock this side gives up, never a request of a node. */
  lock_ms: number
  /** How long one migration is tried. */
  tries_ms: number
}

/** Next to this file, in the sources as well as in dist. */
export const migrations_folder = path.join(import.meta.dirname, 'migrations')

/** In the order in which they run. */
export const migrationNames = (folder: string): string[] =>
  fs
    .readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => path.basename(file, '.sql'))
    .toSorted()

export const migrationText = (folder: string, name: string): string =>
  fs.readFileSync(path.join(folder, `${name}.sql`), 'utf8')

/**
 * What upgrades remember: which migrations ran (in the tables of the library that ran them before), functions by the hash of their text,
 * queues that only a node of the release before still uses, and how far each backfill is.
 */
const bookkeeping = `
  create table if not exists kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
  create table if not exists kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0);
  create table if not exists upgrade_functions (
    name text primary key,
    hash text not null,
    applied_at timestamptz not null default now()
  );
  create table if not exists upgrade_former_queues (
    name text primary key,
    since timestamptz not null default now()
  );
  -- customer_id and row_id: all rows of the customers before, and of this one up to this id, are done.
  create table if not exists upgrade_backfills (
    name text primary key,
    customer_id integer not null default 0,
    row_id bigint not null default 0,
    seen bigint not null default 0,
    worked_ms bigint not null default 0,
    begun_at timestamptz not null default now(),
    done_at timestamptz
  )`
export const prepareBookkeeping = (owner: Client) => owner.query(bookkeeping)

/** Those that a database has been through; none of an empty one. */
export async function executedMigrations(owner: Client): Promise<string[]> {
  const executed = await owner.query<{ name: string }>('select name from kysely_migration order by name')
  return executed.rows.map(({ name }) => name)
}

interface Applying {
  folder: string
  patience: Patience
  progress?: Progress | undefined
  /** In the transaction that fills an empty database: what is to be known of it, also after a start that ends before it is done. */
  filled?: () => Promise<void>
}

/** @returns the names of those that ran: all that were missing, whatever their order, as branches are merged in any order */
export async function applyMigrations(
  owner: Client,
  { folder, patience, progress = () => {}, filled }: Applying,
): Promise<string[]> {
  const executed = new Set(await executedMigrations(owner))
  const missing = migrationNames(folder).filter((name) => !executed.has(name))
  const run = async (name: string, done: number) => {
    progress({ done, total: missing.length, name })
    await owner.query(migrationText(folder, name))
    await owner.query('insert into kysely_migration (name, timestamp) values ($1, $2)', [
      name,
      new Date().toISOString(),
    ])
  }
  await owner.query(`select set_config('lock_timeout', $1, false)`, [String(patience.lock_ms)])
  if (executed.size === 0)
    // Nobody uses an empty database, and one transaction is the quickest.
    await inTransaction(owner, async () => {
      for (const [done, name] of missing.entries()) await run(name, done).catch(failed(name, 'nothing was changed'))
      await filled?.()
    })
  else
    for (const [done, name] of missing.entries())
      await withTries(patience.tries_ms, () => inTransaction(owner, () => run(name, done))).catch(
        failed(name, 'it is not half done: those before it are'),
      )
  progress({ done: missing.length, total: missing.length, name: null })
  return missing
}

export async function inTransaction<T>(owner: Client, work: () => Promise<T>): Promise<T> {
  await owner.query('begin')
  try {
    const result = await work()
    await owner.query('commit')
    return result
  } catch (error) {
    // Of a lost connection, which has rolled back, only the first error says why.
    await owner.query('rollback').catch(() => {})
    throw error
  }
}

const pause_ms = 50
const pause_max_ms = 2000

/** Again, with longer and longer pauses in which others get on, while what is wrong is a lock that others hold. */
export async function withTries<T>(tries_ms: number, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + tries_ms
  for (let pause = pause_ms; ; pause = Math.min(pause * 2, pause_max_ms)) {
    try {
      return await work()
    } catch (error) {
      if (!(isLocked(error) || isDeadlock(error)) || performance.now() + pause > until) throw error
      await sleep(pause / 2 + Math.random() * pause)
    }
  }
}

/** What PostgreSQL refused is the program's fault, and named; being asked to stop is not. */
const failed = (name: string, what_is_done: string) => (error: unknown) => {
  if (!(error instanceof Error && 'code' in error)) throw error
  throw new Error(`The migration ${name} failed, and ${what_is_done}`, { cause: error })
}
