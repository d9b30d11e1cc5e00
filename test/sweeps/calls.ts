// Calls: every endpoint that is served, and for each an input that its contract accepts, generated from the schema.
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { refFields } from '#contract/refs.ts'
import type { RefTarget } from '#contract/ref-target.ts'
import { lookupTables } from '#server/access/reach.ts'
import { resourcesOf } from '#server/apps/api.ts'
import type { Services } from '#server/services.ts'
import type { Area } from '#contract/permissions.ts'
import type { Records } from '#test/records.ts'
import { aDay, aMacAddress, aProperty, password, unique } from '#test/foyer.ts'
import { aPicture } from '#test/pictures.ts'
import { aFile } from '#test/uploads.ts'
import { aPortalZip } from '#test/zips.ts'

export interface Call {
  /** For the names of tests. */
  name: string
  area: Area
  endpoint: Endpoint
}

export const calls: Call[] = resourcesOf({ portal_url: 'https://portal.example' } as Services).flatMap(
  ({ endpoints }) =>
    endpoints.map(([endpoint]) => ({ name: `${endpoint.method} ${endpoint.path}`, area: endpoint.area, endpoint })),
)

export type CallInput = Record<string, unknown>
export const shapeOf = (endpoint: Endpoint): z.ZodRawShape =>
  endpoint.input instanceof z.ZodObject ? endpoint.input.shape : {}
export const takes = (endpoint: Endpoint, field: string) => field in shapeOf(endpoint)

/** The marked fields without duplicates: a field that takes one or many has its mark twice. */
export const refsOf = (endpoint: Endpoint): [field: string, target: RefTarget][] => [
  ...new Map(refFields(endpoint.input)),
]

/** The fields that name the rows a call is about: one row, or several. */
export const rowsOf = ({ endpoint }: Call): { field: string; table: RefTarget; several: boolean }[] =>
  refFields(endpoint.input, '', 'x-row').map(([field, table]) => ({ field, table, several: field === 'ids' }))

/** The id of the row of a table. Throws without one, since the test would try nothing. */
export function idOf(records: Records, table: string): number {
  const found = records.get(table)
  if (found === undefined) throw new Error(`there is no row of ${table}`)
  return found
}

/** Only required fields, and the rows the call is about. Ids are those of `records`. */
export function askFor(call: Call, records: Records): CallInput {
  const ask = sample(call.endpoint.input, records) as CallInput
  for (const { field, table, several } of rowsOf(call))
    ask[field] = several ? [idOf(records, table)] : idOf(records, table)
  Object.assign(ask, special[call.endpoint.path]?.(records))
  const { error } = call.endpoint.input.safeParse(ask)
  if (error) throw new Error(`${call.name} takes no sample: ${error.message}`)
  return ask
}

const oneDay = (day: string): CallInput => ({ starts_on: day, ends_on: day })

/** What cannot be derived from a schema. */
const special: Record<string, (records: Records) => CallInput> = {
  '/properties-create': aProperty,
  '/portals-create': () => ({ logo: aPicture('logo.png') }),
  '/custom-portals-create': () => ({ portal: aFile('portal.zip', aPortalZip()) }),
  '/import/rooms': (records) => ({
    property_id: idOf(records, 'properties'),
    RoomImport: aFile('rooms.csv', `room,name\n${unique('Room')},Sample\n`),
  }),
  '/user-api-tokens-create': () => ({ name: unique('Key') }),
  '/user-api-tokens-delete/{id}': (records) => ({ id: idOf(records, 'api_keys of a user') }),
  '/groups-get-api-keys': (records) => ({ group_id: idOf(records, 'groups') }),
  '/groups-create-api-key': () => ({ name: unique('Key') }),
  '/groups-delete-api-key/{id}': (records) => ({ id: idOf(records, 'api_keys of a group') }),
  '/properties-get-api-keys': (records) => ({ property_id: idOf(records, 'properties') }),
  '/properties-create-api-key': () => ({ name: unique('Key') }),
  '/import/accounts': (records) => ({ property_id: idOf(records, 'properties') }),
  '/rooms-create': () => ({ number: unique('Room') }),
  '/import/devices': (records) => ({
    property_id: idOf(records, 'properties'),
    DeviceImport: aFile('sample.csv', `name,mac_address\nSample,${aMacAddress()}\n`),
  }),
  // A property cannot have two holidays that begin on the same day.
  '/property-holidays-create': () => oneDay(aDay()),
  '/property-holidays-take': () => ({ holidays: [{ name: unique('Holiday'), ...oneDay(aDay()) }] }),
  // The other option is for users with a second factor.
  '/security-update': () => ({ second_factor_required: false }),
  '/voucher-batches-create': (records) => ({ property_id: idOf(records, 'properties') }),
}

/** The same with a reference, or another value, in one field, at any depth, in a single value or a list. */
export const withValue = (
  endpoint: Endpoint,
  ask: CallInput,
  field: string,
  value: unknown,
  records: Records,
): CallInput => put(endpoint.input, ask, field.split('.'), value, records) as CallInput

/** The fields of an input, at any depth, whose schema is such a one: `overrides.rate_per_unit`. */
export function fieldsWhere(schema: z.ZodType, isOne: (schema: z.ZodType) => boolean, field = ''): string[] {
  if (isOne(schema)) return [field]
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as z.ZodRawShape).flatMap(([name, inner]) =>
      fieldsWhere(inner as z.ZodType, isOne, field ? `${field}.${name}` : name),
    )
  if (schema instanceof z.ZodArray) return fieldsWhere(schema.element as z.ZodType, isOne, field)
  if (schema instanceof z.ZodUnion)
    return [...new Set(schema.options.flatMap((option) => fieldsWhere(option as z.ZodType, isOne, field)))]
  if (schema instanceof z.ZodPipe) return fieldsWhere(schema.in as z.ZodType, isOne, field)
  if ('unwrap' in schema && typeof schema.unwrap === 'function')
    return fieldsWhere(schema.unwrap() as z.ZodType, isOne, field)
  return []
}

/** The schema inside optional, nullable and default wrappers. */
export const inside = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodPipe
    ? inside(schema.out as z.ZodType)
    : 'unwrap' in schema && typeof schema.unwrap === 'function' && !(schema instanceof z.ZodArray)
      ? inside(schema.unwrap() as z.ZodType)
      : schema

/** The first candidate that the schema accepts. */
export function sample(schema: z.ZodType, records: Records): unknown {
  const target = schema.meta()?.['ref'] as RefTarget | undefined
  // Look-ups always have a first row.
  if (target) return lookups.includes(target) ? 1 : idOf(records, target)
  const row = schema.meta()?.['x-row'] as RefTarget | undefined
  if (row) return idOf(records, row)
  const wanted = schema.meta()?.['file'] as { types: string[] } | undefined
  if (wanted?.types.includes('.png')) return aPicture('sample.png')
  if (wanted) return aFile(`sample${wanted.types[0]}`, 'name\nSample\n')
  const inner = inside(schema)
  if (inner instanceof z.ZodObject) {
    const required = Object.entries(inner.shape as z.ZodRawShape).filter(([, field]) => !passes(field, undefined))
    return Object.fromEntries(required.map(([name, field]) => [name, sample(field as z.ZodType, records)]))
  }
  if (inner instanceof z.ZodArray) return [sample(inner.element as z.ZodType, records)]
  if (inner instanceof z.ZodRecord)
    return { [String(sample(inner.keyType as z.ZodType, records))]: sample(inner.valueType as z.ZodType, records) }
  if (inner instanceof z.ZodEnum) return inner.options[0]
  const text = unique('Sample')
  const candidates = [
    text,
    `${text.replaceAll(' ', '.')}@example.com`,
    password,
    1,
    2026,
    true,
    '2026-01-02',
    '2026-01-02T03:04:05Z',
    '10.0.0.21',
    'Customer',
    'Europe/London',
    aMacAddress(),
    `https://${text.toLowerCase().replaceAll(' ', '-')}.example/`,
  ]
  const found = candidates.find((value) => passes(schema, value))
  if (found === undefined)
    throw new Error(`no sample passes: ${JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any' }))}`)
  return found
}
const lookups: readonly string[] = lookupTables

const passes = (schema: unknown, value: unknown) => (schema as z.ZodType).safeParse(value).success

function put(schema: z.ZodType, value: unknown, path: string[], given: unknown, records: Records): unknown {
  const inner = inside(schema)
  const [key, ...rest] = path
  if (inner instanceof z.ZodArray)
    return [put(inner.element as z.ZodType, Array.isArray(value) ? value[0] : undefined, path, given, records)]
  if (key === undefined) return given
  if (!(inner instanceof z.ZodObject)) throw new Error(`no way to ${path.join('.')}`)
  const object = (value ?? sample(inner, records)) as CallInput
  return { ...object, [key]: put((inner.shape as z.ZodRawShape)[key] as z.ZodType, object[key], rest, given, records) }
}
