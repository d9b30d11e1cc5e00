// Permissions: the areas of the product, and what can be done in each. Who may do it is decided on the server, in policies.ts, and
// passed to the web app as `can`.

/** Every area that the policies know, including those whose calls do not exist yet. */
export const areas = [
  'accounting_integrations',
  'accounts',
  'activity',
  'api_keys',
  'billing',
  'collections',
  'company',
  'connections',
  'dashboard',
  'devices',
  'due_work',
  'events',
  'gateways',
  'groups',
  'guest_help',
  'guest_sessions',
  'guests',
  'imports',
  'mac_categories',
  'marketing_integrations',
  'packages',
  'portal_footers',
  'portals',
  'properties',
  'property_interfaces',
  'reference',
  'reports',
  'room_guests',
  'rooms',
  'security',
  'sessions',
  'sign_in_attempts',
  'teams',
  'undelivered',
  'users',
  'voucher_batches',
  'vouchers',
  'webhooks',
] as const
export type Area = (typeof areas)[number]

/**
 * A call needs one of these rights in its area. `desk` is what the front desk does for a guest, `invite` is inviting a colleague, and
 * `delete` is a write that cannot be undone: API keys can have `write` without it. `names` is reading only the names of an area's
 * records, which a key of another area needs to fill in its fields.
 */
export const actions = ['read', 'desk', 'invite', 'write', 'delete', 'names'] as const
export type Action = (typeof actions)[number]

/** What a caller may do: `{ accounts: ['read', 'write'], packages: ['read'] }`. What is absent is denied. */
export type Can = Partial<Record<Area, Action[]>>

export const allows = (can: Can, area: Area, action: Action): boolean => can[area]?.includes(action) ?? false
