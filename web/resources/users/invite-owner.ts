// Invite owner: whose the invited will be, by the ids of the dialog's address (specification, section 6).

interface InvitedFrom {
  property_id?: number
  group_id?: number
}

interface Inviter {
  owner_type: string
  owner_id: number
}

/** As the payload of an invitation spells a group and a property. */
const plural: Record<string, string> = { Property: 'properties', Group: 'groups' }

/** The property before its group; without an id of the address, the owner of the one who invites. */
export function ownerOf({ property_id, group_id }: InvitedFrom, inviter: Inviter | null) {
  if (property_id) return { owner_type: 'properties', owner_id: property_id }
  if (group_id) return { owner_type: 'groups', owner_id: group_id }
  if (!inviter) return {}
  return { owner_type: plural[inviter.owner_type] ?? inviter.owner_type, owner_id: inviter.owner_id }
}

/** The same place, for the address of the page that asks for all details. */
export const placeOf = ({ property_id, group_id }: InvitedFrom): InvitedFrom =>
  property_id ? { property_id } : group_id ? { group_id } : {}
