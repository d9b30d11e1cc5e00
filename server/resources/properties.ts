// Properties: the buildings whose guests get Wi-Fi.
import { sql } from 'kysely'
import * as contract from '#contract/properties.ts'
import { serve } from '#server/api/serve.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Services } from '#server/services.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows, nameRows } from '#server/entities/lists.ts'
import { placedInGroup } from '#server/entities/owner.ts'
import { oneRow } from '#server/entities/read.ts'
import { refuseStrangers } from '#server/resources/strangers.ts'
import { activateRow, changeRows, createRow, deactivateRows, removeRow, updateRow } from '#server/entities/verbs.ts'

const properties = entity({
  table: 'properties',
  row: contract.PropertyRow,
  detail: contract.Property,
  computed: {
    group: nameOf('groups', 'group_id'),
    portal: nameOf('portals', 'portal_id'),
    package: nameOf('packages', 'package_id'),
  },
  members: {
    collection_ids: { table: 'collection_properties', mine: 'property_id', theirs: 'collection_id', of: 'collections' },
  },
  filters: {
    collection_id: ({ is }) => sql`
      exists (select from collection_properties as m
        where m.customer_id = t.customer_id and m.property_id = t.id and ${is(sql`m.collection_id`)})`,
  },
  candidates: {
    collection_id: ({ is }) => sql`
      not exists (select from collections as c
        where c.customer_id = t.customer_id and ${is(sql`c.id`)} and c.group_id <> coalesce(t.group_id, 0))`,
  },
  requiredUnlessDraft: contract.requiredUnlessDraft,
  belongs: { property_id: 'id' },
})

/** The zone that its nights and renewals follow comes from its country. */
async function followCountry(scope: Scope, id: number, country_id: number | null | undefined) {
  if (country_id == null) return
  await scope.run(sql`
    update properties as t set time_zone = c.time_zone from countries as c
    where c.id = ${country_id} and t.id = ${id} and ${scope.inReach('properties', 't')}`)
}

/** Collections of other groups do not take it. */
const refuseElsewhere = (scope: Scope, id: number) =>
  refuseStrangers(
    scope,
    sql`t.id in (select m.collection_id from collection_properties as m where m.customer_id = t.customer_id and m.property_id = ${id})`,
    { properties: 'collection_ids' },
  )

export default ({ queue }: Services) =>
  serve(contract, {
    list: ({ scope, input }) => listRows(scope, properties, input),
    exportList: (call) => exportRows(call, properties),
    names: ({ scope }) => nameRows(scope, properties, contract.PropertyName),
    nameList: ({ scope, input }) => listRows(scope, properties, input, contract.PropertyName),
    groupNames: ({ scope, input }) =>
      nameRows(scope, properties, contract.PropertyName, sql`t.group_id = ${input.group_id}`),
    groupNameList: ({ scope, input }) => listRows(scope, properties, input, contract.PropertyName),
    get: ({ scope, input }) => oneRow(scope, properties, input.id),
    create: async ({ scope, input }) => {
      const property = await createRow(scope, properties, placedInGroup(scope, input))
      await refuseElsewhere(scope, property.id)
      await followCountry(scope, property.id, input.country_id)
      return oneRow(scope, properties, property.id)
    },
    update: async ({ scope, input }) => {
      const named = 'group_id' in input ? placedInGroup(scope, input) : input
      await updateRow(scope, properties, named)
      if (input.collection_ids) await refuseElsewhere(scope, input.id)
      await followCountry(scope, input.id, input.country_id)
      return oneRow(scope, properties, input.id)
    },
    deactivate: ({ scope, input }) => deactivateRows(scope, properties, input.ids),
    activate: ({ scope, input }) => activateRow(scope, properties, input.id),
    remove: async ({ scope, input }) => {
      const removed = await removeRow(scope, properties, input.id)
      // Its rooms, devices, accounts and batches are gone at the same moment; that they are is written down later.
      await queue.send('removal', {})
      return removed
    },
    assignPortal: ({ scope, input: { ids, portal_id } }) => changeRows(scope, properties, ids, { portal_id }, 'update'),
  })
