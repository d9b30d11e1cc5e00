// Groups: properties that are run together, such as the hotels of one brand or region.
import { z } from 'zod'
import { asking, callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import {
  anyOf,
  byId,
  changesTo,
  count,
  done,
  email,
  id,
  byIds,
  listOf,
  mailedName,
  moment,
  named,
  no,
  nothing,
  page,
  ref,
  yes,
  namesOf,
} from './shapes.ts'
import { constants } from './constants.ts'
import { status } from './status.ts'

const { lookup, read, write, listFile, removal } = callsOf('groups')

export const GroupInput = z.object({
  name: mailedName(),
  contact_email: email.nullish(),
  /** What guests see at its properties that have no portal of their own. */
  portal_id: ref('portals').nullish(),
  /** The properties of the group. A property belongs to one group: naming it here takes it out of its former one. */
  property_ids: z.array(ref('properties')).max(constants.list.names_max).default([]),
  /** The people who sign in to this group. Naming users here moves them; those left out move to the customer, as viewers. */
  user_ids: z.array(ref('users')).max(constants.list.names_max).default([]),
  draft: no,
  active: yes,
})
export const GroupRow = z.object({
  id,
  name: z.string(),
  contact_email: z.string().nullable(),
  portal: named.nullable(),
  number_of_properties: count,
  status,
  draft: z.boolean(),
  active: z.boolean(),
  created_at: moment,
})
export const Group = z
  .object({
    ...GroupRow.shape,
    portal_id: id.nullable(),
    property_ids: z.array(id),
    /** The team users who sign in to this group. */
    user_ids: z.array(id),
  })
  .meta({ id: 'Group' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [GroupInput, Group, GroupRow],
  { number_of_properties: 'Properties' },
  { group: ['name', 'contact_email'], guests: ['portal_id'], properties: ['property_ids'] },
)

export const list = read(
  '/groups',
  listOf({ status: anyOf(status) }, {}, ['-created_at', 'created_at', 'name', '-name']),
  page(GroupRow),
)
export const exportList = listFile('/groups-list-export', list)
export const GroupName = named.extend({ status })
export const names = lookup('/groups-list', nothing, z.array(GroupName))
export const nameList = read('/groups-list', namesOf(), page(GroupName))
export const get = read('/groups/{id}', byId('groups'), Group)
export const create = asking(write('/groups-create', GroupInput, Group))
export const update = asking(write('/groups-update', changesTo('groups', GroupInput), Group))
export const deactivate = write('/groups-deactivate', byIds('groups'), done)
export const activate = write('/groups-activate/{id}', byId('groups'), Group)
export const remove = removal('/groups-delete/{id}', byId('groups'), done)
