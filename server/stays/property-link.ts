// Property link: the row that an interface's link with its system has, from the first update that is received or the first try to reach it.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'

export const ensureLink = (scope: Scope, interface_id: number) =>
  scope.run(sql`insert into property_links (customer_id, property_interface_id) values (${scope.customer_id}, ${interface_id})
    on conflict do nothing`)
