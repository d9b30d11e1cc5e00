// Shown portal: the one on whose page the guests of a property sign in, if it is to be used at present.
import { sql } from 'kysely'
import type { Condition } from '#server/access/reach.ts'

/** The portal that guests of the row `property` of properties are to see: its own, else its group's. */
export const portalOf = (property: string) => sql<number | null>`
  portal_of_property(${sql.ref(`${property}.customer_id`)}, ${sql.ref(`${property}.portal_id`)}, ${sql.ref(`${property}.group_id`)})`

/** The row `portal` of portals is what guests of the row `property` of properties see, while it is active. */
export const isShownAt = (portal: string, property: string): Condition => {
  const of = (name: string) => sql.ref(`${portal}.${name}`)
  return sql`(${of('customer_id')} = ${sql.ref(`${property}.customer_id`)} and ${of('id')} = ${portalOf(property)}
    and ${of('deleted_at')} is null and ${of('status')} = 'active')`
}
