// Interfaces: a property's interface as the code that talks with its system needs it.
import { sql } from 'kysely'
import type { Settings } from '#contract/parameters.ts'
import type { Scope } from '#server/access/tenancy.ts'

export interface Interface {
  id: number
  uuid: string
  name: string
  type_id: number
  host: string | null
  port: number | null
  package_id: number | null
  checks_dispute: boolean
  settings: Settings
  /** Null: it is for several properties, or none, so nobody can say where its rooms are. */
  property_id: number | null
}

/** Undefined: it is gone, disabled or out of reach. */
export async function interfaceOf(scope: Scope, id: number): Promise<Interface | undefined> {
  const [found] = await scope.run(sql<Interface>`
    select t.id, t.uuid::text as uuid, coalesce(t.name, t.uuid::text) as name, t.property_interface_type_id as type_id, t.host, t.port,
      t.package_id, t.check_account_in_dispute as checks_dispute, t.settings, ${onlyProperty} as property_id
    from property_interfaces as t where t.id = ${id} and t.active and ${scope.inReach('property_interfaces', 't')}`)
  return found
}

/** What people call the interface that due work `t` is about. */
export const interfaceName = (scope: Scope) => sql`(select coalesce(i.name, i.uuid::text) from property_interfaces as i
  where i.customer_id = t.customer_id and i.id = t.about_id and ${scope.inReach('property_interfaces', 'i')})`

/** The one property that an interface `t` is for. */
export const onlyProperty = sql`coalesce(t.property_id, (
  select min(p.id) from properties as p
  where p.customer_id = t.customer_id and p.deleted_at is null and p.active
    and case when t.group_id is not null then p.group_id = t.group_id
      when t.owner_package_id is not null then p.package_id = t.owner_package_id else true end
  having count(*) = 1))`
