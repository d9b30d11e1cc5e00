// Logged fields: what a record is called in the activity log, and which fields of a line people read: on the screen and in files.
import type { actions } from './activity.ts'
import { fields as accounts } from './accounts.ts'
import { fields as apiKeys } from './api-keys.ts'
import { fields as collections } from './collections.ts'
import { fields as devices } from './devices.ts'
import { fields as gateways } from './gateways.ts'
import { fields as groups } from './groups.ts'
import { fields as macCategories } from './mac-categories.ts'
import { fields as packages } from './packages.ts'
import { fields as portalFooters } from './portal-footers.ts'
import { fields as portals } from './portals.ts'
import { fields as properties } from './properties.ts'
import { fields as propertyHolidays } from './property-holidays.ts'
import { fields as propertyInterfaces } from './property-interfaces.ts'
import { fields as reports } from './reports.ts'
import { fields as roomGuests } from './room-guests.ts'
import { fields as stays } from './stays.ts'
import { fields as stayDifferences } from './stay-differences.ts'
import { fields as rooms } from './rooms.ts'
import { fields as teams } from './teams.ts'
import { fields as users } from './users.ts'
import { fields as voucherBatches } from './voucher-batches.ts'
import { labelOf, type Field, type Fields } from './fields.ts'

export type Action = (typeof actions)[number]

/** By table: the noun for a record, and its fields. */
export const loggedTables: Record<string, { noun: string; fields?: Fields }> = {
  accounting_integrations: { noun: 'accounting connection' },
  accounts: { noun: 'account', fields: accounts },
  api_keys: { noun: 'API key', fields: apiKeys },
  collections: { noun: 'collection', fields: collections },
  connections: { noun: 'connection' },
  customers: { noun: 'the customer' },
  devices: { noun: 'device', fields: devices },
  gateways: { noun: 'gateway', fields: gateways },
  groups: { noun: 'group', fields: groups },
  guests: { noun: 'guest' },
  mac_categories: { noun: 'MAC category', fields: macCategories },
  marketing_integrations: { noun: 'marketing connection' },
  occupancy_nights: { noun: 'night of' },
  packages: { noun: 'package', fields: packages },
  portal_footers: { noun: 'portal footer', fields: portalFooters },
  portals: { noun: 'portal', fields: portals },
  properties: { noun: 'property', fields: properties },
  property_holidays: { noun: 'holiday', fields: propertyHolidays },
  property_interfaces: { noun: 'property interface', fields: propertyInterfaces },
  radius_sessions: { noun: 'session' },
  reports: { noun: 'report', fields: reports },
  room_guests: { noun: 'room guest', fields: roomGuests },
  rooms: { noun: 'room', fields: rooms },
  stay_differences: { noun: 'what the system says of', fields: stayDifferences },
  shift_notes: { noun: 'shift note' },
  stays: { noun: 'stay in room', fields: stays },
  session_addresses: { noun: 'who had an address' },
  teams: { noun: 'team', fields: teams },
  undelivered: { noun: 'undelivered message' },
  users: { noun: 'user', fields: users },
  voucher_batches: { noun: 'voucher batch', fields: voucherBatches },
  vouchers: { noun: 'voucher' },
}

/** Covered by other fields, as `active` and `draft` are by the status, or of no interest to people. */
const hidden = new Set([
  'id',
  'undone',
  'created_at',
  'logged_in_at',
  'active',
  'draft',
  'owner_id',
  'owner_type',
  'number_of_properties',
])

/** Secrets are logged like `password_changed: true`. */
const secretSuffix = '_changed'

export interface LoggedField {
  name: string
  label: string
  field: Field | undefined
  /** It was replaced; the log never contains its values. */
  isSecret: boolean
}

/** Without a status that the action already says, and ids whose name is also there. */
export function loggedFields(
  { action, object_type }: { action: Action; object_type: string | null },
  values: Readonly<Record<string, unknown>>,
): LoggedField[] {
  const fields = object_type === null ? undefined : loggedTables[object_type]?.fields
  const names = Object.keys(values).filter((name) => {
    if (hidden.has(name) || (name === 'status' && action !== 'update')) return false
    return !(name.endsWith('_id') && name.slice(0, -3) in values)
  })
  return names.map((name) => {
    const isSecret = name.endsWith(secretSuffix)
    return {
      name,
      label: labelOf(isSecret ? name.slice(0, -secretSuffix.length) : name, fields),
      field: fields?.[name],
      isSecret,
    }
  })
}
