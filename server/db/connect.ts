// Connect: opens pools of connections, and defines how PostgreSQL's values are read.
import pg from 'pg'
import { connectionTo } from '#server/db/writer.ts'
import { isPooled } from '#server/start/database-address.ts'
import { noteLost } from '#server/errors/lost-database.ts'

const type = { int8: 20, numeric: 1700, date: 1082, timestamptz: 1184 }
pg.types.setTypeParser(type.int8, Number) // ids and counters stay below 2^53
pg.types.setTypeParser(type.numeric, Number) // money has 12 digits, well within a double's 15
pg.types.setTypeParser(type.date, (value) => value)
// Kept as text with all six decimals: a `Date` has three, and a list's cursor would skip or repeat rows. In the format of
// PostgreSQL's own JSON.
pg.types.setTypeParser(type.timestamptz, (value) => value.replace(' ', 'T').replace(/\+00$/, '+00:00'))

export interface PoolOptions {
  connections_max?: number
  connect_timeout_ms?: number
  statement_timeout_ms?: number
}

/** Part of a statement's time that it may wait for a lock: the holder may itself be waiting for the same connection. */
const lock_part = 0.5
const statement_ms = 10_000
/** For connections of libraries, which do not set these limits. */
export const lock_timeout_ms = statement_ms * lock_part

/**
 * Every wait has a limit, because otherwise `pg` hangs for ever on a database that has stopped answering:
 * 3 s for a connection, 10 s for a statement, half of that for a lock.
 */
export function openPool(
  url: string,
  { connections_max = 10, connect_timeout_ms = 3000, statement_timeout_ms = statement_ms }: PoolOptions = {},
) {
  const limits = {
    statement_timeout: statement_timeout_ms,
    lock_timeout: statement_timeout_ms * lock_part,
    idle_in_transaction_session_timeout: 15_000,
    // All statements are short: starting parallel workers or the JIT compiler takes longer than it saves, and takes capacity
    // from others. A customer's rows are found by an index: a sequential scan reads all customers' rows, and PostgreSQL would
    // choose one for every customer where most of the rows belong to one.
    options: '-c timezone=UTC -c max_parallel_workers_per_gather=0 -c jit=off -c enable_seqscan=off',
  }
  const pool = new pg.Pool({
    ...connectionTo(url),
    max: connections_max,
    connectionTimeoutMillis: connect_timeout_ms,
    query_timeout: statement_timeout_ms + 2000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    pipeline: true,
    // A pooler refuses them; the logins themselves have them then (login-limits.ts).
    ...(!isPooled(url) && limits),
  })
  // Without listeners, a restarted server would end this process, through an idle connection or through a busy one.
  // The running query fails by itself, and the pool replaces lost connections.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    client.on('notice', (notice) => refuseUnconfirmed(client, notice))
  })
  return pool
}

/**
 * A commit waits for the synchronous copy. Where somebody cancels that wait, PostgreSQL reports success with a warning, though what was
 * written is on one server alone, and gone where that is the one that fails next. Nobody may be told that it is stored.
 */
function refuseUnconfirmed(client: pg.ClientBase, { routine }: { routine?: string | undefined }) {
  if (routine !== 'SyncRepWaitForLSN') return
  const error = new Error('No standby of the database has confirmed the write')
  noteLost(error)
  // As where the network fails in this moment: the statement fails, and the connection is used no more.
  ;(client as pg.ClientBase & { connection: pg.Connection }).connection.emit('error', error)
}
