// Fields: what people call each field of a resource, and what kind of value it holds: said once, and read by its form, review,
// overview, list, filters, files and the log. They are described beside its schemas (describe.ts).

/** How a value is drawn and typed. `other`: by its screen alone. */
export type FieldKind =
  'text' | 'number' | 'money' | 'percentage' | 'yes-or-no' | 'day' | 'moment' | 'colour' | 'record' | 'other'

export interface Field {
  label: string
  kind: FieldKind
  /** The part of the form, the review and the overview that it stands in. What has none is drawn by its screen alone. */
  section?: string
  /** It is in the rows of its list, too, in a shape that can be read there. */
  listed?: true
}
export type Fields = Readonly<Record<string, Field>>

/** What is called the same wherever it stands, and is not what the words of its name say. */
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

/** @param fields of its resource; absent, what it is called in most. */
export const labelOf = (name: string, fields?: Fields): string => fields?.[name]?.label ?? usual[name] ?? inWords(name)

/** The fields of a section, in the order in which they are described. */
export const fieldsIn = (fields: Fields, section: string): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.section === section)
