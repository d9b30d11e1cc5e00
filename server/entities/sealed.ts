// Sealed: fields of a record that are stored sealed, in a table of secrets: no list, answer or log contains them. An entity
// declares them and their columns; the verbs write them, and the log records that one was changed.
import { sql } from 'kysely'
import type { TenantTable } from '#server/access/reach.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn, sealedColumns, type SealedColumnName } from '#server/secrets/sealed-columns.ts'

/** Sealed columns whose rows refer to their record by its id. */
export type OfRecord = {
  [C in SealedColumnName]: (typeof sealedColumns)[C]['row'] extends `${string}_id` ? C : never
}[Exclude<SealedColumnName, 'second_factors.sealed_secret'>]

/** All of an entity's sealed fields are in one table. */
export interface Sealed<Field extends string = string> {
  by: Seal
  fields: Record<Field, OfRecord>
}

/** An absent value stays as it is, null clears it. */
export type Given = Partial<Record<string, string | null | undefined>>

const partsOf = (place: OfRecord) => {
  const [table, column] = place.split('.') as [TenantTable, string]
  return { table, column, row: sealedColumns[place].row }
}
/** A table for one secret and nothing else has no row without it. */
const isAlone = (table: string) =>
  Object.keys(sealedColumns).filter((place) => place.startsWith(`${table}.`)).length === 1

/** Writes what the app may not read again. The record's own row must be locked, so that nobody else writes here. */
export async function writeSealed(scope: Scope, { by, fields }: Sealed, id: number, values: Given): Promise<void> {
  const closed = Object.entries(fields).flatMap(([field, place]) => {
    const value = values[field]
    if (value === undefined) return []
    return [{ ...partsOf(place), value: value === null ? null : by.close(value, placeIn(place, scope, id)) }]
  })
  const [first] = closed
  if (!first) return
  const { table, row } = first
  const columns = Object.fromEntries(closed.map(({ column, value }) => [column, value]))
  const isCleared = closed.every(({ value }) => value === null)
  if (isAlone(table)) await scope.unlink(table, { [row]: id })
  else if ((await scope.change(table, sql<boolean>`${sql.ref(`t.${row}`)} = ${id}`, columns)).length > 0) return
  if (!isCleared) await scope.insert(table, { [row]: id, ...columns })
}

/** The same for many records, by their ids, for a field that is alone in its table. The rows stay, so that an undo finds them. */
export async function writeSealedOfMany<Field extends string>(
  scope: Scope,
  { by, fields }: Sealed<Field>,
  field: Field,
  values: ReadonlyMap<number, string>,
): Promise<void> {
  if (values.size === 0) return
  const place = fields[field]
  const { table, column, row } = partsOf(place)
  const closed = [...values].map(([id, value]) => ({
    id,
    sealed: by.close(value, placeIn(place, scope, id)).toString('base64'),
  }))
  await scope.run(sql`
    insert into ${sql.table(table)} (${sql.ref(row)}, ${sql.ref(column)})
    select r.id, decode(r.sealed, 'base64') from json_to_recordset(${JSON.stringify(closed)}) as r(id integer, sealed text)
    on conflict (customer_id, ${sql.ref(row)})
      do update set ${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}, created_at = now()`)
}

/** For fields that the app may read; null if there is none. The calling code decides who may see it. */
export async function openSealed<Field extends string>(
  scope: Scope,
  { by, fields }: Sealed<Field>,
  field: Field,
  id: number,
): Promise<string | null> {
  const place = fields[field]
  const { table, column, row } = partsOf(place)
  const [kept] = await scope.run(sql<{ sealed: Buffer | null }>`
    select ${sql.ref(`t.${column}`)} as sealed from ${sql.table(table)} as t
    where ${sql.ref(`t.${row}`)} = ${id} and ${scope.inReach(table, 't')}`)
  return kept?.sealed ? by.open(kept.sealed, placeIn(place, scope, id)) : null
}
