// Tenancy: the only way to the database, one transaction at a time and always on behalf of a caller.
//
// Three walls stand between customers. This file is the first: only here is a `Scope` made, and everything that is read or
// written goes through one, narrowed by the rules of reach.ts. The second is row security on `customer_id`, which `enter`
// sets at the start of each transaction. The third is the composite keys of the schema. Groups and properties of one
// customer are separated by the first wall only.
import { AsyncLocalStorage } from 'node:async_hooks'
import { sql, type RawBuilder, type Updateable } from 'kysely'
import type pg from 'pg'
import type { FoundRef } from '#contract/refs.ts'
import type { RefTarget } from '#contract/ref-target.ts'
import { principalKey, type Caller } from '#server/access/principal.ts'
import {
  among,
  isTenantTable,
  notDeleted,
  withinReach,
  type Condition,
  type TenantTable,
} from '#server/access/reach.ts'
import { openReplica } from '#server/db/replica.ts'
import {
  callableFunctions,
  compiler,
  connectionsOf,
  openDoors,
  type Connections,
  type Doors,
} from '#server/access/doors.ts'
import type { LoginUrls } from '#server/db/logins.ts'
import type { DB } from '#server/db/tables.ts'
import { statementsOf } from '#server/db/statements.ts'
import { isOfLostDatabase } from '#server/errors/lost-database.ts'
import { openPool, type PoolOptions } from '#server/db/connect.ts'
import { clockAhead } from '#server/time/clock.ts'
import { openTurns, usual_pools, type AllTurns, type Capacity } from '#server/turns/shares.ts'
import type { MessagesOfCustomer, SealedMessages } from '#server/secrets/sealed-messages.ts'
import type { CodesOfCustomer, VoucherCodes } from '#server/secrets/voucher-codes.ts'
import type { Quotas } from '#server/start/config.ts'

declare const made: unique symbol

/** Values for columns of a table, each its own or SQL that computes it. What is undefined is left out. */
export type Written<T extends TenantTable> = {
  readonly [C in keyof DB[T]]?: Value<Updateable<DB[T]>[C & keyof Updateable<DB[T]>]> | RawBuilder<unknown> | undefined
}
/** A moment is read as text, and may be written as a date. */
type Value<V> = V | (string extends V ? Date : never)
/** Rows of a join table, by their columns; of a list, by any of its values. */
export type Linked<T extends TenantTable> = {
  readonly [C in keyof DB[T]]?: Value<Updateable<DB[T]>[C & keyof Updateable<DB[T]>]> | readonly unknown[]
}

/**
 * A caller inside one transaction. Only `enter` makes one, and it dies with its transaction: after that each of its methods
 * throws, because the connection may serve another customer by then.
 */
export interface Scope extends Caller {
  readonly [made]: true
  /** What the customer may do in a day (server/fairness/quotas.ts). */
  readonly quotas: Quotas
  /** How the customer's voucher codes are found, sealed and opened. */
  readonly codes: VoucherCodes
  /** How the texts of the customer's mails and text messages are sealed and opened. */
  readonly messages: SealedMessages
  /** The rows of a table that are in reach and not deleted, as a condition on its alias. */
  inReach(table: TenantTable, alias: string): Condition
  /** The same with those that are deleted, of which figures of the past are made, too. */
  everInReach(table: TenantTable, alias: string): Condition
  /** Inserts one row, stamped with the customer; returns its id. */
  insert<T extends TenantTable>(table: T, values: Written<T>): Promise<number>
  insertMany<T extends TenantTable>(table: T, rows: Written<T>[]): Promise<void>
  /**
   * Locks the rows of `t` in reach for which a condition holds until the transaction ends; returns their ids. In the order of
   * their ids, so that transactions which lock the same rows cannot deadlock.
   */
  lock(table: TenantTable, where: Condition): Promise<number[]>
  /** Changes the rows of `t` in reach given by a condition or by ids, locked as by `lock`; returns the ids changed. */
  change<T extends TenantTable>(table: T, which: Condition | readonly number[], values: Written<T>): Promise<number[]>
  /** Deletes rows of a join table. */
  unlink<T extends TenantTable>(table: T, where: Linked<T>): Promise<void>
  /** The references that are absent, deleted or out of reach. */
  unreachable(refs: readonly FoundRef[]): Promise<FoundRef[]>
  /** Ids of the newest rows whose text holds `needle`, in reach of row security only: narrow further with `inReach`. */
  search(table: TenantTable, needle: string, rows_max: number): Promise<number[]>
  /** Runs SQL that the other methods cannot express. Every table in it must be narrowed with `inReach`. */
  run<R>(query: RawBuilder<R>): Promise<R[]>
  /** The same for a statement that only reads: as the first of its scope it needs one round trip and no transaction. */
  read<R>(query: RawBuilder<R>): Promise<R[]>
}

/** Also has the doors for signing in, and for jobs that work for all customers. */
export interface Tenancy extends Omit<Doors, 'connections' | 'functions'> {
  /**
   * One transaction on behalf of a caller. `read` makes it read-only, and `report` may read a replica of the database (replica.ts);
   * if that fails, `work` is run again on the database itself. Throws inside another transaction: it would take a second connection
   * while holding the first, and could be committed when the outer one is not.
   *
   * Answers that are streamed read page by page, one transaction for each page, or are written to a file by a job.
   *
   * The caller's customer waits for its turn before a connection is taken: 429 where it asks for too much at once.
   */
  enter<R>(caller: Caller, mode: Mode, work: (scope: Scope) => Promise<R>): Promise<R>
  /** Runs the SQL that a library brings (the job queue's), inside the current transaction if there is one. */
  execute(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  /** Of each pool: `main`, `before` a customer is known, and the replica's where there is one. */
  connections(): { main: Connections; before: Connections; replica?: Connections }
  /** Of both logins: the app's, and the one before a customer is known. */
  functions(): Promise<string[]>
  /** Whether reports, exports and dashboards are read from the replica now; null without one. */
  readsReplica(): boolean | null
  /** How old the replica's state is, in seconds; null without one. */
  replicaBehind_s(): Promise<number | null>
}

export type Mode = 'read' | 'report' | 'write'

export interface TenancyOptions extends PoolOptions {
  /** False only in the test that proves the second wall by taking the first away. */
  firstWall?: boolean
  turns?: Pick<AllTurns, 'reads' | 'writes' | 'jobs' | 'radius'>
  /** The most connections of each pool. */
  pools?: Capacity['pools']
  quotas?: Quotas
  /** Needed by whatever deals with voucher codes. */
  codes?: CodesOfCustomer
  /** Needed by whatever writes messages. */
  messages?: MessagesOfCustomer
  log?: (line: string) => void
}

/** Where no quotas are given: for tests of single parts. */
const unlimited: Quotas = {
  codes: Infinity,
  invitations: Infinity,
  mails: Infinity,
  texts: Infinity,
  uploaded_bytes: Infinity,
  exports: Infinity,
}

const without = (part: string) => () => {
  throw new Error(`this tenancy was opened without ${part}`)
}
const withoutCodes = without('voucher codes')
const noCodes: CodesOfCustomer = () => ({
  fingerprintOf: withoutCodes,
  seal: withoutCodes,
  open: withoutCodes,
  arePlain: false,
})
const noMessages: MessagesOfCustomer = () => ({ close: without('messages'), open: without('messages') })

const ended = 'This transaction has ended: what is read or written after it needs one of its own.'

function workOf({ principal: { kind } }: Caller, mode: Mode) {
  if (kind === 'job') return 'jobs'
  if (kind === 'gateway' || kind === 'guest') return 'radius'
  return mode === 'write' ? 'writes' : 'reads'
}

/**
 * Locks by which rows stay where they are while several statements read them are taken in the database, and hold nothing up in a
 * replica: all statements of a transaction there see the same moment.
 */
const begins = { read: 'begin read only', write: 'begin', replica: 'begin isolation level repeatable read, read only' }

/**
 * What gateways ask is planned once for each connection: PostgreSQL would plan statements about a list again for the length of each,
 * which takes longer than they do.
 */
const keeps_plans = '; set local plan_cache_mode = force_generic_plan'

/** Statements that are sent without waiting for one another leave in one write. A write each costs more than many a statement. */
function gather(client: pg.PoolClient) {
  const { stream } = (client as pg.PoolClient & { connection: pg.Connection }).connection
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** One transaction on a connection taken from the pool. It begins with its first statement. */
class Transaction {
  #client: pg.PoolClient | undefined
  readonly #opening: string
  readonly #statement: ReturnType<typeof statementsOf>
  begun: Promise<unknown> | undefined
  constructor(client: pg.PoolClient, statement: ReturnType<typeof statementsOf>, caller: Caller, begin: string) {
    this.#client = client
    this.#statement = statement
    const ahead = clockAhead()
    const clock = ahead === null ? '' : `; set local app.clock_ahead = '${ahead}'`
    const trial = caller.trial_id === undefined ? '' : `; set local app.trial_id = '${Math.trunc(caller.trial_id)}'`
    const plans = caller.principal.kind === 'gateway' ? keeps_plans : ''
    this.#opening = `${begin}${plans}; set local app.customer_id = '${Math.trunc(caller.customer_id)}'${clock}${trial}`
  }
  get open() {
    return this.#client !== undefined
  }
  /** Checks and sends in one go, so that nothing can end the transaction in between. */
  query<R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult<R>> {
    if (!this.#client) throw new Error(ended)
    gather(this.#client)
    if (!this.begun) {
      // Sent without waiting: it travels with the first statement, in one round trip.
      this.begun = this.#client.query(this.#opening)
      this.begun.catch(() => {})
    }
    return this.#client.query<R>(this.#statement(text, values))
  }
  /** A statement that is a transaction by itself and sets its own customer. Only before any other statement. */
  queryAlone<R extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<pg.QueryResult<R>> {
    if (!this.#client || this.begun) throw new Error(ended)
    return this.#client.query<R>(this.#statement(text, values))
  }
  end() {
    this.#client = undefined
  }
}
const transactions = new AsyncLocalStorage<Transaction>()
/** Work that waits for others must not hold a connection meanwhile. */
export const isInTransaction = () => transactions.getStore()?.open ?? false

export function openTenancy(
  { appUrl, authUrl, readUrl }: Pick<LoginUrls, 'appUrl' | 'authUrl' | 'readUrl'>,
  {
    firstWall = true,
    turns = openTurns(),
    pools = usual_pools,
    quotas = unlimited,
    codes = noCodes,
    messages = noMessages,
    log = () => {},
    ...options
  }: TenancyOptions = {},
): Tenancy {
  const pool = openPool(appUrl, { connections_max: pools.main, ...options })
  const statement = statementsOf(appUrl)
  const doors = openDoors(authUrl, { connections_max: pools.before, ...options })
  const replica = readUrl
    ? openReplica({ connections_max: pools.replica, ...options, url: readUrl, database: pool, log })
    : null
  const sealedOf = ({ customer_id }: Caller) => ({ codes: codes(customer_id), messages: messages(customer_id) })
  const takeTurn = (caller: Caller, mode: Mode) => {
    return turns[workOf(caller, mode)].take(String(caller.customer_id), principalKey(caller))
  }
  async function within<R>(client: pg.PoolClient, caller: Caller, begin: string, work: (scope: Scope) => Promise<R>) {
    const transaction = new Transaction(client, statement, caller, begin)
    let broken: Error | undefined
    try {
      const result = await transactions.run(transaction, () =>
        work(scopeOf(transaction, { ...caller, quotas, ...sealedOf(caller) }, firstWall)),
      )
      transaction.end()
      if (transaction.begun) {
        await transaction.begun
        const { command } = await client.query('commit')
        // A commit after an error that was swallowed silently rolls back. What is acknowledged must be stored.
        if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
      }
      return result
    } catch (error) {
      transaction.end()
      // A server that does not answer would not answer this, either, and one that takes no writes any more is to be left: the next
      // connection goes to the one that does.
      if (error instanceof Error && isOfLostDatabase(error)) broken = error
      else if (transaction.begun) await client.query('rollback').catch((lost: Error) => (broken = lost))
      throw error
    } finally {
      client.release(broken)
    }
  }

  return {
    async enter(caller, mode, work) {
      if (isInTransaction()) throw new Error('A transaction is open already: end it first.')
      using _turn = await takeTurn(caller, mode)
      const copy = mode === 'report' ? await replica?.connect() : null
      if (copy)
        try {
          return await within(copy, caller, begins.replica, work)
        } catch (error) {
          if (!replica?.failed(error)) throw error
        }
      // Awaited here: the turn lasts as long as the work.
      return await within(await pool.connect(), caller, mode === 'write' ? begins.write : begins.read, work)
    },
    callFunction: doors.callFunction,
    async execute(text, values) {
      const transaction = transactions.getStore()
      return transaction ? transaction.query(text, values) : pool.query(text, values)
    },
    connections: () => ({
      main: connectionsOf(pool),
      before: doors.connections(),
      ...(replica && { replica: connectionsOf(replica.pool) }),
    }),
    functions: async () => (await Promise.all([callableFunctions(pool), doors.functions()])).flat(),
    readsReplica: () => replica?.isUsed() ?? null,
    replicaBehind_s: async () => (await replica?.behind_s()) ?? null,
    ping: doors.ping,
    close: async () => void (await Promise.all([pool.end(), doors.close(), replica?.pool.end()])),
  }
}

type ScopeCaller = Caller & Pick<Scope, 'quotas' | 'codes' | 'messages'>
function scopeOf(transaction: Transaction, caller: ScopeCaller, firstWall: boolean): Scope {
  const inReach = (table: TenantTable, alias: string): Condition =>
    firstWall ? withinReach(caller.customer_id, caller.reach, table, alias) : sql`true`
  const present = (table: TenantTable, alias: string): Condition =>
    sql`(${inReach(table, alias)} and ${notDeleted(caller.customer_id, table, alias)})`
  const reachableIds = (target: RefTarget, ids: number[]) =>
    sql`select ${target}::text as target, r.id from ${sql.table(target)} as r
      where r.id ${among(ids)} and ${isTenantTable(target) ? present(target, 'r') : sql`true`}`

  async function run<R>(query: RawBuilder<R>): Promise<R[]> {
    const { sql: text, parameters } = query.compile(compiler)
    const { rows } = await transaction.query<R & pg.QueryResultRow>(text, parameters)
    return rows
  }

  const inOrder = (table: TenantTable, where: Condition) => sql<{ id: number }>`
    select t.id from ${sql.table(table)} as t where ${where} and ${present(table, 't')} order by t.id for no key update`

  /** Sets the customer for the row security of the statement: the rest depends on that row, so it is read after it. */
  const withCustomer = <R>(query: RawBuilder<R>) => sql<R>`
    with customer as materialized (
      select set_config('app.customer_id', ${String(Math.trunc(caller.customer_id))}, true) as id${withClock()}${withTrial()})
    select answer.* from customer, lateral (select * from (${query}) as q where customer.id is not null offset 0) as answer`

  const withClock = () => {
    const ahead = clockAhead()
    return ahead === null ? sql`` : sql`, set_config('app.clock_ahead', ${ahead}, true)`
  }

  const withTrial = () =>
    caller.trial_id === undefined
      ? sql``
      : sql`, set_config('app.trial_id', ${String(Math.trunc(caller.trial_id))}, true)`

  const scope: Omit<Scope, typeof made> = {
    ...caller,
    inReach(table, alias) {
      if (!transaction.open) throw new Error(ended)
      return present(table, alias)
    },
    everInReach(table, alias) {
      if (!transaction.open) throw new Error(ended)
      return inReach(table, alias)
    },
    async insert(table, values) {
      const [row] = await run(
        sql<{ id: number }>`${insertInto(table, [{ customer_id: caller.customer_id, ...values }])} returning id`,
      )
      if (!row) throw new Error(`inserting into ${table} gave no row`)
      return row.id
    },
    async insertMany(table, rows) {
      if (rows.length === 0) return
      await run(
        insertInto(
          table,
          rows.map((row) => ({ customer_id: caller.customer_id, ...row })),
        ),
      )
    },
    async lock(table, where) {
      const rows = await run(inOrder(table, where))
      return rows.map((row) => row.id)
    },
    async change(table, which, values) {
      const isOfIds = 'length' in which
      if (isOfIds && which.length === 0) return []
      const held = inOrder(table, isOfIds ? sql`t.id = any(${which})` : which)
      const rows = await run(sql<{ id: number }>`
        update ${sql.table(table)} as t set ${sql.join(given(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))}
        where ${inReach(table, 't')} and t.id = any(array(${held})) returning t.id`)
      return rows.map((row) => row.id)
    },
    async unlink(table, where) {
      const conditions = given(where).map(([name, value]) =>
        Array.isArray(value) ? sql`t.${sql.ref(name)} = any(${value})` : sql`t.${sql.ref(name)} = ${value}`,
      )
      await run(
        sql`delete from ${sql.table(table)} as t where ${sql.join([inReach(table, 't'), ...conditions], sql` and `)}`,
      )
    },
    async unreachable(refs) {
      const byTarget = Map.groupBy(refs, (found) => found.target)
      if (byTarget.size === 0) return []
      const parts = [...byTarget].map(([target, found]) => reachableIds(target, [...new Set(found.map((r) => r.id))]))
      const rows = await run(sql<{ target: string; id: number }>`${sql.join(parts, sql` union all `)}`)
      const reachable = new Set(rows.map((row) => `${row.target} ${row.id}`))
      return refs.filter((found) => !reachable.has(`${found.target} ${found.id}`))
    },
    async search(table, needle, rows_max) {
      const rows = await run(sql<{ id: number }>`select search_ids(${table}, ${needle}, ${rows_max}) as id`)
      return rows.map((row) => row.id)
    },
    run,
    async read<R>(query: RawBuilder<R>) {
      if (transaction.begun) return run(query)
      const { sql: text, parameters } = withCustomer(query).compile(compiler)
      const { rows } = await transaction.queryAlone<pg.QueryResultRow>(text, parameters)
      return rows as R[]
    },
  }
  // The mark exists for the compiler alone: no other file can make a scope.
  return scope as Scope
}

/** Values that are undefined are left out. */
const given = (values: Record<string, unknown>) => Object.entries(values).filter(([, value]) => value !== undefined)

/** Columns that a row does not give get their default. */
function insertInto(table: TenantTable, rows: Record<string, unknown>[]) {
  const columns = [...new Set(rows.flatMap((row) => given(row).map(([name]) => name)))]
  const valuesOf = (row: Record<string, unknown>) =>
    sql`(${sql.join(columns.map((name) => (row[name] === undefined ? sql`default` : sql`${row[name]}`)))})`
  return sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    values ${sql.join(rows.map(valuesOf))}`
}
