// Property interfaces: the links to the systems that know who stays where, and their sealed credentials.
import { sql } from 'kysely'
import * as contract from '#contract/property-interfaces.ts'
import type { Seal } from '#server/secrets/seal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { listRows } from '#server/entities/lists.ts'
import { ownerColumns, ownerOf } from '#server/entities/owner.ts'
import { oneRow } from '#server/entities/read.ts'
import { activateRow, createRow, deactivateRow, removeRow, toggleRow, updateRow } from '#server/entities/verbs.ts'
import type { Services } from '#server/services.ts'

/** `package_id` is the package of its accounts; an owning package is in a column of its own. */
const owner = ownerOf('owner_package_id')

const secretFlag = (column: 'has_username' | 'has_password') => sql`coalesce((
  select ${sql.ref(`s.${column}`)} from property_interface_secrets as s
  where s.customer_id = t.customer_id and s.property_interface_id = t.id), false)`

const interfacesOf = (seal: Seal) =>
  entity({
    table: 'property_interfaces',
    row: contract.InterfaceRow,
    detail: contract.Interface,
    computed: {
      name: sql`coalesce(t.name, t.uuid::text)`,
      property_interface_type: sql`(select json_build_object('id', k.id, 'name', k.name)
        from property_interface_types as k where k.id = t.property_interface_type_id)`,
      owner_type: owner.type,
      owner_id: owner.id,
      owner_name: owner.name,
      package: nameOf('packages', 'package_id'),
      // No reach is checked: a caller who reaches an interface reaches all of its properties.
      number_of_properties_with_external_references: sql`(
        select count(*)::integer from properties as p
        where p.customer_id = t.customer_id and p.deleted_at is null and p.external_reference is not null
          and case when t.property_id is not null then p.id = t.property_id
            when t.group_id is not null then p.group_id = t.group_id
            when t.owner_package_id is not null then p.package_id = t.owner_package_id
            else true end)`,
      has_username: secretFlag('has_username'),
      has_password: secretFlag('has_password'),
    },
    filters: {
      owner_type: ({ is }) => is(owner.type),
      group_id: ({ is }) => sql`(${is(sql`t.group_id`)} or t.property_id in (
        select p.id from properties as p where p.customer_id = t.customer_id and ${is(sql`p.group_id`)}))`,
    },
    sealed: {
      by: seal,
      fields: {
        username: 'property_interface_secrets.sealed_username',
        password: 'property_interface_secrets.sealed_password',
      },
    },
    belongs: { group_id: 'group_id', property_id: 'property_id' },
  })

async function typeName(scope: Scope, id: number): Promise<string | undefined> {
  const [type] = await scope.run(sql<{ name: string }>`select name from property_interface_types where id = ${id}`)
  return type?.name
}

export default ({ seal }: Services) => {
  const interfaces = interfacesOf(seal)
  return serve(contract, {
    list: ({ scope, input }) => listRows(scope, interfaces, input),
    get: ({ scope, input }) => oneRow(scope, interfaces, input.id),
    create: async ({ scope, input: { owner_type, owner_id, ...input } }) => {
      const columns = await ownerColumns(scope, { owner_type, owner_id }, 'owner_package_id')
      const name = input.name ?? (await typeName(scope, input.property_interface_type_id)) ?? null
      return createRow(scope, interfaces, { ...input, ...columns, name })
    },
    update: ({ scope, input }) => updateRow(scope, interfaces, input),
    activate: ({ scope, input }) => activateRow(scope, interfaces, input.id),
    deactivate: ({ scope, input }) => deactivateRow(scope, interfaces, input.id),
    toggle: ({ scope, input }) => toggleRow(scope, interfaces, input.id),
    remove: ({ scope, input }) => removeRow(scope, interfaces, input.id),
  })
}
