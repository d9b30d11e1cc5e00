// Rehearsal: what a migration does to tables that are there before it, as PostgreSQL itself did it: which locks it took, what it
// rewrote, read and built. For the plan of an upgrade, and for the check that migrations leave running nodes alone.
import type { Client } from 'pg'

export interface Effects {
  /** Tables that nobody could write meanwhile, and those that nobody could even read. */
  locked: { table: string; reads: boolean }[]
  /** Each in full, while it is locked. */
  rewritten: string[]
  indexed: string[]
  /** Read for a constraint, or by a statement; a statement that changes rows reads them, too. */
  read: string[]
}

/** Tables before and after, by their names; what a migration makes itself is nobody else's. */
interface State {
  tables: Map<number, { name: string; file: number }>
  indexes: Map<number, number>
}
const tables = `select oid::int as oid, relname as name, relfilenode::int as file from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace and relname !~ '^(kysely|upgrade)_'`
const indexes = `select indexrelid::int as oid, indrelid::int as of from pg_index`
const locks = `
  select relation::int as oid, bool_or(mode = 'AccessExclusiveLock') as reads from pg_locks
  where pid = pg_backend_pid() and locktype = 'relation'
    and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock') group by 1`
const reads = `
  select relid::int as oid, (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int as reads from pg_stat_xact_user_tables`

interface Scanned {
  oid: number
  reads: number
}
const rowsOf = async <Row extends object>(owner: Client, query: string) => (await owner.query<Row>(query)).rows

async function stateOf(owner: Client): Promise<State> {
  const found = await rowsOf<{ oid: number; name: string; file: number }>(owner, tables)
  const built = await rowsOf<{ oid: number; of: number }>(owner, indexes)
  return {
    tables: new Map(found.map(({ oid, name, file }) => [oid, { name, file }])),
    indexes: new Map(built.map(({ oid, of }) => [oid, of])),
  }
}

/** @param work in the caller's transaction, which has done nothing else yet */
export async function effectsOf(owner: Client, work: () => Promise<unknown>): Promise<Effects> {
  const before = await stateOf(owner)
  // Also those of transactions before, which PostgreSQL has not yet added up.
  const scannedBefore = new Map((await rowsOf<Scanned>(owner, reads)).map((table) => [table.oid, table.reads]))
  await work()
  const after = await stateOf(owner)
  const named = (oids: Iterable<number>) =>
    [...new Set([...oids].flatMap((oid) => before.tables.get(oid)?.name ?? []))].toSorted()
  const held = await rowsOf<{ oid: number; reads: boolean }>(owner, locks)
  const scanned = await rowsOf<Scanned>(owner, reads)
  const rewritten = [...before.tables].filter(([oid, { file }]) => (after.tables.get(oid)?.file ?? file) !== file)
  const isRewritten = new Set(rewritten.map(([oid]) => oid))
  const built = [...after.indexes].filter(([oid, of]) => !before.indexes.has(oid) && !isRewritten.has(of))
  return {
    locked: held.flatMap(({ oid, reads: alsoReads }) => {
      const table = before.tables.get(oid)?.name
      return table === undefined ? [] : [{ table, reads: alsoReads }]
    }),
    rewritten: named(isRewritten),
    indexed: named(built.map(([, of]) => of)),
    read: named(scanned.filter((table) => table.reads > (scannedBefore.get(table.oid) ?? 0)).map(({ oid }) => oid)),
  }
}
