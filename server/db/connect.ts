// Connect: the pool of connections that the app's own login uses, and how PostgreSQL's values are read.
import pg from 'pg'

const type = { int8: 20, numeric: 1700, date: 1082, timestamptz: 1184 }
pg.types.setTypeParser(type.int8, Number) // ids and counters stay below 2^53
pg.types.setTypeParser(type.numeric, Number) // money has 12 digits, well within a double's 15
pg.types.setTypeParser(type.date, (value) => value)
// Kept as text with all six decimals: a `Date` has three, and a list's cursor would skip or repeat rows. Written as
// PostgreSQL's own JSON has it.
pg.types.setTypeParser(type.timestamptz, (value) => value.replace(' ', 'T').replace(/\+00$/, '+00:00'))

export interface PoolOptions {
  connections_max?: number
  connect_timeout_ms?: number
  statement_timeout_ms?: number
}

/** A lock is waited for at most this part of a statement's time: who holds it may be waiting for the same connection. */
const lock_part = 0.5
const statement_ms = 10_000
/** For connections of libraries, which have none of these limits by themselves. */
export const lock_timeout_ms = statement_ms * lock_part

/**
 * Every wait has an end, for without these `pg` hangs for ever on a database that stopped answering:
 * 3 s for a connection, 10 s for a statement, half of that for a lock.
 */
export function openPool(
  url: string,
  { connections_max = 10, connect_timeout_ms = 3000, statement_timeout_ms = statement_ms }: PoolOptions = {},
) {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections_max,
    connectionTimeoutMillis: connect_timeout_ms,
    statement_timeout: statement_timeout_ms,
    lock_timeout: statement_timeout_ms * lock_part,
    query_timeout: statement_timeout_ms + 2000,
    idle_in_transaction_session_timeout: 15_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    pipeline: true,
    // Everything here is short. Starting helpers or a compiler takes longer than it saves, and takes them from others. A
    // customer's rows are found by an index: whoever goes through a table from its beginning goes through everybody's, which
    // PostgreSQL would do for all customers alike where most of the rows are one's.
    options: '-c timezone=UTC -c max_parallel_workers_per_gather=0 -c jit=off -c enable_seqscan=off',
  })
  // Without listeners, a restarted server would end this process, through a connection at rest or through one at work.
  // The query at work fails by itself, and the pool replaces what was lost.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
