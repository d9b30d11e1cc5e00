// Groups: sets of properties that are run together.
import { sql } from 'kysely'
import * as contract from '#contract/groups.ts'
import { serve } from '#server/api/serve.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows, nameRows } from '#server/entities/lists.ts'
import { oneRow } from '#server/entities/read.ts'
import { activateRow, createRow, deactivateRows, removeRow, updateRow } from '#server/entities/verbs.ts'
import { setPropertiesBy } from '#server/resources/properties/named-properties.ts'
import { setUsersOf } from '#server/resources/users/named-users.ts'

const idsOf = (table: 'properties' | 'users') => sql`
  (select coalesce(json_agg(r.id order by r.id), '[]') from ${sql.table(table)} as r
   where r.customer_id = t.customer_id and r.group_id = t.id and r.deleted_at is null)`

const groups = entity({
  table: 'groups',
  row: contract.GroupRow,
  detail: contract.Group,
  fields: contract.fields,
  computed: {
    portal: nameOf('portals', 'portal_id'),
    number_of_properties: sql`
      (select count(*)::integer from properties as r
       where r.customer_id = t.customer_id and r.group_id = t.id and r.deleted_at is null)`,
    property_ids: idsOf('properties'),
    user_ids: idsOf('users'),
  },
  written: { property_ids: setPropertiesBy('group_id'), user_ids: setUsersOf },
  belongs: { group_id: 'id' },
  restrict: [
    { table: 'properties', column: 'group_id', noun: 'properties' },
    { table: 'users', column: 'group_id', noun: 'users' },
    { table: 'collections', column: 'group_id', noun: 'collections' },
    { table: 'teams', column: 'group_id', noun: 'teams' },
    { table: 'portals', column: 'group_id', noun: 'portals' },
    { table: 'voucher_batches', column: 'group_id', noun: 'voucher batches', label: 'batch_number' },
    { table: 'property_interfaces', column: 'group_id', noun: 'property interfaces' },
  ],
})

export default serve(contract, {
  list: ({ scope, input }) => listRows(scope, groups, input),
  exportList: (call) => exportRows(call, groups),
  names: ({ scope }) => nameRows(scope, groups, contract.GroupName),
  nameList: ({ scope, input }) => listRows(scope, groups, input, contract.GroupName),
  get: ({ scope, input }) => oneRow(scope, groups, input.id),
  create: ({ scope, input }) => createRow(scope, groups, input),
  update: ({ scope, input }) => updateRow(scope, groups, input),
  deactivate: ({ scope, input }) => deactivateRows(scope, groups, input.ids),
  activate: ({ scope, input }) => activateRow(scope, groups, input.id),
  remove: ({ scope, input }) => removeRow(scope, groups, input.id),
})
