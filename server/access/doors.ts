// Doors: the database's own functions, which read before a customer is known. Each login may call those that it needs, and
// reads no table; their pools are apart from the one for customers' work.
import type pg from 'pg'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'
import { openPool, type PoolOptions } from '#server/db/connect.ts'
import { statement } from '#server/db/statements.ts'

/** How many a pool has open, how many of them rest, and how many requests wait for one. */
export interface Connections {
  open: number
  idle: number
  waiting: number
}
export const connectionsOf = ({ totalCount, idleCount, waitingCount }: pg.Pool): Connections => ({
  open: totalCount,
  idle: idleCount,
  waiting: waitingCount,
})

export interface Doors {
  /** Calls one of the functions (`door_…`, migration 0020). It takes no turn: whoever calls it has one, of admission or of sign-in. */
  callFunction<R>(call: RawBuilder<R>): Promise<R[]>
  ping(): Promise<void>
  connections(): Connections
  close(): Promise<void>
}

/** Makes SQL of what is built with Kysely, and never runs any. */
export const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

export function openDoors(url: string, options: PoolOptions): Doors {
  const pool = openPool(url, options)
  return {
    async callFunction<R>(call: RawBuilder<R>) {
      const { sql: text, parameters } = call.compile(compiler)
      const { rows } = await pool.query<R & pg.QueryResultRow>(statement(text, parameters))
      return rows
    },
    ping: async () => void (await pool.query('select 1')),
    connections: () => connectionsOf(pool),
    close: () => pool.end(),
  }
}
