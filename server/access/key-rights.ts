// Key rights: what an API key may do: what its owner may do at present, limited by the key's permissions.
import { keyAreas, levels, type Level } from '#contract/api-keys.ts'
import type { Action, Area, Can } from '#contract/permissions.ts'
import { rightsOf, type Role } from '#server/access/policies.ts'
import { reachOf, type Owner, type Reach } from '#server/access/reach.ts'

export interface Key {
  owner: Owner
  /** The present role of its user; a key of a group or a property acts as an editor of it. */
  role: Role
  permissions: readonly string[]
  /** The properties that it is limited to, as far as its owner still reaches them; null where it is not limited. */
  property_ids: readonly number[] | null
}

const actionsOf: Record<Level, readonly Action[]> = {
  read: ['read'],
  write: ['read', 'desk', 'write'],
  full: ['read', 'desk', 'write', 'delete'],
}

/** The actions that the permissions grant in an area: those for all areas, and those for it alone. */
const granted = (permissions: readonly string[], area: Area): Action[] => [
  ...new Set(
    levels
      .filter((level) => permissions.includes(level) || permissions.includes(`${level}:${area}`))
      .flatMap((level) => actionsOf[level]),
  ),
]

/** The areas whose names appear in the fields of an area's calls, in addition to the look-ups that are the same for everybody. */
export const namesIn: Partial<Record<Area, readonly Area[]>> = {
  accounts: ['groups', 'packages', 'properties', 'rooms'],
  collections: ['groups', 'properties'],
  devices: ['groups', 'mac_categories', 'packages', 'properties', 'rooms'],
  events: ['properties'],
  gateways: ['groups', 'properties'],
  groups: ['portals', 'properties'],
  guest_help: ['properties'],
  guest_sessions: ['devices', 'groups', 'properties'],
  guests: ['groups', 'properties'],
  imports: ['mac_categories', 'packages', 'properties'],
  portals: ['groups', 'properties'],
  properties: ['collections', 'groups', 'packages', 'portals'],
  property_interfaces: ['groups', 'packages', 'properties'],
  reports: ['collections', 'groups', 'mac_categories', 'packages', 'properties'],
  room_guests: ['groups', 'packages', 'properties', 'rooms'],
  rooms: ['groups', 'packages', 'properties'],
  sign_in_attempts: ['groups', 'properties'],
  voucher_batches: ['groups', 'packages', 'properties'],
}

/** A key that is limited to properties may do there what their own editors may, and may change nothing that properties share. */
export function rightsOfKey({ owner, role, permissions, property_ids }: Key): Can {
  const most = rightsOf(property_ids === null ? owner.owner_type : 'Property', role)
  // In every area the rights of a property are a subset of the customer's.
  const open = keyAreas.filter((area) => granted(permissions, area).some((action) => most[area]?.includes(action)))
  const named = new Set(open.flatMap((area): Area[] => ['reference', ...(namesIn[area] ?? [])]))
  return Object.fromEntries(
    keyAreas.map((area) => [
      area,
      [
        ...granted(permissions, area).filter((action) => most[area]?.includes(action)),
        ...(named.has(area) && most[area]?.includes('read') ? (['names'] as const) : []),
      ],
    ]),
  )
}

export const reachOfKey = ({ owner, property_ids }: Key): Reach =>
  property_ids === null ? reachOf(owner) : { of: 'Property', ids: property_ids }
