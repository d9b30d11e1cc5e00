// Invite owner: whose the invited will be, by the ids of the dialog's address (specification, section 6).

interface InvitedFrom {
  property_id?: number
  group_id?: number
}

/** The property before its group. Without an id of the address, the server takes the owner of the one who invites. */
export const ownerOf = ({ property_id, group_id }: InvitedFrom) =>
  property_id
    ? { owner_type: 'properties', owner_id: property_id }
    : group_id
      ? { owner_type: 'groups', owner_id: group_id }
      : {}

/** The same place, for the address of the page that asks for all details. */
export const placeOf = ({ property_id, group_id }: InvitedFrom): InvitedFrom =>
  property_id ? { property_id } : group_id ? { group_id } : {}
