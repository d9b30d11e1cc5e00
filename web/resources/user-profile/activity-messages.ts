// Activity messages: a line of the log as a sentence, "Ana changed property Harbour Inn", and each change with its label.
import type { ReactNode } from 'react'
import type { Field } from '#contract/fields.ts'
import { loggedFields, loggedTables, type Action } from '#contract/logged-fields.ts'
import { stayVerb } from '#contract/stay-acts.ts'
import { referred } from '#web/kit/detail/referred.tsx'
import { textOfField } from '#web/kit/display/field-value.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { referenceOf } from '#web/kit/display/references.ts'

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
  const kind = object_type && !aboutPeople ? (loggedTables[object_type]?.noun ?? object_type.replaceAll('_', ' ')) : ''
  const ofStay = object_type === 'room_guests' ? stayVerb({ action, before, after }) : undefined
  return [ofStay ?? actionVerbs[action], kind].filter(Boolean).join(' ')
}

/** Actions of people on themselves, whose name is there already. */
export const isAboutOneself = ({ action }: Line): boolean =>
  ['login', 'failed_login', 'reset', 'key_use'].includes(action)

export interface Change {
  label: string
  before: ReactNode
  after: ReactNode
}

const isNamed = (value: unknown): value is { name: string } =>
  typeof value === 'object' && value !== null && 'name' in value

/** As text, and an id as the kit draws a reference: by its name. */
function shown(value: unknown, described: Field | undefined): ReactNode {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (isNamed(value)) return value.name
  if (Array.isArray(value)) return value.length === 0 ? 'none' : String(value.length)
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value === 'number' && described && referenceOf(described.ref)) return referred(described, value)
  if (described && described.kind !== 'record' && typeof value !== 'object') return textOfField(described, value)
  if (typeof value === 'number') return wholeOf(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

type Values = Record<string, unknown> | null

/** What changed, field by field; nothing for created and deleted records. */
export function changesIn({ before, after, action, object_type }: Line & { before: Values; after: Values }): Change[] {
  if (!after || action === 'create' || action === 'delete') return []
  return loggedFields({ action, object_type }, after).map(({ name, label, field, isSecret }) =>
    isSecret
      ? { label, before: '', after: 'replaced' }
      : { label, before: before ? shown(before[name], field) : '', after: shown(after[name], field) },
  )
}
