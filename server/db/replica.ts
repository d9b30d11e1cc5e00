// Replica: a server that follows the database (DATABASE_READ_URL), from which reports, exports and dashboards are read.
//
// What is read there is never older than what the database would have returned: each read first asks for the position of the
// database, and waits until the replica has reached it. If that takes too long, if the replica does not answer or is no replica any
// more, the database itself is read, and that is logged.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openPool, type PoolOptions } from '#server/db/connect.ts'
import { position, secondsBehind, stateOf, type Position, type ReplicaState } from '#server/db/wal-position.ts'
import { isOfLostDatabase } from '#server/errors/lost-database.ts'
import { textOf } from '#server/errors/thrown.ts'

export interface Replica {
  pool: pg.Pool
  /** A connection that shows everything committed before this call; null if the database itself is to be read. */
  connect(): Promise<pg.PoolClient | null>
  /**
   * Whether reads go there now; false while it is behind or does not answer. Where nothing was read for a while it is looked at, for
   * whoever asks next: nobody waits for a replica that hangs.
   */
  isUsed(): boolean
  /** How old its state is, in seconds: 0 where it has all that the database has by now. */
  behind_s(): Promise<number>
  /** Whether an error comes from the replica itself, so that the database should be asked instead. The replica then pauses for a while. */
  failed(error: unknown): boolean
}

interface ReplicaOptions extends PoolOptions {
  url: string
  /** For asking the database for its position. */
  database: pg.Pool
  log: (line: string) => void
  /** How long the replica may take to reach the position. */
  patience_ms?: number
  /** How long a replica that cannot be used is not tried, and one that nobody reads is not looked at again. */
  pause_ms?: number
}

const instead = 'Reports, exports and dashboards are read from the database itself.'
/** Codes of queries that a replica cancels because of what it has to replay. */
const conflicts = /^(40001|40P01)$/

export function openReplica({
  url,
  database,
  log,
  patience_ms = 1000,
  pause_ms = 10_000,
  ...options
}: ReplicaOptions): Replica {
  const pool = openPool(url, options)
  let wrong: string | null = null
  let paused_until = 0
  let looked_at = 0

  /** Logs the reason once, when it begins. */
  function pause(reason: string, for_ms: number) {
    if (wrong !== reason) log(`${reason} ${instead}`)
    wrong = reason
    paused_until = Date.now() + for_ms
    return null
  }

  async function follow(client: pg.PoolClient, from: Position): Promise<ReplicaState> {
    const ends_at = Date.now() + patience_ms
    for (let wait_ms = 2; ; wait_ms = Math.min(wait_ms * 2, 50)) {
      const found = await stateOf(client, from)
      if (found !== 'behind' || Date.now() > ends_at) return found
      await sleep(wait_ms)
    }
  }

  async function connect(): Promise<pg.PoolClient | null> {
    if (Date.now() < paused_until) return null
    const from = await position(database)
    looked_at = Date.now()
    let client: pg.PoolClient | undefined
    try {
      client = await pool.connect()
      const found = await follow(client, from)
      if (found === 'current') {
        if (wrong !== null) log('The replica is back: reports, exports and dashboards are read from it again.')
        wrong = null
        return client
      }
      client.release()
      return found === 'behind'
        ? pause(`The replica of DATABASE_READ_URL is more than ${patience_ms / 1000} s behind.`, patience_ms)
        : pause('DATABASE_READ_URL names no copy of the database any more.', pause_ms)
    } catch (error) {
      client?.release(true)
      return pause(`The replica of DATABASE_READ_URL does not answer (${textOf(error)}).`, pause_ms)
    }
  }

  /** Where all connections are busy it is used, and waiting for one would find it away. */
  const isBusy = () => pool.idleCount === 0 && pool.totalCount >= pool.options.max
  async function look() {
    looked_at = Date.now()
    // Of a database that does not answer nothing is learnt about its replica.
    const client = await connect().catch(() => null)
    client?.release()
  }

  return {
    pool,
    isUsed() {
      if (Date.now() - looked_at > pause_ms && !isBusy()) void look()
      return wrong === null
    },
    async behind_s() {
      const { place } = await position(database)
      return secondsBehind(pool, place)
    },
    connect,
    failed(error) {
      if (!isOfConnection(error)) return false
      // After a recovery conflict the replica can be read again at once.
      if (codeOf(error) !== '40001') pause('The replica of DATABASE_READ_URL broke off.', pause_ms)
      return true
    },
  }
}

const codeOf = (error: unknown) => (error as { code?: unknown }).code
const isOfConnection = (error: unknown) =>
  isOfLostDatabase(error) || (error instanceof Error && conflicts.test(textOf(codeOf(error))))
