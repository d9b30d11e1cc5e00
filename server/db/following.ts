// Following: how far a database has come, and whether a copy of it has come as far.
//
// A copy replays the log of its database. What is committed stands in the log up to the place that has been written through to the
// disk; a database that does not wait for that (synchronous_commit = off) has it in what is still to be written.
import type { ClientBase, Pool } from 'pg'

export interface Position {
  place: string
  /** The cluster and the database in it, which its copies have in common with it. */
  database: string
  /** Which server it is: no two start at the same microsecond. */
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

/** `apart`: neither the same server nor a copy that follows it, such as one that has become a database of its own. */
export type Standing = 'there' | 'behind' | 'apart'

export async function standing(copy: ClientBase, from: Position): Promise<Standing> {
  const { rows } = await copy.query<{ database: string; server: string; follows: boolean; there: boolean | null }>(
    `select ${database} as database, pg_postmaster_start_time()::text as server, pg_is_in_recovery() as follows,
       pg_last_wal_replay_lsn() >= $1::pg_lsn as there`,
    [from.place],
  )
  const [found] = rows
  if (!found || found.database !== from.database) return 'apart'
  if (found.server === from.server) return 'there'
  if (!found.follows) return 'apart'
  return found.there ? 'there' : 'behind'
}
