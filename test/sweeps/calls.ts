// Calls: every endpoint that is served, and for each an ask that its contract accepts, made from the schema.
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { refFields } from '#contract/refs.ts'
import type { RefTarget } from '#contract/shapes.ts'
import { resourcesOf } from '#server/api/app.ts'
import type { Services } from '#server/services.ts'
import type { Area } from '#contract/permissions.ts'
import type { Records } from '#test/records.ts'
import { password, unique } from '#test/foyer.ts'
import { aFile } from '#test/uploads.ts'

export interface Call {
  /** As a test's name shows it. */
  name: string
  area: Area
  endpoint: Endpoint
}

export const calls: Call[] = resourcesOf({} as Services).flatMap(({ endpoints }) =>
  endpoints.map(([endpoint]) => ({ name: `${endpoint.method} ${endpoint.path}`, area: endpoint.area, endpoint })),
)

export type CallInput = Record<string, unknown>
export const shapeOf = (endpoint: Endpoint): z.ZodRawShape =>
  endpoint.input instanceof z.ZodObject ? endpoint.input.shape : {}
export const takes = (endpoint: Endpoint, field: string) => field in shapeOf(endpoint)

/** The marked fields, each once: a field that takes one or many has its mark twice. */
export const refsOf = (endpoint: Endpoint): [field: string, target: RefTarget][] => [
  ...new Map(refFields(endpoint.input)),
]

/** Only what must be given. Ids are those of `records`: of the area's own table, or of the table that a mark names. */
export function askFor({ endpoint, area }: Call, records: Records): CallInput {
  const ask = sample(endpoint.input, records) as CallInput
  const own = records.get(area) ?? 1
  if (takes(endpoint, 'id')) ask['id'] = own
  if (takes(endpoint, 'ids')) ask['ids'] = [own]
  return ask
}

/** The same with a reference in one field, however deep and whether it takes one or a list. */
export const withRef = (endpoint: Endpoint, ask: CallInput, field: string, id: number, records: Records): CallInput =>
  put(endpoint.input, ask, field.split('.'), id, records) as CallInput

const inside = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodPipe
    ? inside(schema.out as z.ZodType)
    : 'unwrap' in schema && typeof schema.unwrap === 'function' && !(schema instanceof z.ZodArray)
      ? inside(schema.unwrap() as z.ZodType)
      : schema

/** A value that passes: the first that does, for the schema is the only one to know. */
export function sample(schema: z.ZodType, records: Records): unknown {
  const target = schema.meta()?.['ref'] as RefTarget | undefined
  if (target) return records.get(target) ?? 1
  const wanted = schema.meta()?.['file'] as { types: string[] } | undefined
  if (wanted) return aFile(`sample${wanted.types[0]}`, 'name\nSample\n')
  const inner = inside(schema)
  if (inner instanceof z.ZodObject) {
    const required = Object.entries(inner.shape as z.ZodRawShape).filter(([, field]) => !passes(field, undefined))
    return Object.fromEntries(required.map(([name, field]) => [name, sample(field as z.ZodType, records)]))
  }
  if (inner instanceof z.ZodArray) return [sample(inner.element as z.ZodType, records)]
  if (inner instanceof z.ZodEnum) return inner.options[0]
  const text = unique('Sample')
  const candidates = [
    text,
    `${text.replaceAll(' ', '.')}@example.com`,
    password,
    1,
    true,
    '2026-01-02',
    '2026-01-02T03:04:05Z',
    'Customer',
  ]
  return candidates.find((value) => passes(schema, value))
}

const passes = (schema: unknown, value: unknown) => (schema as z.ZodType).safeParse(value).success

function put(schema: z.ZodType, value: unknown, path: string[], id: number, records: Records): unknown {
  const inner = inside(schema)
  const [key, ...rest] = path
  if (inner instanceof z.ZodArray)
    return [put(inner.element as z.ZodType, Array.isArray(value) ? value[0] : undefined, path, id, records)]
  if (key === undefined) return id
  if (!(inner instanceof z.ZodObject)) throw new Error(`no way to ${path.join('.')}`)
  const object = (value ?? sample(inner, records)) as CallInput
  return { ...object, [key]: put((inner.shape as z.ZodRawShape)[key] as z.ZodType, object[key], rest, id, records) }
}
