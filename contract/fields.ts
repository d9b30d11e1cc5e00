// Fields: the label of each field of a resource, and its kind of value: defined once, and used by form, review, overview, list,
// filters, files and the log. They are described next to the resource's schemas (describe.ts).

import type { RefTarget } from './ref-target.ts'

/** How a value is shown and entered. `other`: only its own screen can do that. */
export type FieldKind =
  | 'text'
  | 'number'
  | 'money'
  | 'percentage'
  | 'yes-or-no'
  | 'day'
  | 'moment'
  | 'colour'
  | 'record'
  | 'records'
  | 'other'

export interface Field {
  label: string
  kind: FieldKind
  /** What it points at, if it is a reference, and what having none means, if that is more than none. */
  ref?: RefTarget
  none?: string
  /** The section of the form, the review and the overview that contains it. A field without one is drawn by its own screen. */
  section?: string
  /** Rows of the list contain it as well, in a readable form. */
  listed?: true
}
export type Fields = Readonly<Record<string, Field>>

/** Labels that are the same everywhere and cannot be derived from the field's name. */
const usual: Record<string, string> = {
  contact_email: 'Contact e-mail',
  created_at: 'Created',
  dns_name: 'DNS name',
  email: 'E-mail',
  external_reference: 'Reference',
  ip_address: 'IP address',
  last_seen_at: 'Last seen',
  logged_in_at: 'Last signed in',
  mac_address: 'MAC address',
  nas_identifier: 'NAS identifier',
  property_ids: 'Properties',
  radius_secret: 'RADIUS secret',
  send_email: 'Send e-mail',
  send_sms: 'Send SMS',
  user_type_id: 'Permission',
}

/** `property_type_id` → `Property type` */
function inWords(name: string): string {
  const words = name.replace(/_ids?$/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** @param fields those of its resource; absent: the usual label. */
export const labelOf = (name: string, fields?: Fields): string => fields?.[name]?.label ?? usual[name] ?? inWords(name)

/** The fields of a section, in the order in which they are described. Throws where there is none: its name is wrong. */
export function fieldsIn(fields: Fields, section: string): string[] {
  const names = Object.keys(fields).filter((name) => fields[name]?.section === section)
  if (names.length === 0) throw new Error(`no field is in the section “${section}”`)
  return names
}
