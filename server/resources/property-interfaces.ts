// Property interfaces: the links to the systems that know who stays where, and the credentials that only we keep.
import { sql } from 'kysely'
import * as contract from '#contract/property-interfaces.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { listRows } from '#server/entities/lists.ts'
import { ownerColumns, ownerOf } from '#server/entities/owner.ts'
import { oneRow } from '#server/entities/read.ts'
import { activateRow, createRow, deactivateRow, removeRow, toggleRow, updateRow } from '#server/entities/verbs.ts'
import type { Services } from '#server/services.ts'

/** `package_id` is what its accounts get; the package that it belongs to has a column of its own. */
const owner = ownerOf('owner_package_id')

const kept = (column: 'has_username' | 'has_password') => sql`coalesce((
  select ${sql.ref(`s.${column}`)} from property_interface_secrets as s
  where s.customer_id = t.customer_id and s.property_interface_id = t.id), false)`

const interfaces = entity({
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
    // Whoever reaches an interface reaches all properties that it is for.
    number_of_properties_with_external_references: sql`(
      select count(*)::integer from properties as p
      where p.customer_id = t.customer_id and p.deleted_at is null and p.external_reference is not null
        and case when t.property_id is not null then p.id = t.property_id
          when t.group_id is not null then p.group_id = t.group_id
          when t.owner_package_id is not null then p.package_id = t.owner_package_id
          else true end)`,
    has_username: kept('has_username'),
    has_password: kept('has_password'),
  },
  filters: {
    owner_type: ({ is }) => is(owner.type),
    group_id: ({ is }) => sql`(${is(sql`t.group_id`)} or t.property_id in (
      select p.id from properties as p where p.customer_id = t.customer_id and ${is(sql`p.group_id`)}))`,
  },
  belongs: { group_id: 'group_id', property_id: 'property_id' },
})

interface Credentials {
  username?: string | null | undefined
  password?: string | null | undefined
}
const isGiven = ({ username, password }: Credentials) => username !== undefined || password !== undefined

/** Writes what the app may not read again. What is absent stays, null clears. The interface's row is held. */
async function keep(scope: Scope, seal: Seal, property_interface_id: number, { username, password }: Credentials) {
  const sealed = (column: 'sealed_username' | 'sealed_password', value: string | null | undefined) =>
    value == null
      ? value
      : seal.close(value, placeIn(`property_interface_secrets.${column}`, scope, property_interface_id))
  const values = {
    sealed_username: sealed('sealed_username', username),
    sealed_password: sealed('sealed_password', password),
  }
  const [known] = await scope.run(sql<{ id: number }>`
    select t.id from property_interface_secrets as t
    where t.property_interface_id = ${property_interface_id} and ${scope.inReach('property_interface_secrets', 't')}`)
  if (known) await scope.change('property_interface_secrets', [known.id], { ...values, changed_at: sql`now()` })
  else await scope.insert('property_interface_secrets', { property_interface_id, ...values })
}

async function typeName(scope: Scope, id: number): Promise<string | undefined> {
  const [type] = await scope.run(sql<{ name: string }>`select name from property_interface_types where id = ${id}`)
  return type?.name
}

export default ({ seal }: Services) =>
  serve(contract, {
    list: ({ scope, input }) => listRows(scope, interfaces, input),
    get: ({ scope, input }) => oneRow(scope, interfaces, input.id),
    create: async ({ scope, input: { username, password, owner_type, owner_id, ...input } }) => {
      const columns = await ownerColumns(scope, { owner_type, owner_id }, 'owner_package_id')
      const name = input.name ?? (await typeName(scope, input.property_interface_type_id)) ?? null
      const { id } = await createRow(scope, interfaces, { ...input, ...columns, name })
      if (username != null || password != null) await keep(scope, seal, id, { username, password })
      return oneRow(scope, interfaces, id)
    },
    update: async ({ scope, input: { username, password, ...input } }) => {
      const row = await updateRow(scope, interfaces, input)
      if (!isGiven({ username, password })) return row
      await keep(scope, seal, row.id, { username, password })
      // The log tells that they were changed, and never what they are.
      const after = { credentials_changed: true }
      await logActivity(scope, { action: 'update', entity: interfaces, row, before: null, after })
      return oneRow(scope, interfaces, row.id)
    },
    activate: ({ scope, input }) => activateRow(scope, interfaces, input.id),
    deactivate: ({ scope, input }) => deactivateRow(scope, interfaces, input.id),
    toggle: ({ scope, input }) => toggleRow(scope, interfaces, input.id),
    remove: ({ scope, input }) => removeRow(scope, interfaces, input.id),
  })
