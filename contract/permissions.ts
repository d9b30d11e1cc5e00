// Permissions: the areas of the product, and what can be done in each. Who may do it is decided on the server, in
// policies.ts, and told to the web app as `can`.
import { z } from 'zod'

export const areas = [
  'accounts',
  'activity',
  'dashboard',
  'devices',
  'groups',
  'imports',
  'mac_categories',
  'packages',
  'properties',
  'reference',
  'room_guests',
  'rooms',
  'sessions',
  'users',
  'voucher_batches',
  'vouchers',
] as const
export type Area = (typeof areas)[number]

/** A call takes the right to `read` or `write` its area; what is given to people who may not write has a name of its own. */
export const actions = ['read', 'write'] as const
export type Action = (typeof actions)[number]

/** What somebody may do: `{ accounts: ['read', 'write'], packages: ['read'] }`. What is absent is denied. */
export const Can = z.partialRecord(z.enum(areas), z.array(z.enum(actions)))
export type Can = z.infer<typeof Can>

export const allows = (can: Can, area: Area, action: Action): boolean => can[area]?.includes(action) ?? false
