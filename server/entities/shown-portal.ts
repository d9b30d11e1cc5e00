// Shown portal: the one on whose page the guests of a property sign in, if it is to be used at present.
import { sql } from 'kysely'
import type { Condition } from '#server/access/reach.ts'

/** The row `portal` of portals is what guests of the row `property` of properties see: the property's own, while it is active. */
export const isShownAt = (portal: string, property: string): Condition => {
  const [of, at] = [(name: string) => sql.ref(`${portal}.${name}`), (name: string) => sql.ref(`${property}.${name}`)]
  return sql`(${of('customer_id')} = ${at('customer_id')} and ${of('id')} = ${at('portal_id')}
    and ${of('deleted_at')} is null and ${of('status')} = 'active')`
}
