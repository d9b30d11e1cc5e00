// Collections: named sets of properties and of the users who look after them; owned by the customer or by a group.
import { sql } from 'kysely'
import * as contract from '#contract/collections.ts'
import { serve } from '#server/api/serve.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { countOf, entity, namesOf, nameOf, type Members } from '#server/entities/entity.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows, nameRows } from '#server/entities/lists.ts'
import { linkMembers, unlinkMembers } from '#server/entities/members.ts'
import { placedInGroup } from '#server/entities/owner.ts'
import { oneRow } from '#server/entities/read.ts'
import { activateRow, createRow, deactivateRows, removeRow, updateRow } from '#server/entities/verbs.ts'
import { refuseForeignMembers } from './collection-members.ts'

const properties: Members = {
  table: 'collection_properties',
  mine: 'collection_id',
  theirs: 'property_id',
  of: 'properties',
}
const users: Members = { table: 'collection_users', mine: 'collection_id', theirs: 'user_id', of: 'users' }

const collections = entity({
  table: 'collections',
  row: contract.CollectionRow,
  detail: contract.Collection,
  fields: contract.fields,
  computed: {
    group: nameOf('groups', 'group_id'),
    properties_string: namesOf(properties),
    teams_string: namesOf(users),
    number_of_properties: countOf(properties),
    number_of_users: countOf(users),
  },
  members: { property_ids: properties, user_ids: users },
  filters: {
    property_id: ({ is }) => sql`
      exists (select from collection_properties as m
        where m.customer_id = t.customer_id and m.collection_id = t.id and ${is(sql`m.property_id`)})`,
  },
  candidates: {
    property_id: ({ is }) => sql`
      (t.group_id is null or exists (select from properties as p
        where p.customer_id = t.customer_id and p.group_id = t.group_id and ${is(sql`p.id`)}))`,
  },
  belongs: { group_id: 'group_id' },
})

/** After a change of members: refuses if a group's collection has members from outside the group. */
async function checked<R extends { id: number }>(scope: Scope, changed: Promise<R>): Promise<R> {
  const collection = await changed
  await refuseForeignMembers(scope, sql`t.id = ${collection.id}`, { properties: 'property_ids', users: 'user_ids' })
  return collection
}

export default serve(contract, {
  list: ({ scope, input }) => listRows(scope, collections, input),
  exportList: (call) => exportRows(call, collections),
  names: ({ scope }) => nameRows(scope, collections, contract.CollectionName),
  nameList: ({ scope, input }) => listRows(scope, collections, input, contract.CollectionName),
  get: ({ scope, input }) => oneRow(scope, collections, input.id),
  create: ({ scope, input }) => checked(scope, createRow(scope, collections, placedInGroup(scope, input))),
  update: ({ scope, input }) =>
    checked(scope, updateRow(scope, collections, 'group_id' in input ? placedInGroup(scope, input) : input)),
  deactivate: ({ scope, input }) => deactivateRows(scope, collections, input.ids),
  activate: ({ scope, input }) => activateRow(scope, collections, input.id),
  remove: ({ scope, input }) => removeRow(scope, collections, input.id),

  addProperties: ({ scope, input: { id, property_ids } }) =>
    checked(scope, linkMembers(scope, collections, { id, field: 'property_ids', ids: property_ids })),
  removeProperty: ({ scope, input: { id, property_id } }) =>
    unlinkMembers(scope, collections, { id, field: 'property_ids', ids: [property_id] }),
  addTeamMembers: ({ scope, input: { id, user_ids } }) =>
    checked(scope, linkMembers(scope, collections, { id, field: 'user_ids', ids: user_ids })),
  removeTeamMember: ({ scope, input: { id, user_id } }) =>
    unlinkMembers(scope, collections, { id, field: 'user_ids', ids: [user_id] }),
})
