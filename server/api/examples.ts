// Examples: one valid value for each shape of input and output, made from its schema and the names of its fields.
import { z } from 'zod'
import type { Area } from '#contract/permissions.ts'
import type { RefTarget } from '#contract/ref-target.ts'

/** `input` shows the required fields and those worth showing; `output` shows all of them. */
export type Side = 'input' | 'output'

const names: Record<Area, string> = {
  accounting_integrations: 'Accounts department',
  accounts: 'Amelia Hart',
  activity: 'Nora Blake',
  api_keys: 'Booking system',
  billing: 'Harbour Hotel',
  collections: 'Seaside',
  company: 'Harbour Hotels',
  connections: 'Harbour Hotels',
  dashboard: 'Harbour Hotel',
  devices: 'Lobby printer',
  events: 'guest.signed_in',
  webhooks: 'https://crm.example/foyer',
  due_work: 'Your sign-in to ada@guest.example',
  gateways: 'Lobby gateway',
  groups: 'Harbour Hotels',
  guest_help: 'Amelia Hart',
  guest_sessions: 'Amelia Hart',
  guests: 'Amelia Hart',
  imports: 'Amelia Hart',
  mac_categories: 'Printer',
  marketing_integrations: 'Newsletter',
  packages: 'Standard',
  portal_footers: 'Harbour Hotels',
  portals: 'Lobby portal',
  properties: 'Harbour Hotel',
  property_interfaces: 'Front office system',
  reference: 'Hotel',
  reports: 'Monthly usage',
  room_guests: 'Amelia Hart',
  rooms: '204',
  security: 'Harbour Hotels',
  sessions: 'Nora Blake',
  sign_in_attempts: 'Amelia Hart',
  teams: 'Reception',
  undelivered: 'ada@guest.example',
  users: 'Nora Blake',
  voucher_batches: 'Standard',
  vouchers: 'Standard',
}

/** The names of records that other records refer to. */
const namesIn: Record<string, string> = {
  customer: 'Harbour Hotels Ltd',
  gateway_type: 'MikroTik RouterOS',
  group: 'Harbour Hotels',
  mac_category: 'Printer',
  package: 'Standard',
  portal: 'Lobby portal',
  property: 'Harbour Hotel',
  property_interface_type: 'Oracle FIAS (OPERA, Suite 8, protel)',
  room: '204',
}

/** For fields whose name says more than their schema. A value that the schema does not accept is not used. */
const values: Record<string, unknown> = {
  access_token: 'Yk3vZ1mJq0wS8uT5xR7nB2cD4eF6gH9i',
  action: 'update',
  actor_email: 'nora.blake@example.com',
  actor_name: 'Nora Blake',
  address: '1 Quay Street',
  arrives_on: '2026-02-01',
  batch_number: '2026-0042',
  city: 'Bath',
  code: 'ABCD-EFGH-JKMN',
  company_name: 'Harbour Hotels Ltd',
  contact_email: 'office@example.com',
  created_at: '2026-01-31T09:30:00Z',
  currency: 'GBP',
  departs_on: '2026-02-08',
  dialling_code: '+44',
  email: 'nora.blake@example.com',
  emails: ['nora.blake@example.com'],
  expires_at: '2099-12-31T18:00:00Z',
  external_reference: 'RES-10482',
  fetched_at: '2026-01-31T09:30:00Z',
  filters: { status: ['active'] },
  first_name: 'Amelia',
  ids: [41, 42],
  ip: '192.0.2.10',
  ip_address: '192.0.2.1',
  last_name: 'Hart',
  mac_address: '00:00:5e:00:53:01',
  message: 'Done.',
  mobile_number: '+44 7700 900123',
  names: ['Nora Blake'],
  newer: 0,
  night: '2026-01-31',
  next_cursor: null,
  number: '204',
  object_type: 'properties',
  occupants: 2,
  occupants_string: 'Amelia Hart, Jonas Weber',
  owner_name: 'Harbour Hotels Ltd',
  password: 'quiet-harbour-41',
  per_page: 50,
  postal_code: 'BA1 1AA',
  quantity: 100,
  reason: 'Valid, and not used yet.',
  redeemed_at: null,
  searchValue: 'harbour',
  sort: 'name',
  speed_mbps: 20,
  time_zone: 'Europe/London',
  token: 'q8W2hL5nV0xC7mB4kR1tY6uJ3pD9sFzA',
  total_units: 120,
  until_time: '16:00',
  quiet_from: '22:00',
  quiet_until: '07:00',
  url: 'https://crm.example/foyer',
  username: 'amelia.hart',
  valid_from: '2026-02-01T09:00:00Z',
  volume_gb: 5,
  year: 2026,
}
const texts = [
  'Text',
  'nora.blake@example.com',
  'quiet-harbour-41',
  '2026-01-31',
  '2026-01-31T09:30:00Z',
  'Customer',
  'q8W2hL5nV0xC7mB4kR1tY6uJ3pD9sFzA',
]

export const refOf = (schema: z.ZodType) => schema.meta()?.['ref'] as RefTarget | undefined
const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

export const exampleOf = (schema: z.ZodType, side: Side, area: Area): unknown => valueOf(schema, side, names[area])

/** `called`: the name of the record that the value belongs to. */
function valueOf(schema: z.ZodType, side: Side, called: string, name = ''): unknown {
  const told = name === 'name' ? called : values[name]
  if (told !== undefined && accepts(schema, told)) return told
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodObject) return objectExample(inner, side, namesIn[name] ?? called)
  if (inner instanceof z.ZodArray) return [valueOf(inner.element as z.ZodType, side, called, name)]
  if (inner instanceof z.ZodUnion) return valueOf(inner.options[0] as z.ZodType, side, called, name)
  if (inner instanceof z.ZodRecord) return {}
  if (inner instanceof z.ZodEnum) return inner.options[0]
  if (inner instanceof z.ZodLiteral) return inner.value
  return [...texts, name.endsWith('id') ? 42 : 1, true].find((value) => accepts(schema, value))
}

function objectExample(schema: z.ZodObject, side: Side, called: string): object {
  const fields = Object.entries(schema.shape).filter(([name, field]) => {
    if (side === 'output') return !(unwrapped(field) instanceof z.ZodLiteral)
    const isWorthShowing =
      name === 'name' || (name in values && accepts(field, values[name])) || refOf(unwrapped(field))
    return !accepts(field, undefined) || isWorthShowing
  })
  // An update takes any of the fields; a few are shown as an example.
  const shown = 'was' in schema.shape && side === 'input' ? shortened(fields) : fields
  return Object.fromEntries(shown.map(([name, field]) => [name, valueOf(field, side, called, name)]))
}

const shortened = (fields: [string, z.ZodType][]) => [
  ...fields.filter(([name]) => name === 'id'),
  ...fields.filter(([name]) => name !== 'id').slice(0, 2),
]

/** The schema inside optionals, defaults and the steps of a pipe. */
function unwrapped(schema: z.ZodType): z.ZodType {
  if (refOf(schema)) return schema
  if (schema instanceof z.ZodPipe) {
    const { in: first, out } = schema
    return unwrapped((first instanceof z.ZodTransform ? out : first) as z.ZodType)
  }
  if ('unwrap' in schema && typeof schema.unwrap === 'function' && !(schema instanceof z.ZodArray))
    return unwrapped(schema.unwrap() as z.ZodType)
  return schema
}
