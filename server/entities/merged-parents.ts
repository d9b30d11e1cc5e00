// Merged parents: reads the rows of many parents from a long table: the first rows of each parent are read by its index, and then sorted
// together. Scanning the whole table for them takes longer the rarer they are in it.
import { sql } from 'kysely'
import type { TenantTable, Condition } from '#server/access/reach.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { column, type FilterValue, type Merge, type Sql } from '#server/entities/entity.ts'

export interface Parents {
  by: string
  /** A query for their ids. */
  ids: Sql
}

export const isMerge = (filter: unknown): filter is Merge => typeof filter === 'object' && filter !== null

export const parentsOf = ({ customer_id }: Scope, { by, of, where }: Merge, asked: FilterValue): Parents => ({
  by,
  ids: sql`select p.id from ${sql.table(of)} as p where p.customer_id = ${customer_id} and ${where(asked)}`,
})

/** The same as a condition on the row `t`, for a list that is already short. */
export const isOfOne = ({ by, ids }: Parents): Condition => sql`${column(by)} in (${ids})`

/** A query for at most `rows_max` of the rows that match, in no order. */
export function someRows(
  table: TenantTable,
  parents: Parents | undefined,
  what: { columns: Sql; where: Condition; rows_max: number },
) {
  const { columns, where } = what
  const limit = sql.raw(String(what.rows_max))
  if (!parents) return sql`select ${columns} from ${sql.table(table)} as t where ${where} limit ${limit}`
  return sql`
    select part.* from (${parents.ids}) as parent cross join lateral (
      select ${columns} from ${sql.table(table)} as t where ${column(parents.by)} = parent.id and ${where} limit ${limit}
    ) as part limit ${limit}`
}

/** The row is one of the first that match: the first ones of each parent are found, and then the first among them. */
export function isAmongFirst(
  table: TenantTable,
  { by, ids }: Parents,
  { where, order, rows_max }: { where: Condition; order: { by: Sql; direction: Sql }; rows_max: number },
): Condition {
  const limit = sql.raw(String(rows_max))
  const { direction } = order
  return sql`t.id = any(array(
    select part.id from (${ids}) as parent cross join lateral (
      select t.id, ${order.by} as sort_key from ${sql.table(table)} as t where ${column(by)} = parent.id and ${where}
      order by ${order.by} ${direction}, t.id ${direction} limit ${limit}
    ) as part order by part.sort_key ${direction}, part.id ${direction} limit ${limit}))`
}
