// Read: one record in full, for a call or to be changed.
import { sql } from 'kysely'
import { notFound } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { columnsOf, type Entity, type Stored } from '#server/entities/entity.ts'

/** One record in full. A foreign id, a sibling's and an absent one are refused in the same way. */
export async function oneRow<E extends Entity>(scope: Scope, entity: E, id: number): Promise<Stored<E>> {
  const [row] = await scope.run(sql<Stored<E>>`
    select ${columnsOf(scope, entity, entity.detail)} from ${sql.table(entity.table)} as t
    where t.id = ${id} and ${scope.inReach(entity.table, 't')}`)
  if (!row) throw notFound()
  return row
}

/** Several records in full, in the order of their ids. */
export const rowsOf = <E extends Entity>(scope: Scope, entity: E, ids: readonly number[]): Promise<Stored<E>[]> =>
  scope.run(sql<Stored<E>>`
    select ${columnsOf(scope, entity, entity.detail)} from ${sql.table(entity.table)} as t
    where t.id = any(${[...ids]}) and ${scope.inReach(entity.table, 't')} order by t.id`)

/** The present record, locked until the transaction ends, so that two simultaneous changes do not mix. */
export async function lockedRow<E extends Entity>(scope: Scope, entity: E, id: number): Promise<Stored<E>> {
  await scope.run(sql`
    select from ${sql.table(entity.table)} as t where t.id = ${id} and ${scope.inReach(entity.table, 't')} for update`)
  return oneRow(scope, entity, id)
}
