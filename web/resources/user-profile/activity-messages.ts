// Activity words: a line of the log as one would say it: "Ana changed property Harbour Inn", and each change by its name.
import type { actions } from '#contract/activity.ts'
import { labelOf } from '#web/kit/display/field-labels.ts'

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

const kinds: Record<string, string> = {
  accounting_integrations: 'accounting connection',
  accounts: 'account',
  api_keys: 'API key',
  collections: 'collection',
  customers: 'the customer',
  devices: 'device',
  gateways: 'gateway',
  groups: 'group',
  mac_categories: 'MAC category',
  marketing_integrations: 'marketing connection',
  occupancy_nights: 'night of',
  packages: 'package',
  portal_footers: 'portal footer',
  guests: 'guest',
  portals: 'portal',
  properties: 'property',
  property_holidays: 'holiday',
  property_interfaces: 'property interface',
  radius_sessions: 'session of',
  reports: 'report',
  room_guests: 'room guest',
  rooms: 'room',
  session_addresses: 'who had an address',
  teams: 'team',
  users: 'user',
  voucher_batches: 'voucher batch',
  vouchers: 'voucher',
}

interface Line {
  action: Action
  object_type: string | null
}

/** Which record; of what was denied, the call in words: `/api/v1/rooms-create` is `rooms create`. */
export function objectName({ action, object_name }: { action: Action; object_name: string | null }): string | null {
  if (action !== 'denied' || object_name === null) return object_name
  return object_name
    .replace('/api/v1/', '')
    .replaceAll(/\/\{\w+\}/g, '')
    .replaceAll(/[-/]/g, ' ')
}

/** What stands between who and which: `created group`, `invited`, `signed in`. */
export function actionSentence({ action, object_type }: Line): string {
  const aboutPeople = action === 'invite' || action === 'permission' || action === 'login' || action === 'failed_login'
  const kind = object_type && !aboutPeople ? (kinds[object_type] ?? object_type.replaceAll('_', ' ')) : ''
  return [actionVerbs[action], kind].filter(Boolean).join(' ')
}

/** Signing in is about oneself; the name stands there already. */
export const isAboutOneself = ({ action }: Line): boolean =>
  ['login', 'failed_login', 'reset', 'key_use'].includes(action)

export interface Change {
  label: string
  before: string
  after: string
}

/** A name for an id that a field holds; undefined where nobody knows one. */
export type NameOf = (field: string, id: number) => string | undefined

/** Told by others: the status by `active` and `draft`, a name by its id; or of no interest to people. */
const silent = new Set([
  'id',
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

function say(field: string, value: unknown, nameOf: NameOf): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (isNamed(value)) return value.name
  if (Array.isArray(value)) return value.length === 0 ? 'none' : String(value.length)
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value === 'number') return nameOf(field, value) ?? value.toLocaleString('en-GB')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** `password_changed: true` */
const secretly = '_changed'

type Values = Record<string, unknown> | null

/** What changed, field by field. Of what was made or deleted, the name says enough. */
export function changesIn(
  { before, after, action }: { before: Values; after: Values; action: Action },
  nameOf: NameOf,
): Change[] {
  if (!after || action === 'create' || action === 'delete') return []
  const names = Object.keys(after).filter((name) => {
    // A status that is told already by the deed, and an id whose name stands beside it.
    if (silent.has(name) || (name === 'status' && action !== 'update')) return false
    return !(name.endsWith('_id') && name.slice(0, -3) in after)
  })
  return names.map((name) => {
    // What a secret was and is stands in no log.
    if (name.endsWith(secretly))
      return { label: labelOf(name.slice(0, -secretly.length)), before: '', after: 'replaced' }
    return {
      label: labelOf(name),
      before: before ? say(name, before[name], nameOf) : '',
      after: say(name, after[name], nameOf),
    }
  })
}
