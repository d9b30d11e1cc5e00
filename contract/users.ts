// Users: the operator's own people, each belonging to one owner: the customer, a group or a property.
import { z } from 'zod'
import { asking, callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import {
  anyOf,
  byId,
  changesTo,
  done,
  email,
  id,
  byIds,
  listOf,
  mailedName,
  mobile,
  moment,
  named,
  no,
  nothing,
  ownerType,
  page,
  ref,
  text,
  timeOfDay,
  yes,
  namesOf,
} from './shapes.ts'
import { status } from './status.ts'

const { invite: invitation, lookup, read, write, listFile, removal } = callsOf('users')

/** The user's owner. Absent: the caller's owner. */
const Owner = { owner_type: ownerType.nullish(), owner_id: id.nullish() }

export const UserInput = z.object({
  name: mailedName(),
  email,
  username: text(100).nullish(),
  company_name: text().nullish(),
  contact_email: email.nullish(),
  /** Absent: the first user type, a viewer. */
  user_type_id: ref('user_types').default(1),
  ...Owner,
  /** In the international notation: it belongs to no country. */
  mobile_number: mobile.nullish(),
  /** A mail, or a text message to that number, when guests of a property in reach cannot get online, and one when they can again. */
  outage_mails: no,
  outage_texts: no,
  /** None of them between these times of the company's day. */
  quiet_from: timeOfDay.nullish(),
  quiet_until: timeOfDay.nullish(),
  active: yes,
})
/** A person's address is their login, so nobody else can change it; nor can a user change owners. */
const UserChanges = changesTo('users', UserInput.omit({ email: true, owner_type: true, owner_id: true }))

export const UserRow = z.object({
  id,
  name: z.string(),
  email: z.string(),
  user_type_id: id,
  owner_type: ownerType,
  owner_id: id,
  /** Says so if the owner was removed: its users stay listed, but can no longer sign in. */
  owner_name: z.string(),
  owner_removed: z.boolean(),
  /** `draft` until the invitation is accepted. */
  status,
  draft: z.boolean(),
  /** The last invitation could not be delivered. */
  invitation_undelivered: z.boolean(),
  active: z.boolean(),
  logged_in_at: moment.nullable(),
  created_at: moment,
})
export const User = z
  .object({
    ...UserRow.shape,
    username: z.string().nullable(),
    company_name: z.string().nullable(),
    contact_email: z.string().nullable(),
    mobile_number: z.string().nullable(),
    outage_mails: z.boolean(),
    outage_texts: z.boolean(),
    quiet_from: timeOfDay.nullable(),
    quiet_until: timeOfDay.nullable(),
  })
  .meta({ id: 'User' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [UserInput, User, UserRow],
  {
    name: 'Full name',
    company_name: 'Company',
    username: 'User name',
    owner_id: 'Belongs to',
    owner_name: 'Belongs to',
    outage_mails: 'Mail me when guests cannot get online',
    outage_texts: 'Text me when guests cannot get online',
  },
  {
    person: ['name', 'email'],
    contact: ['company_name', 'username', 'contact_email'],
    access: ['owner_type', 'owner_id', 'user_type_id'],
    told: ['outage_mails', 'outage_texts', 'mobile_number', 'quiet_from', 'quiet_until'],
  },
)

export const Invitation = z.object({ email, name: mailedName(), user_type_id: ref('user_types').default(1), ...Owner })
const TeamInvitation = z.object({
  emails: z.array(email).min(1).max(50),
  names: z.array(mailedName()).min(1).max(50),
  /** Absent: the team's, else the first user type. People invited into a team receive its user type and no other. */
  user_type_id: ref('user_types').nullish(),
  /** Absent: the team's, else the caller's. */
  ...Owner,
  team_id: ref('teams').nullish(),
})

const UserFilters = { status: anyOf(status), user_type_id: anyOf(id) }
const UserParams = {
  group_id: ref('groups').optional(),
  property_id: ref('properties').optional(),
  collection_id: ref('collections').optional(),
  team_id: ref('teams').optional(),
  ...Owner,
}
export const UserName = named.extend({ status, email: z.string(), group_id: id.nullable(), property_id: id.nullable() })

export const list = read(
  '/users',
  listOf(UserFilters, UserParams, ['-created_at', 'created_at', 'name', '-name']),
  page(UserRow),
)
export const exportList = listFile('/users-list-export', list)
export const names = lookup('/users-list', nothing, z.array(UserName))
export const nameList = read('/users-list', namesOf(UserParams), page(UserName))
export const get = read('/users/{id}', byId('users'), User)
/** Invites, like the two below: a person sets their own password. */
export const create = asking(invitation('/users-create', UserInput, User))
export const update = asking(write('/users-update', UserChanges, User))
export const deactivate = write('/users-deactivate', byIds('users'), done)
export const activate = asking(write('/users-activate/{id}', byId('users'), User))
export const remove = removal(
  '/users-delete/{id}',
  byId('users').extend({ property_id: id.nullish(), group_id: id.nullish(), ...Owner }),
  done,
)
export const invite = asking(invitation('/users-invite', Invitation, User))
export const inviteTeamMembers = asking(invitation('/users-invite-team-member', TeamInvitation, z.array(User)))
