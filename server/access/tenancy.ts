// Tenancy: the one place that knows whose each row is, and the only way to the database.
//
// Three walls stand between customers. This file is the first: a `Scope` is made here alone, and everything read or
// written goes through it. The second is row security on `customer_id`, which `enter` sets at the start of each
// transaction. The third is the composite keys of the migrations. Groups and properties of one customer are kept
// apart by the first wall only.
import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { RawBuilder, ReferenceExpression, SelectQueryBuilder } from 'kysely'
import type pg from 'pg'
import type { Can } from '#contract/permissions.ts'
import type { FoundRef } from '#contract/refs.ts'
import type { RefTarget } from '#contract/shapes.ts'
import type { DB } from '#server/db/tables.ts'
import { openPool, type PoolOptions } from '#server/db/connect.ts'

/** Tables that are the same for everybody and only ever read. */
export const lookupTables = [
  'account_types', 'auth_methods', 'connectivity_types', 'countries', 'frequency_types', 'gateway_types', 'portal_fonts',
  'portal_layouts', 'portal_types', 'property_interface_types', 'property_types', 'user_types',
] as const // prettier-ignore
export type LookupTable = (typeof lookupTables)[number]

/** Tables that only the functions of migration 0020 read: they are looked at before a customer is known. */
type UnscopedTable = 'customers' | 'logins' | 'sessions' | 'password_resets' | 'rate_limits' | 'mac_category_templates'
export type TenantTable = Exclude<keyof DB, LookupTable | UnscopedTable>

export interface Owner {
  owner_type: 'Customer' | 'Group' | 'Property'
  owner_id: number
}

/** Who asks, as a door found them. */
export interface Caller {
  customer_id: number
  owner: Owner
  can: Can
  /** Null for the product itself: jobs. */
  user: { id: number; name: string; email: string; user_type_id: number } | null
  ip: string | null
}

type Condition = RawBuilder<boolean>
type Rule = (owner_id: number, alias: string) => Condition
interface Reach {
  Group: Rule
  Property: Rule
}

// The rules, in the words of the table below.
const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`)
const all: Rule = () => sql`true`
const nobody: Rule = () => sql`false`
const is =
  (name: string): Rule =>
  (owner_id, alias) =>
    sql`${column(alias, name)} = ${owner_id}`
const either =
  (...rules: Rule[]): Rule =>
  (owner_id, alias) =>
    sql`(${sql.join(
      rules.map((rule) => rule(owner_id, alias)),
      sql` or `,
    )})`
const shared =
  (name: string): Rule =>
  (_, alias) =>
    sql`${column(alias, name)} is null`
/** The row's parent is in reach. */
const through = (name: string, parent: TenantTable): Reach => ({
  Group: inside(name, parent, 'Group'),
  Property: inside(name, parent, 'Property'),
})
const inside =
  (name: string, parent: TenantTable, owner: 'Group' | 'Property'): Rule =>
  (owner_id, alias) =>
    sql`${column(alias, name)} in (select parent.id from ${sql.table(parent)} as parent where parent.customer_id = ${column(alias, 'customer_id')} and ${reach[parent][owner](owner_id, 'parent')})`
const ofProperty: Reach = { Group: inside('property_id', 'properties', 'Group'), Property: is('property_id') }
const ownedBelow: Reach = {
  Group: either(is('group_id'), inside('property_id', 'properties', 'Group')),
  Property: is('property_id'),
}

/** The voucher's batch is the property's own, or its group's without being another property's. */
const goodIn: Rule = (owner_id, alias) => sql`
  ${column(alias, 'voucher_batch_id')} in (select parent.id from voucher_batches as parent
    where parent.customer_id = ${column(alias, 'customer_id')} and (parent.property_id = ${owner_id} or parent.property_id is null
      and parent.group_id = (select own.group_id from properties as own where own.customer_id = ${column(alias, 'customer_id')} and own.id = ${owner_id})))`

const customersOnly: Reach = { Group: nobody, Property: nobody }
const everyones: Reach = { Group: all, Property: all }

/**
 * The whole law of who sees what inside one customer. Its own users see all of its rows; those of a group and of a
 * property see what stands here. A table that is missing does not compile, so it cannot be read at all.
 */
const reach: Record<TenantTable, Reach> = {
  access_passes: through('gateway_id', 'gateways'),
  account_passwords: through('account_id', 'accounts'),
  accounting_contacts: everyones,
  accounting_integrations: ownedBelow,
  accounts: ofProperty,
  activity: ownedBelow,
  api_key_secrets: through('api_key_id', 'api_keys'),
  api_keys: ownedBelow,
  billing_invoices: customersOnly,
  billing_lines: ofProperty,
  billing_runs: customersOnly,
  collection_properties: through('property_id', 'properties'),
  collection_users: through('collection_id', 'collections'),
  collections: customersOnly,
  consent_records: ofProperty,
  devices: ofProperty,
  files: everyones,
  gateway_secrets: through('gateway_id', 'gateways'),
  gateways: ofProperty,
  groups: { Group: is('id'), Property: nobody },
  guest_devices: customersOnly,
  guests: ofProperty,
  idempotency_keys: everyones,
  imports: ofProperty,
  integration_tokens: customersOnly,
  invitations: through('user_id', 'users'),
  mac_categories: everyones,
  marketing_integrations: ownedBelow,
  oauth_states: through('user_id', 'users'),
  occupancy_nights: ofProperty,
  one_time_codes: ofProperty,
  outbox_mails: customersOnly,
  packages: everyones,
  portal_files: through('portal_id', 'portals'),
  portal_footers: everyones,
  portals: {
    Group: either(is('group_id'), shared('group_id')),
    Property: either(
      shared('group_id'),
      (owner_id, alias) =>
        sql`${column(alias, 'id')} = (select own.portal_id from properties as own where own.id = ${owner_id})`,
    ),
  },
  properties: { Group: is('group_id'), Property: is('id') },
  property_holidays: ofProperty,
  property_interface_secrets: through('property_interface_id', 'property_interfaces'),
  property_interfaces: ownedBelow,
  radius_authorisations: ofProperty,
  radius_sessions: ofProperty,
  report_runs: through('user_id', 'users'),
  reports: ownedBelow,
  roles: everyones,
  room_guests: through('room_id', 'rooms'),
  rooms: ofProperty,
  scheduled_reports: through('report_id', 'reports'),
  session_days: ofProperty,
  team_users: through('team_id', 'teams'),
  teams: ownedBelow,
  usage_periods: customersOnly,
  users: ownedBelow,
  voucher_batch_passwords: through('voucher_batch_id', 'voucher_batches'),
  voucher_batches: ownedBelow,
  // A property's desk also tests the codes that are good in its whole group; the batch itself is the group's.
  vouchers: { Group: inside('voucher_batch_id', 'voucher_batches', 'Group'), Property: goodIn },
}

type Deletable = { [T in TenantTable]: 'deleted_at' extends keyof DB[T] ? T : never }[TenantTable]
/** The records that deletion only marks. The compiler keeps this list equal to the tables that have `deleted_at`. */
const deletable: Record<Deletable, true> = {
  accounting_contacts: true,
  accounting_integrations: true,
  accounts: true,
  api_keys: true,
  billing_runs: true,
  collections: true,
  devices: true,
  files: true,
  gateways: true,
  groups: true,
  guests: true,
  mac_categories: true,
  marketing_integrations: true,
  packages: true,
  portal_footers: true,
  portals: true,
  properties: true,
  property_interfaces: true,
  reports: true,
  roles: true,
  room_guests: true,
  rooms: true,
  scheduled_reports: true,
  teams: true,
  users: true,
  voucher_batches: true,
}

/**
 * What goes with its property: out of reach as soon as that is removed, while a job (server/jobs/removal.ts) still marks it
 * row by row. Nearly always no property is being removed, and the list that each row is held against is empty.
 */
const goWithProperty: ReadonlySet<TenantTable> = new Set(['accounts', 'devices', 'rooms', 'voucher_batches'])
const notBeingRemoved = (customer_id: number, alias: string) => sql`
  (${column(alias, 'property_id')} = any (array(select gone.id from properties as gone
    where gone.customer_id = ${customer_id} and gone.deleted_at is not null and gone.dependents_removed_at is null))) is not true`

declare const made: unique symbol

/** A door's finding inside one transaction. Only `enter` makes one. */
export interface Scope extends Caller {
  readonly [made]: true
  lookup<T extends LookupTable>(table: T): SelectQueryBuilder<DB, T, object>
  /** The rows of a table that are in reach and not deleted, as a condition on its alias. */
  inReach(table: TenantTable, alias: string): Condition
  /** Writes one row, stamped with the customer; answers its id. */
  insert(table: TenantTable, values: Record<string, unknown>): Promise<number>
  insertMany(table: TenantTable, rows: Record<string, unknown>[]): Promise<void>
  /** Changes those of `ids` that are in reach; answers the ids changed. */
  change(table: TenantTable, ids: readonly number[], values: Record<string, unknown>): Promise<number[]>
  /** Takes rows of a join table away for good. */
  unlink(table: TenantTable, where: Record<string, unknown>): Promise<void>
  /** The references that are absent, deleted or out of reach. */
  unreachable(refs: readonly FoundRef[]): Promise<FoundRef[]>
  /** Ids of the newest rows whose text holds `needle`, in reach of row security only: narrow further with `inReach`. */
  search(table: TenantTable, needle: string, rows_max: number): Promise<number[]>
  /** Runs SQL that these words cannot say. Every table in it must be narrowed with `inReach`. */
  run<R>(query: RawBuilder<R>): Promise<R[]>
}

export interface Tenancy {
  /** One transaction on behalf of a caller. `read` makes it read-only. */
  enter<R>(caller: Caller, mode: 'read' | 'write', work: (scope: Scope) => Promise<R>): Promise<R>
  /** Asks one of the doors of the database: a function of migration 0020. */
  door<R>(call: RawBuilder<R>): Promise<R[]>
  /** Hands work to a library that brings its own SQL (the job queue), inside the current transaction if there is one. */
  current(): Kysely<DB>
  ping(): Promise<void>
  close(): Promise<void>
}

export interface TenancyOptions extends PoolOptions {
  /** False only in the test that proves the second wall by taking the first away. */
  firstWall?: boolean
}

const transactions = new AsyncLocalStorage<Kysely<DB>>()

export function openTenancy(appUrl: string, { firstWall = true, ...options }: TenancyOptions = {}): Tenancy {
  const pool = openPool(appUrl, options)
  const shared = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })

  return {
    async enter(caller, mode, work) {
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        // Sent without waiting: it travels with the first query, in one round trip.
        const opening = client.query(
          `begin ${mode === 'read' ? 'read only' : ''}; set local app.customer_id = '${Math.trunc(caller.customer_id)}'`,
        )
        opening.catch(() => {})
        const db = kyselyOf(client)
        const result = await transactions.run(db, () => work(scopeOf(db, caller, firstWall)))
        await opening
        const { command } = await client.query('commit')
        // A commit after an error that somebody swallowed rolls back without a word. What is acknowledged must be stored.
        if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
        return result
      } catch (error) {
        await client.query('rollback').catch((lost: Error) => (broken = lost))
        throw error
      } finally {
        client.release(broken)
      }
    },
    door: async (call) => (await call.execute(shared)).rows,
    current: () => transactions.getStore() ?? shared,
    ping: async () => void (await pool.query('select 1')),
    close: () => pool.end(),
  }
}

const known = new WeakMap<pg.PoolClient, Kysely<DB>>()
/** A query builder on one connection of the pool; the transaction on it is ours, not Kysely's. */
function kyselyOf(client: pg.PoolClient): Kysely<DB> {
  const former = known.get(client)
  if (former) return former
  const held = { query: client.query.bind(client), release: () => {} }
  const pool = { connect: async () => held, end: async () => {} } as unknown as pg.Pool
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  known.set(client, db)
  return db
}

function scopeOf(db: Kysely<DB>, caller: Caller, firstWall: boolean): Scope {
  const inReach = (table: TenantTable, alias: string): Condition => {
    if (!firstWall) return sql`true`
    const ofCustomer = sql<boolean>`${column(alias, 'customer_id')} = ${caller.customer_id}`
    const { owner_type, owner_id } = caller.owner
    return owner_type === 'Customer'
      ? ofCustomer
      : sql`(${ofCustomer} and ${reach[table][owner_type](owner_id, alias)})`
  }
  const present = (table: TenantTable, alias: string): Condition =>
    table in deletable
      ? sql`(${inReach(table, alias)} and ${column(alias, 'deleted_at')} is null${
          goWithProperty.has(table) ? sql` and ${notBeingRemoved(caller.customer_id, alias)}` : sql``
        })`
      : inReach(table, alias)
  const reachableIds = (target: RefTarget, ids: number[]) =>
    (lookupTables as readonly string[]).includes(target)
      ? sql`select ${target}::text as target, r.id from ${sql.table(target)} as r where r.id = any(${ids})`
      : sql`select ${target}::text as target, r.id from ${sql.table(target)} as r where r.id = any(${ids}) and ${present(target as TenantTable, 'r')}`
  const run = async <R>(query: RawBuilder<R>) => (await query.execute(db)).rows

  const scope: Omit<Scope, typeof made> = {
    ...caller,
    lookup: (table) => db.selectFrom(table as never),
    inReach: present,
    async insert(table, values) {
      const row = { customer_id: caller.customer_id, ...values }
      const made = await db
        .insertInto(table)
        .values(row as never)
        .returning('id' as never)
        .executeTakeFirstOrThrow()
      return (made as { id: number }).id
    },
    async insertMany(table, rows) {
      if (rows.length === 0) return
      const stamped = rows.map((row) => ({ customer_id: caller.customer_id, ...row }))
      await db.insertInto(table).values(stamped).execute()
    },
    async change(table, ids, values) {
      if (ids.length === 0) return []
      const rows = await db
        .updateTable(`${table} as t` as never)
        .set(values as never)
        .where(sql<boolean>`t.id = any(${ids})`)
        .where(present(table, 't'))
        .returning('t.id' as never)
        .execute()
      return (rows as { id: number }[]).map((row) => row.id)
    },
    async unlink(table, where) {
      let query = db.deleteFrom(`${table} as t` as never).where(inReach(table, 't')) as unknown as {
        where(name: ReferenceExpression<DB, never>, operator: '=' | 'in', value: unknown): typeof query
        execute(): Promise<unknown>
      }
      for (const [name, value] of Object.entries(where))
        query = query.where(`t.${name}` as never, Array.isArray(value) ? 'in' : '=', value)
      await query.execute()
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
  }
  return scope as Scope
}
