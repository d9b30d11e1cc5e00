// Unknown fields: finds fields that a call does not know or cannot set, so that they are refused and never silently dropped.
// Fields of an earlier answer may be sent back, if they are unchanged or are ones that the server changes by itself.
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { FieldErrors } from '#contract/errors.ts'
import { partOf } from '#contract/keys.ts'
import { fieldUnknown, fieldUnwritable, isMoved, refusalOfField } from '#contract/unknown-fields.ts'

type Values = Record<string, unknown>

/**
 * Whether unknown fields are refused: by every write except those of signing in, which read only what they need, and by every read
 * that asks a question in its body. A list has its own protocol.
 */
const isStrict = ({ kind, method, area, status, input }: Endpoint) =>
  kind === 'write'
    ? area !== 'sessions' || status === 201
    : method === 'POST' && area !== 'sessions' && input instanceof z.ZodObject && !isList(input)
const isList = ({ shape }: z.ZodObject) => 'params' in shape && 'filters' in shape

const unwrapped = (schema: z.ZodType): z.ZodType =>
  'unwrap' in schema && typeof schema.unwrap === 'function' && !(schema instanceof z.ZodArray)
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema

/** The fields of the record that a call returns; none if it returns something else. */
function answered({ output }: Endpoint): z.ZodRawShape {
  const data = output instanceof z.ZodObject ? (output.shape['data'] as z.ZodType) : undefined
  const record = data instanceof z.ZodUnion ? (data.options[0] as z.ZodType) : data
  return record instanceof z.ZodObject ? record.shape : {}
}

export interface SplitFields {
  /** The call's own fields. */
  own: Values
  /** Unknown fields, each with its sentence. */
  errors: FieldErrors
  /** Fields that the call returns but does not take, as they were sent. */
  echoed: Values
}

/** Separates the call's own fields from others. */
export function splitFields(endpoint: Endpoint, given: object): SplitFields {
  const { input, area } = endpoint
  if (!isStrict(endpoint) || !(input instanceof z.ZodObject)) return { own: { ...given }, errors: {}, echoed: {} }
  const shape = answered(endpoint)
  const own = new Map<string, unknown>()
  const errors = new Map<string, string[]>()
  const echoed = new Map<string, unknown>()
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(input.shape, name) && !isReadFile(input.shape[name], value)) {
      own.set(name, value)
      for (const path of unknownInside(input.shape[name], value, name)) errors.set(path, [fieldUnknown])
    } else if (Object.hasOwn(shape, name)) echoed.set(name, value)
    else errors.set(name, [refusalOfField(area, name)])
  }
  return { own: Object.fromEntries(own), errors: Object.fromEntries(errors), echoed: Object.fromEntries(echoed) }
}

/** What a read returns for a file, sent back in place of a file. */
const isReadFile = (field: unknown, value: unknown) =>
  field instanceof z.ZodType &&
  unwrapped(field).meta()?.['file'] !== undefined &&
  typeof value === 'string' &&
  value !== ''

/** Unknown fields of objects inside a field: an entry of a list is named by its index. */
function unknownInside(schema: unknown, value: unknown, path: string): string[] {
  if (!(schema instanceof z.ZodType) || typeof value !== 'object' || value === null) return []
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((entry, index) => unknownInside(inner.element, entry, `${path}.${index}`))
  // A strict object reports them itself.
  if (!(inner instanceof z.ZodObject) || inner.def.catchall) return []
  return Object.entries(value).flatMap(([name, each]) =>
    Object.hasOwn(inner.shape, name) ? unknownInside(inner.shape[name], each, `${path}.${name}`) : [`${path}.${name}`],
  )
}

const idIn = (value: unknown) => partOf(value, 'id')

/** Whether the value sent equals the stored one. `{id, name}` is compared by its id: names change. */
const isSame = (sent: unknown, stored: unknown) =>
  isDeepStrictEqual(sent ?? null, stored ?? null) || (idIn(sent) !== undefined && idIn(sent) === idIn(stored))

/** Fields of an upload are text: objects as JSON, null as an empty text. */
function readBack(sent: unknown, stored: unknown): unknown {
  if (typeof sent !== 'string' || typeof stored === 'string') return sent
  if (sent === '') return null
  try {
    return JSON.parse(sent)
  } catch {
    return sent
  }
}

const isEmptyValue = (value: unknown) =>
  value === null || value === '' || value === false || value === 0 || (Array.isArray(value) && value.length === 0)

/**
 * Refuses values that would change a field which the call cannot set. `stored`: the present record, where there is one.
 * `asked`: the fields of the call; with `group_id`, a `group` may name the new one.
 */
export function unwritableIn(echoed: Values, asked: Values, stored: Values | undefined): FieldErrors {
  const refused = Object.entries(echoed).filter(([name, value]) => {
    if (name !== 'id' && isMoved(name)) return false
    const sent = readBack(value, stored?.[name])
    const wanted = asked[`${name}_id`]
    if (wanted !== undefined && idIn(sent) === wanted) return false
    return stored ? !isSame(sent, stored[name]) : !isEmptyValue(sent)
  })
  return Object.fromEntries(refused.map(([name]) => [name, [fieldUnwritable]]))
}
