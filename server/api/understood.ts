// Understood: finds what a write does not know or cannot set, so that it is refused and never dropped. What a read has
// answered may be sent back: it must say what is so already, or be the server's own to move.
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { FieldErrors } from '#contract/errors.ts'
import { fieldUnknown, fieldUnwritable, isMoved, refusalOfField } from '#contract/understood.ts'

type Values = Record<string, unknown>

/** Whether a call is held to what it knows: every write but those of signing in, which read only what they need. */
const isHeld = ({ kind, area, status }: Endpoint) => kind === 'write' && (area !== 'sessions' || status === 201)

const unwrapped = (schema: z.ZodType): z.ZodType =>
  'unwrap' in schema && typeof schema.unwrap === 'function' && !(schema instanceof z.ZodArray)
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema

/** The fields of the record that a call answers; none where it answers something else. */
function answered({ output }: Endpoint): z.ZodRawShape {
  const data = output instanceof z.ZodObject ? (output.shape['data'] as z.ZodType) : undefined
  const record = data instanceof z.ZodUnion ? (data.options[0] as z.ZodType) : data
  return record instanceof z.ZodObject ? record.shape : {}
}

export interface Foreign {
  /** The call's own fields. */
  own: Values
  /** Fields that nothing here knows, each with its sentence. */
  errors: FieldErrors
  /** Fields that the call answers and does not take, as they were sent. */
  echoed: Values
}

/** What of the given fields is not the call's own. */
export function foreignIn(endpoint: Endpoint, given: object): Foreign {
  const { input, area } = endpoint
  if (!isHeld(endpoint) || !(input instanceof z.ZodObject)) return { own: { ...given }, errors: {}, echoed: {} }
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

/** What a read answers of a file, in place of one. */
const isReadFile = (field: unknown, value: unknown) =>
  field instanceof z.ZodType &&
  unwrapped(field).meta()?.['file'] !== undefined &&
  typeof value === 'string' &&
  value !== ''

/** Unknown fields of objects inside a field: an entry of a list is named by its place. */
function unknownInside(schema: unknown, value: unknown, path: string): string[] {
  if (!(schema instanceof z.ZodType) || typeof value !== 'object' || value === null) return []
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((entry, index) => unknownInside(inner.element, entry, `${path}.${index}`))
  // A strict object finds them itself.
  if (!(inner instanceof z.ZodObject) || inner.def.catchall) return []
  return Object.entries(value).flatMap(([name, each]) =>
    Object.hasOwn(inner.shape, name) ? unknownInside(inner.shape[name], each, `${path}.${name}`) : [`${path}.${name}`],
  )
}

const idIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined

/** Whether what is sent of a field is what it holds. `{id, name}` is compared by its id: names change. */
const saysTheSame = (sent: unknown, held: unknown) =>
  isDeepStrictEqual(sent ?? null, held ?? null) || (idIn(sent) !== undefined && idIn(sent) === idIn(held))

/** Fields of an upload come as text: objects as JSON, nothing as an empty one. */
function readBack(sent: unknown, held: unknown): unknown {
  if (typeof sent !== 'string' || typeof held === 'string') return sent
  if (sent === '') return null
  try {
    return JSON.parse(sent)
  } catch {
    return sent
  }
}

const saysNothing = (value: unknown) =>
  value === null || value === '' || value === false || value === 0 || (Array.isArray(value) && value.length === 0)

/**
 * Refuses what would change a field that the call cannot set. `held`: the record as it is, where there is one. `asked`: the
 * fields of the call; beside `group_id`, a `group` may name the one that is to be.
 */
export function unwritableIn(echoed: Values, asked: Values, held: Values | undefined): FieldErrors {
  const refused = Object.entries(echoed).filter(([name, value]) => {
    if (name !== 'id' && isMoved(name)) return false
    const sent = readBack(value, held?.[name])
    const wanted = asked[`${name}_id`]
    if (wanted !== undefined && idIn(sent) === wanted) return false
    return held ? !saysTheSame(sent, held[name]) : !saysNothing(sent)
  })
  return Object.fromEntries(refused.map(([name]) => [name, [fieldUnwritable]]))
}
