// Doors: functions of the database that look things up before a customer is known. Each database login may call those that
// it needs, and can read no table; their pools are separate from the one for customers' work.
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
import { statementsOf } from '#server/db/statements.ts'

/** Open connections of a pool, those of them that are idle, and the requests that wait for one. */
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
  /** Calls one of the functions `door_…` (server/db/schema/functions). It takes no turn: callers already have one. */
  callFunction<R>(call: RawBuilder<R>): Promise<R[]>
  ping(): Promise<void>
  /** The functions of the database that this login may call, by name and arguments. */
  functions(): Promise<string[]>
  connections(): Connections
  close(): Promise<void>
}

/** Compiles queries built with Kysely to SQL; never runs any. */
export const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** See `functions` of `Doors`. */
export async function callableFunctions(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc
     where pronamespace = 'public'::regnamespace and has_function_privilege(oid, 'execute')`,
  )
  return rows.map(({ name }) => name)
}

export function openDoors(url: string, options: PoolOptions): Doors {
  const pool = openPool(url, options)
  const statement = statementsOf(url)
  return {
    async callFunction<R>(call: RawBuilder<R>) {
      const { sql: text, parameters } = call.compile(compiler)
      const { rows } = await pool.query<R & pg.QueryResultRow>(statement(text, parameters))
      return rows
    },
    ping: async () => void (await pool.query('select 1')),
    functions: () => callableFunctions(pool),
    connections: () => connectionsOf(pool),
    close: () => pool.end(),
  }
}
