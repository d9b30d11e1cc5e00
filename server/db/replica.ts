// Replica: a copy that follows the database (DATABASE_READ_URL), from which reports, exports and dashboards are read.
//
// What is read there is never older than what the database would have answered: each reading begins with how far the database has
// come, and waits until the copy has come as far. Where that takes too long, where nobody answers and where the copy is none any
// more, the database itself is read, and a line of the log says so.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openPool, type PoolOptions } from '#server/db/connect.ts'
import { position, standing, type Position, type Standing } from '#server/db/following.ts'

export interface Replica {
  pool: pg.Pool
  /** A connection that shows all that was committed before this was called; null where the database itself is to be read. */
  connect(): Promise<pg.PoolClient | null>
  /** Whether an error is the copy's own, so that the same is asked of the database. It is left alone for a while then. */
  failed(error: unknown): boolean
}

interface ReplicaOptions extends PoolOptions {
  url: string
  /** Where the database itself is asked how far it has come. */
  database: pg.Pool
  say: (line: string) => void
  /** How long a copy may take to come as far. */
  patience_ms?: number
  /** How long one that is away is not asked. */
  rest_ms?: number
}

const instead = 'Reports, exports and dashboards are read from the database itself.'
/** A copy that replays its log ends what stands in its way; one that stops or starts says so. Connections that break have no code. */
const codes = /^(40001|40P01|57P0\d|08...|53300|ECONN.*|ETIMEDOUT|EPIPE|EHOST.*|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

export function openReplica({
  url,
  database,
  say,
  patience_ms = 1000,
  rest_ms = 10_000,
  ...options
}: ReplicaOptions): Replica {
  const pool = openPool(url, options)
  let wrong: string | null = null
  let rests_until = 0

  /** Said once, when it begins. */
  function leaveAlone(reason: string, for_ms: number) {
    if (wrong !== reason) say(`${reason} ${instead}`)
    wrong = reason
    rests_until = Date.now() + for_ms
    return null
  }

  async function follow(client: pg.PoolClient, from: Position): Promise<Standing> {
    const ends_at = Date.now() + patience_ms
    for (let wait_ms = 2; ; wait_ms = Math.min(wait_ms * 2, 50)) {
      const found = await standing(client, from)
      if (found !== 'behind' || Date.now() > ends_at) return found
      await sleep(wait_ms)
    }
  }

  return {
    pool,
    async connect() {
      if (Date.now() < rests_until) return null
      const from = await position(database)
      let client: pg.PoolClient | undefined
      try {
        client = await pool.connect()
        const found = await follow(client, from)
        if (found === 'there') {
          if (wrong !== null) say('The replica is back: reports, exports and dashboards are read from it again.')
          wrong = null
          return client
        }
        client.release()
        return found === 'behind'
          ? leaveAlone(`The replica of DATABASE_READ_URL is more than ${patience_ms / 1000} s behind.`, patience_ms)
          : leaveAlone('DATABASE_READ_URL names no copy of the database any more.', rest_ms)
      } catch (error) {
        client?.release(true)
        return leaveAlone(`The replica of DATABASE_READ_URL does not answer (${(error as Error).message}).`, rest_ms)
      }
    },
    failed(error) {
      if (!isOfConnection(error)) return false
      // What stood in the way of its log may be read there again at once.
      if (codeOf(error) !== '40001') leaveAlone('The replica of DATABASE_READ_URL broke off.', rest_ms)
      return true
    },
  }
}

const codeOf = (error: unknown) => (error as { code?: unknown }).code
function isOfConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return typeof code === 'string'
    ? codes.test(code)
    : /^(Connection terminated|Client (has encountered|was closed)|timeout exceeded when trying to connect)/.test(
        error.message,
      )
}
