// Named properties: setting the properties that refer to a record, such as those of a group.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'

/** The record's properties become exactly these; a property of another record moves. */
export const setPropertiesBy =
  (column: 'group_id' | 'portal_id') =>
  async (scope: Scope, id: number, property_ids: number[]): Promise<void> => {
    await scope.run(sql`
      update properties as t set ${sql.ref(column)} = case when t.id = any(${property_ids}) then ${id}::integer end
      where (${sql.ref(`t.${column}`)} = ${id} or t.id = any(${property_ids})) and ${scope.inReach('properties', 't')}`)
  }
