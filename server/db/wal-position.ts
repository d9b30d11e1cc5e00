// WAL position: the position of a database in its WAL, and whether a replica has reached it.
//
// A replica replays the WAL of its database. Commits are in the WAL up to the position that has been flushed to disk; a database
// that does not wait for that (synchronous_commit = off) also has commits in the part that is still to be flushed.
import type { ClientBase, Pool } from 'pg'

export interface Position {
  place: string
  /** The cluster and the database in it, which are the same for its replicas. */
  database: string
  /** Identifies the server: no two start in the same microsecond. */
  server: string
}

const database = `(select (select system_identifier from pg_control_system()) || ' ' || oid
  from pg_database where datname = current_database())`

export async function position(of: ClientBase | Pool): Promise<Position> {
  const { rows } = await of.query<Position>(`
    select pg_postmaster_start_time()::text as server, ${database} as database,
      case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end::text
        as place`)
  const [found] = rows
  if (!found) throw new Error('the database did not say how far it has come')
  return found
}

/** `unrelated`: neither the same server nor a replica that follows it, such as one that was promoted. */
export type ReplicaState = 'current' | 'behind' | 'unrelated'

export async function stateOf(replica: ClientBase, from: Position): Promise<ReplicaState> {
  const { rows } = await replica.query<{ database: string; server: string; follows: boolean; current: boolean | null }>(
    `select ${database} as database, pg_postmaster_start_time()::text as server, pg_is_in_recovery() as follows,
       pg_last_wal_replay_lsn() >= $1::pg_lsn as current`,
    [from.place],
  )
  const [found] = rows
  if (!found || found.database !== from.database) return 'unrelated'
  if (found.server === from.server) return 'current'
  if (!found.follows) return 'unrelated'
  return found.current ? 'current' : 'behind'
}

/** How long ago the last transaction was committed that the replica has; 0 if it has reached the place. */
export async function secondsBehind(replica: Pool, place: string): Promise<number> {
  const { rows } = await replica.query<{ seconds: number }>(
    `select case when pg_last_wal_replay_lsn() >= $1::pg_lsn then 0
       else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) end::float8 as seconds`,
    [place],
  )
  return rows[0]?.seconds ?? NaN
}
