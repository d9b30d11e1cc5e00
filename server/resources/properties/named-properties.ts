// Named properties: setting the properties that refer to a record, such as those of a group.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { logUpdated } from '#server/entities/activity-log.ts'
import { nameOf } from '#server/entities/entity.ts'

const records = { group_id: 'groups', portal_id: 'portals' } as const
/** What the log of a property calls them. */
const fields = { group_id: 'group', portal_id: 'portal' } as const
const properties = { table: 'properties', belongs: { property_id: 'id' } } as const
const groups = { table: 'groups', belongs: { group_id: 'id' } } as const

interface Named {
  id: number
  name: string
}
interface Placed {
  id: number
  of: Named | null
}

/** The record's properties become exactly these; a property of another record moves, and the log of both says so. */
export const setPropertiesBy =
  (column: keyof typeof records) =>
  async (scope: Scope, id: number, property_ids: number[]): Promise<void> => {
    const placed = (which: ReturnType<typeof sql<boolean>>) =>
      scope.run(sql<Placed>`
        select t.id, ${nameOf(records[column], column)} as of from properties as t
        where t.deleted_at is null and ${which} and ${scope.inReach('properties', 't')} order by t.id for no key update`)
    const its = sql<boolean>`${sql.ref(`t.${column}`)} = ${id}`
    const named = sql<boolean>`t.id = any(${property_ids})`
    const before = await placed(sql`(${its}) is distinct from (${named}) and (${its} or ${named})`)
    const left = [...new Set(before.flatMap(({ of }) => (of && of.id !== id ? [of.id] : [])))]
    const groups_before = column === 'group_id' ? await groupsWith(scope, left) : []
    await scope.run(sql`
      update properties as t set ${sql.ref(column)} = case when ${named} then ${id}::integer end
      where (${its} or ${named}) and ${scope.inReach('properties', 't')}`)
    const lines = (rows: Placed[]) => rows.map(({ id: moved, of }) => ({ id: moved, [fields[column]]: of }))
    const after = await placed(sql`t.id = any(${before.map((one) => one.id)})`)
    await logUpdated(scope, properties, lines(before), lines(after))
    if (groups_before.length > 0) await logUpdated(scope, groups, groups_before, await groupsWith(scope, left))
  }

const groupsWith = (scope: Scope, ids: number[]) =>
  scope.run(sql<{ id: number; property_ids: number[] }>`
    select t.id, array(select p.id from properties as p where p.customer_id = t.customer_id and p.group_id = t.id
      and p.deleted_at is null and ${scope.inReach('properties', 'p')} order by p.id) as property_ids
    from groups as t where t.id = any(${ids}) and ${scope.inReach('groups', 't')}`)
