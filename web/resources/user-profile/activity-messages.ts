// Activity messages: a line of the log as a sentence, "Ana changed property Harbour Inn", and each change with its label.
import type { actions } from '#contract/activity.ts'
import { fields as accounts } from '#contract/accounts.ts'
import { fields as apiKeys } from '#contract/api-keys.ts'
import { fields as collections } from '#contract/collections.ts'
import { fields as devices } from '#contract/devices.ts'
import { fields as gateways } from '#contract/gateways.ts'
import { fields as groups } from '#contract/groups.ts'
import { fields as macCategories } from '#contract/mac-categories.ts'
import { fields as packages } from '#contract/packages.ts'
import { fields as portalFooters } from '#contract/portal-footers.ts'
import { fields as portals } from '#contract/portals.ts'
import { fields as properties } from '#contract/properties.ts'
import { fields as propertyHolidays } from '#contract/property-holidays.ts'
import { fields as propertyInterfaces } from '#contract/property-interfaces.ts'
import { fields as reports } from '#contract/reports.ts'
import { fields as roomGuests } from '#contract/room-guests.ts'
import { fields as stays } from '#contract/stays.ts'
import { fields as stayDifferences } from '#contract/stay-differences.ts'
import { fields as rooms } from '#contract/rooms.ts'
import { fields as teams } from '#contract/teams.ts'
import { stayVerb } from '#contract/stay-acts.ts'
import { fields as users } from '#contract/users.ts'
import { fields as voucherBatches } from '#contract/voucher-batches.ts'
import type { RefTarget } from '#contract/ref-target.ts'
import { labelOf, type Fields } from '#contract/fields.ts'
import { textOfField } from '#web/kit/display/field-value.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'

export type Action = (typeof actions)[number]

/** For the filter. */
export const actionNames: Record<Action, string> = {
  create: 'Created',
  update: 'Changed',
  activate: 'Activated',
  deactivate: 'Disabled',
  delete: 'Deleted',
  invite: 'Invited',
  permission: 'Permission changed',
  import: 'Imported',
  export: 'Exported',
  login: 'Signed in',
  failed_login: 'Failed to sign in',
  integration: 'Integration',
  denied: 'Denied',
  reset_asked: 'Reset link sent',
  reset: 'Password reset',
  key_use: 'Key used',
  looked_up: 'Looked up',
}

const actionVerbs: Record<Action, string> = {
  create: 'created',
  update: 'changed',
  activate: 'activated',
  deactivate: 'disabled',
  delete: 'deleted',
  invite: 'invited',
  permission: 'changed the permission of',
  import: 'imported',
  export: 'exported',
  login: 'signed in',
  failed_login: 'failed to sign in',
  integration: 'changed the integration',
  denied: 'was not allowed:',
  reset_asked: 'sent a link for a new password to',
  reset: 'reset their password',
  key_use: 'was used from a new place',
  looked_up: 'looked up',
}

/** By table: the noun for a record, and its fields. */
const tables: Record<string, { noun: string; fields?: Fields }> = {
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

interface Line {
  action: Action
  object_type: string | null
  before?: Values
  after?: Values
}

/** The name of the record; for denied calls, the path as words: `/api/v1/rooms-create` becomes `rooms create`. */
export function objectName({ action, object_name }: { action: Action; object_name: string | null }): string | null {
  if (action !== 'denied' || object_name === null) return object_name
  return object_name
    .replace('/api/v1/', '')
    .replaceAll(/\/\{\w+\}/g, '')
    .replaceAll(/[-/]/g, ' ')
}

/** The part between the person and the record: `created group`, `invited`, `signed in`, `moved room guest`. */
export function actionSentence({ action, object_type, before = null, after = null }: Line): string {
  const aboutPeople = action === 'invite' || action === 'permission' || action === 'login' || action === 'failed_login'
  const kind = object_type && !aboutPeople ? (tables[object_type]?.noun ?? object_type.replaceAll('_', ' ')) : ''
  const ofStay = object_type === 'room_guests' ? stayVerb({ action, before, after }) : undefined
  return [ofStay ?? actionVerbs[action], kind].filter(Boolean).join(' ')
}

/** Actions of people on themselves, whose name is there already. */
export const isAboutOneself = ({ action }: Line): boolean =>
  ['login', 'failed_login', 'reset', 'key_use'].includes(action)

export interface Change {
  label: string
  before: string
  after: string
}

/** The name for the id in a field; undefined if it is not known. */
export type NameOf = (target: RefTarget, id: number) => string | undefined

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

const isNamed = (value: unknown): value is { name: string } =>
  typeof value === 'object' && value !== null && 'name' in value

function textOf(field: string, value: unknown, nameOf: NameOf, fields: Fields | undefined): string {
  const described = fields?.[field]
  if (value === null || value === undefined || value === '') return 'nothing'
  if (isNamed(value)) return value.name
  if (Array.isArray(value)) return value.length === 0 ? 'none' : String(value.length)
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  const named = typeof value === 'number' && described?.ref ? nameOf(described.ref, value) : undefined
  if (named !== undefined) return named
  if (described && described.kind !== 'record' && typeof value !== 'object') return textOfField(described, value)
  if (typeof value === 'number') return wholeOf(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Secrets are logged like `password_changed: true`. */
const secretSuffix = '_changed'

type Values = Record<string, unknown> | null

/** What changed, field by field; nothing for created and deleted records. */
export function changesIn(
  { before, after, action, object_type }: Line & { before: Values; after: Values },
  nameOf: NameOf,
): Change[] {
  if (!after || action === 'create' || action === 'delete') return []
  const names = Object.keys(after).filter((name) => {
    // Without a status that the action already says, and ids whose name is also there.
    if (hidden.has(name) || (name === 'status' && action !== 'update')) return false
    return !(name.endsWith('_id') && name.slice(0, -3) in after)
  })
  const fields = object_type === null ? undefined : tables[object_type]?.fields
  return names.map((name) => {
    // The log never contains the values of secrets.
    if (name.endsWith(secretSuffix))
      return { label: labelOf(name.slice(0, -secretSuffix.length), fields), before: '', after: 'replaced' }
    return {
      label: labelOf(name, fields),
      before: before ? textOf(name, before[name], nameOf, fields) : '',
      after: textOf(name, after[name], nameOf, fields),
    }
  })
}
