// Collections: named sets of properties and of the people who look after them. Being in one changes nobody's rights.
import { z } from 'zod'
import { constants } from './constants.ts'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import {
  anyOf,
  anyOrNone,
  byId,
  byIds,
  changesTo,
  count,
  done,
  id,
  listOf,
  moment,
  named,
  namesOf,
  no,
  nothing,
  page,
  ref,
  text,
  yes,
} from './shapes.ts'
import { status } from './status.ts'

const { lookup, read, write, listFile, removal } = callsOf('collections')

const { names_max } = constants.list
const property_ids = z.array(ref('properties')).max(names_max)
const user_ids = z.array(ref('users')).max(names_max)

export const CollectionInput = z.object({
  name: text(),
  /** The group it belongs to, whose properties and users are the only ones it may contain. Without one it is the customer's. */
  group_id: ref('groups', 'None: it can span groups').nullish(),
  property_ids: property_ids.default([]),
  user_ids: user_ids.default([]),
  draft: no,
  active: yes,
})
export const CollectionRow = z.object({
  id,
  name: z.string(),
  group: named.nullable(),
  /** The first two names, then the number of others: `Harbour Hotel, Quay House, +3`. */
  properties_string: z.string(),
  teams_string: z.string(),
  number_of_properties: count,
  number_of_users: count,
  status,
  draft: z.boolean(),
  active: z.boolean(),
  created_at: moment,
})
export const Collection = z
  .object({
    ...CollectionRow.shape,
    group_id: id.nullable(),
    property_ids: z.array(id),
    /** The members of its team. */
    user_ids: z.array(id),
  })
  .meta({ id: 'Collection' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [CollectionInput, Collection, CollectionRow],
  {
    user_ids: 'Team members',
    properties_string: 'Properties',
    teams_string: 'Team',
  },
  {
    collection: ['name', 'group_id'],
    properties: ['property_ids'],
    team: ['user_ids'],
  },
)

/** With `shouldExclude`, the collections that do not contain the property. */
const CollectionParams = { group_id: ref('groups').optional(), property_id: ref('properties').optional() }
export const CollectionName = named.extend({ status, group_id: id.nullable() })

export const list = read(
  '/collections',
  listOf({ status: anyOf(status), group_id: anyOrNone(id) }, CollectionParams, [
    '-created_at',
    'created_at',
    'name',
    '-name',
  ]),
  page(CollectionRow),
)
export const exportList = listFile('/collections-list-export', list)
export const names = lookup('/collections-list', nothing, z.array(CollectionName))
export const nameList = read('/collections-list', namesOf(CollectionParams), page(CollectionName))
export const get = read('/collections/{id}', byId('collections'), Collection)
export const create = write('/collections-create', CollectionInput, Collection)
export const update = write('/collections-update', changesTo('collections', CollectionInput), Collection)
export const deactivate = write('/collections-deactivate', byIds('collections'), done)
export const activate = write('/collections-activate/{id}', byId('collections'), Collection)
export const remove = removal('/collections-delete/{id}', byId('collections'), done)

export const addProperties = write(
  '/collections-add-properties/{id}',
  byId('collections').extend({ property_ids: property_ids.min(1) }),
  Collection,
)
export const removeProperty = write(
  '/collections-remove-property',
  byId('collections').extend({ property_id: ref('properties') }),
  Collection,
)
export const addTeamMembers = write(
  '/add-team-members/{id}',
  byId('collections').extend({ user_ids: user_ids.min(1) }),
  Collection,
)
export const removeTeamMember = write(
  '/collections-remove-team-member',
  byId('collections').extend({ user_id: ref('users') }),
  Collection,
)
