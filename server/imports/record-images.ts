// Record images: the state of each record before and after an import, so that the import can be undone.
import { sql, type RawBuilder } from 'kysely'
import { constants } from '#contract/constants.ts'
import type { Scope } from '#server/access/tenancy.ts'

/** The tables whose records an import makes or overwrites. */
export type KeptTable = 'accounts' | 'devices' | 'rooms' | 'room_guests'

/** The former values of an overwritten record, for the columns that the import writes. */
export type Image = Record<string, unknown>
export interface KeptRecord {
  id: number
  /** Null: the import made it. */
  before: Image | null
}

/** From now on. */
export const undoUntil = sql`now() + make_interval(hours => ${constants.import.undo_hours})`

/** Columns derived from other records or columns, which change without anybody changing the record. */
const derived = ['search', 'status', 'occupants', 'occupancy', 'room_number']
/** For rooms, the days are those of their guests. */
const derivedOf = (table: KeptTable) =>
  table === 'rooms'
    ? [...derived, 'arrives_on', 'departs_on']
    : table === 'room_guests'
      ? [...derived, 'stay_id']
      : derived

/** A value about the password, which is in a table of its own, for a select over the accounts `t`. */
const ofPassword = (value: RawBuilder<unknown>) => sql`
  (select ${value} from account_passwords as p where p.customer_id = t.customer_id and p.account_id = t.id)`
const passwordOf = (table: KeptTable) =>
  table === 'accounts'
    ? sql`jsonb_build_object('sealed_password', ${ofPassword(sql`encode(p.sealed_password, 'base64')`)},
        'password_set_at', ${ofPassword(sql`p.created_at`)})`
    : sql`'{}'`

/**
 * A digest of everything in the record `t` that a user could change. For the password it uses the time when it was set, because
 * passwords are sealed again with a new key without having changed.
 */
export const digestOf = (table: KeptTable): RawBuilder<Buffer> =>
  sql`sha256(convert_to(((to_jsonb(t) - ${derivedOf(table)}::text[]) || ${passwordOf(table)}::jsonb - 'sealed_password')::text, 'UTF8'))`

/**
 * The beginning of a statement with these records as `t`, read once and then joined. In the transaction that makes many records, the
 * database has no statistics about them yet, assumes that any index is as good as that of the ids, and would read a whole index for
 * each joined row.
 */
export const withRecords = (scope: Scope, table: KeptTable, ids: readonly number[]) => sql`
  with t as materialized (
    select t.* from ${sql.table(table)} as t where t.id = any(${ids}) and ${scope.inReach(table, 't')})`

/** Locks these records until the transaction ends. */
export const lockRecords = (scope: Scope, table: KeptTable, ids: readonly number[]) =>
  scope.run(sql`
    select from ${sql.table(table)} as t where t.id = any(${ids}) and ${scope.inReach(table, 't')} order by t.id for update`)

/** The values of these columns of each record. The records are locked first, so that they do not change. */
export async function imagesOf(
  scope: Scope,
  { table, columns }: { table: KeptTable; columns: readonly string[] },
  ids: readonly number[],
): Promise<Map<number, Image>> {
  if (ids.length === 0) return new Map()
  await lockRecords(scope, table, ids)
  const fields = sql.join(columns.map((name) => sql`${sql.lit(name)}, ${sql.ref(`t.${name}`)}`))
  const rows = await scope.run(sql<{ id: number; image: Image }>`
    select t.id, jsonb_build_object(${fields}) || ${passwordOf(table)}::jsonb as image
    from ${sql.table(table)} as t where t.id = any(${ids}) and ${scope.inReach(table, 't')}`)
  return new Map(rows.map(({ id, image }) => [id, image]))
}

/** The records with these ids, as `t`, that an import has removed: deleted, at properties in reach. */
export const withRemoved = (scope: Scope, table: KeptTable, ids: readonly number[]) => sql`
  with t as materialized (
    select t.* from ${sql.table(table)} as t
    join properties as p on p.customer_id = t.customer_id and p.id = t.property_id and ${scope.inReach('properties', 'p')}
    where t.id = any(${ids}) and t.deleted_at is not null)`

/** Deletes records and keeps a row for each, so that they can be restored. */
export async function removeAndKeep(scope: Scope, import_id: number, table: KeptTable, ids: readonly number[]) {
  const removed = await scope.change(table, ids, { deleted_at: sql`now()` })
  await scope.run(sql`
    ${withRemoved(scope, table, removed)}
    insert into import_rows (import_id, record_table, record_id, before, removed, left_as)
    select ${import_id}::integer, ${table}, t.id, '{}', true, ${digestOf(table)} from t`)
}

/** Stores the former values of records and a digest of their present state. If a record is written twice, the first values are kept. */
export async function storeImages(scope: Scope, import_id: number, table: KeptTable, records: readonly KeptRecord[]) {
  if (records.length === 0) return
  const former = records.map(({ id, before }) => ({ id, before }))
  await scope.run(sql`
    ${withRecords(
      scope,
      table,
      records.map(({ id }) => id),
    )}
    insert into import_rows (import_id, record_table, record_id, before, left_as)
    select ${import_id}::integer, ${table}, t.id, r.before, ${digestOf(table)}
    from json_to_recordset(${JSON.stringify(former)}) as r(id integer, before jsonb)
    join t on t.id = r.id
    on conflict (customer_id, import_id, record_table, record_id) do update set left_as = excluded.left_as`)
}
