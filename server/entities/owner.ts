// Owner: the owner of a record, as SQL over its row `t`, and the columns that are set when one is created.
import { sql } from 'kysely'
import { selectedInvalid } from '#contract/errors.ts'
import type { OwnerType } from '#contract/shapes.ts'
import { forbidden, invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'

/**
 * For a table with `group_id`, `property_id` and the column of a package, if packages own any, of which at most one is set; if none is,
 * the record belongs to the customer.
 */
export const ownerColumnsIn = (package_column: 'package_id' | 'owner_package_id' | null) => {
  const package_id = package_column === null ? sql`null::integer` : sql.ref(`t.${package_column}`)
  return {
    type: sql`case when t.property_id is not null then 'Property' when t.group_id is not null then 'Group'
      when ${package_id} is not null then 'Package' else 'Customer' end`,
    id: sql`coalesce(t.property_id, t.group_id, ${package_id}, t.customer_id)`,
    name: sql`coalesce(
      (select p.name || case when p.deleted_at is null then '' else ' (property removed)' end
        from properties as p where p.customer_id = t.customer_id and p.id = t.property_id),
      (select g.name || case when g.deleted_at is null then '' else ' (group removed)' end
        from groups as g where g.customer_id = t.customer_id and g.id = t.group_id),
      (select p.name from packages as p where p.customer_id = t.customer_id and p.id = ${package_id}),
      (select c.name from customers as c where c.id = t.customer_id))`,
    removed: sql`(
      exists (select from properties as p
        where p.customer_id = t.customer_id and p.id = t.property_id and p.deleted_at is not null)
      or exists (select from groups as g
        where g.customer_id = t.customer_id and g.id = t.group_id and g.deleted_at is not null))`,
  }
}
export const owner = ownerColumnsIn('package_id')

interface OwnerInput {
  owner_type?: OwnerType | null | undefined
  owner_id?: number | null | undefined
}
interface PlaceColumns {
  group_id?: number
  property_id?: number
}
interface OwnerColumns extends PlaceColumns {
  owner_package_id?: number
}

/**
 * The columns of the owner asked for, by default the caller's own. Callers cannot create records above their own level. A
 * package owns only records with a column for it, and packages belong to the customer.
 */
export async function ownerColumns(scope: Scope, input: OwnerInput): Promise<PlaceColumns>
export async function ownerColumns(
  scope: Scope,
  input: OwnerInput,
  package_column: 'owner_package_id',
): Promise<OwnerColumns>
export async function ownerColumns(
  scope: Scope,
  { owner_type, owner_id }: OwnerInput,
  package_column?: 'owner_package_id',
): Promise<OwnerColumns> {
  const type = owner_type ?? scope.owner.owner_type
  const id = owner_id ?? (type === scope.owner.owner_type ? scope.owner.owner_id : null)
  if (type === 'Package' && !package_column) throw invalid({ owner_type: [selectedInvalid('owner_type')] })
  if (type === 'Package' && scope.owner.owner_type !== 'Customer') throw forbidden()
  if (type === 'Customer') {
    if (scope.owner.owner_type !== 'Customer') throw forbidden()
    if (id !== scope.customer_id) throw invalid({ owner_id: [selectedInvalid('owner_id')] })
    return {}
  }
  const target = ({ Group: 'groups', Property: 'properties', Package: 'packages' } as const)[type]
  if (id === null || (await scope.unreachable([{ target, id, field: 'owner_id' }])).length > 0)
    throw invalid({ owner_id: [selectedInvalid('owner_id')] })
  if (type === 'Package') return { owner_package_id: id }
  return type === 'Group' ? { group_id: id } : { property_id: id }
}

/** Users of a group create records only in their group. */
export const placedInGroup = <I extends { group_id?: number | null | undefined }>(scope: Scope, input: I): I =>
  scope.owner.owner_type === 'Group' && input.group_id == null ? { ...input, group_id: scope.owner.owner_id } : input
