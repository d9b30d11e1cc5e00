// Invite owner: the owner of invited users, from the ids in the dialog's address (specification, section 6).

interface InvitedFrom {
  property_id?: number
  group_id?: number
}

interface Inviter {
  owner_type: string
  owner_id: number
}

/** The spelling of groups and properties in the payload of an invitation. */
const plural: Record<string, string> = { Property: 'properties', Group: 'groups' }

/** The property takes precedence over the group; without an id in the address, the owner of the inviting user. */
export function ownerOf({ property_id, group_id }: InvitedFrom, inviter: Inviter | null) {
  if (property_id) return { owner_type: 'properties', owner_id: property_id }
  if (group_id) return { owner_type: 'groups', owner_id: group_id }
  if (!inviter) return {}
  return { owner_type: plural[inviter.owner_type] ?? inviter.owner_type, owner_id: inviter.owner_id }
}

/** The same owner, for the address of the page that asks for all details. */
export const placeOf = ({ property_id, group_id }: InvitedFrom): InvitedFrom =>
  property_id ? { property_id } : group_id ? { group_id } : {}
