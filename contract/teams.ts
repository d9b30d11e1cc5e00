// Teams: named sets of one owner's users. People invited into a team receive its user type; being in one changes nobody's rights.
import { z } from 'zod'
import { constants } from './constants.ts'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import {
  anyOf,
  byId,
  byIds,
  changesTo,
  count,
  done,
  id,
  listOf,
  moment,
  named,
  no,
  ownerType,
  page,
  ref,
  text,
  yes,
} from './shapes.ts'
import { status } from './status.ts'

const { read, write, listFile, removal } = callsOf('teams')

/** The team's owner. Absent: the caller's owner. */
const Owner = { owner_type: ownerType.nullish(), owner_id: id.nullish() }

export const TeamInput = z.object({
  name: text(),
  /** What people invited into the team receive. Absent: the first user type, a viewer. */
  user_type_id: ref('user_types').default(1),
  ...Owner,
  /** Users of the same owner. They keep their permission. */
  user_ids: z.array(ref('users')).max(constants.list.names_max).default([]),
  draft: no,
  active: yes,
})
/** A team cannot change its owner. */
const TeamChanges = changesTo('teams', TeamInput.omit({ owner_type: true, owner_id: true }))

export const TeamRow = z.object({
  id,
  name: z.string(),
  user_type: named,
  owner: named,
  owner_type: ownerType,
  owner_id: id,
  /** Says so if the owner was removed. */
  owner_name: z.string(),
  /** The first two names, then the number of others: `Nora Blake, Tom Ashdown, +3`. */
  users_string: z.string(),
  number_of_users: count,
  status,
  draft: z.boolean(),
  active: z.boolean(),
  created_at: moment,
})
export const Team = z
  .object({
    ...TeamRow.shape,
    user_type_id: id,
    user_ids: z.array(id),
  })
  .meta({ id: 'Team' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [TeamInput, Team, TeamRow],
  {
    user_type_id: 'Invited as',
    user_type: 'Invited as',
    user_ids: 'Team members',
    users_string: 'People',
    owner_id: 'Belongs to',
    owner_name: 'Belongs to',
  },
  {
    team: ['name', 'owner_type', 'owner_id', 'user_type_id'],
    people: ['user_ids'],
  },
)

const TeamParams = { group_id: ref('groups').optional(), property_id: ref('properties').optional(), ...Owner }

export const list = read(
  '/teams',
  listOf({ status: anyOf(status), user_type_id: anyOf(id) }, TeamParams, [
    '-created_at',
    'created_at',
    'name',
    '-name',
  ]),
  page(TeamRow),
)
export const exportList = listFile('/teams-list-export', list)
export const get = read('/teams/{id}', byId('teams'), Team)
export const create = write('/teams-create', TeamInput, Team)
export const update = write('/teams-update', TeamChanges, Team)
export const remove = removal('/teams-delete/{id}', byId('teams'), done)
/** Active becomes disabled; what is disabled or a draft becomes active. */
export const toggle = write('/teams-toggle-state', byId('teams'), Team)
export const deactivate = write('/teams-deactivate', byIds('teams'), done)
export const activate = write('/teams-activate/{id}', byId('teams'), Team)
