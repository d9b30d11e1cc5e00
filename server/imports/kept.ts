// Kept: what an import found and what it left of each record, so that it can be taken back.
import { sql, type RawBuilder } from 'kysely'
import { constants } from '#contract/constants.ts'
import type { Scope } from '#server/access/tenancy.ts'

/** The tables whose records an import makes or overwrites. */
export type KeptTable = 'accounts' | 'devices' | 'rooms' | 'room_guests'

/** The columns that an import writes, by name: what they held, of a record that it overwrites. */
export type Image = Record<string, unknown>
export interface KeptRecord {
  id: number
  /** Null: the import made it. */
  before: Image | null
}

/** From now on. */
export const undoUntil = sql`now() + make_interval(hours => ${constants.import.undo_hours})`

/** What follows from other records or columns, and changes without anybody changing the record. */
const derived = ['search', 'status', 'occupants', 'occupancy', 'room_number']
/** A room's days are those of its guests. */
const derivedOf = (table: KeptTable) => (table === 'rooms' ? [...derived, 'arrives_on', 'departs_on'] : derived)

/** Of the password, which stands in a table of its own, as a value of a select over the accounts `t`. */
const ofPassword = (value: RawBuilder<unknown>) => sql`
  (select ${value} from account_passwords as p where p.customer_id = t.customer_id and p.account_id = t.id)`
const beside = (table: KeptTable) =>
  table === 'accounts'
    ? sql`jsonb_build_object('sealed_password', ${ofPassword(sql`encode(p.sealed_password, 'base64')`)},
        'password_set_at', ${ofPassword(sql`p.created_at`)})`
    : sql`'{}'`

/**
 * A digest of the record `t`, with all that somebody could change of it. Of the password when it was set: it is sealed
 * anew with another key without having changed.
 */
export const digestOf = (table: KeptTable): RawBuilder<Buffer> =>
  sql`sha256(convert_to(((to_jsonb(t) - ${derivedOf(table)}::text[]) || ${beside(table)}::jsonb - 'sealed_password')::text, 'UTF8'))`

/**
 * The records with these ids, as `t`, to begin a statement with: read once, and joined after that. In the transaction that
 * makes many records the database has not counted them yet, takes each index of the table for as good as that of the ids,
 * and would go through all of one for each row that it joins.
 */
export const withRecords = (scope: Scope, table: KeptTable, ids: readonly number[]) => sql`
  with t as materialized (
    select t.* from ${sql.table(table)} as t where t.id = any(${ids}) and ${scope.inReach(table, 't')})`

/** Until the transaction ends, nobody else changes these records. */
export const lockRecords = (scope: Scope, table: KeptTable, ids: readonly number[]) =>
  scope.run(sql`
    select from ${sql.table(table)} as t where t.id = any(${ids}) and ${scope.inReach(table, 't')} order by t.id for update`)

/** What these columns of each record hold. The records are locked first, so that it stays true. */
export async function imagesOf(
  scope: Scope,
  { table, columns }: { table: KeptTable; columns: readonly string[] },
  ids: readonly number[],
): Promise<Map<number, Image>> {
  if (ids.length === 0) return new Map()
  await lockRecords(scope, table, ids)
  const fields = sql.join(columns.map((name) => sql`${sql.lit(name)}, ${sql.ref(`t.${name}`)}`))
  const rows = await scope.run(sql<{ id: number; image: Image }>`
    select t.id, jsonb_build_object(${fields}) || ${beside(table)}::jsonb as image
    from ${sql.table(table)} as t where t.id = any(${ids}) and ${scope.inReach(table, 't')}`)
  return new Map(rows.map(({ id, image }) => [id, image]))
}

/** The records with these ids, as `t`, that an import took out: deleted, of properties that are in reach. */
export const withRemoved = (scope: Scope, table: KeptTable, ids: readonly number[]) => sql`
  with t as materialized (
    select t.* from ${sql.table(table)} as t
    join properties as p on p.customer_id = t.customer_id and p.id = t.property_id and ${scope.inReach('properties', 'p')}
    where t.id = any(${ids}) and t.deleted_at is not null)`

/** Takes records out as deletion does, and keeps them, so that they can come back. */
export async function removeAndKeep(scope: Scope, import_id: number, table: KeptTable, ids: readonly number[]) {
  const removed = await scope.change(table, ids, { deleted_at: sql`now()` })
  await scope.run(sql`
    ${withRemoved(scope, table, removed)}
    insert into import_rows (import_id, record_table, record_id, before, removed, left_as)
    select ${import_id}::integer, ${table}, t.id, '{}', true, ${digestOf(table)} from t`)
}

/** Keeps what the records held before the import, beside a digest of what they are now. What it wrote twice was the first time. */
export async function keepRecords(scope: Scope, import_id: number, table: KeptTable, records: readonly KeptRecord[]) {
  if (records.length === 0) return
  const told = records.map(({ id, before }) => ({ id, before }))
  await scope.run(sql`
    ${withRecords(
      scope,
      table,
      records.map(({ id }) => id),
    )}
    insert into import_rows (import_id, record_table, record_id, before, left_as)
    select ${import_id}::integer, ${table}, t.id, r.before, ${digestOf(table)}
    from json_to_recordset(${JSON.stringify(told)}) as r(id integer, before jsonb)
    join t on t.id = r.id
    on conflict (customer_id, import_id, record_table, record_id) do update set left_as = excluded.left_as`)
}
