// Absent fields: those that a call leaves out, however that is written, and the messages for fields that may be left out.
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { FieldErrors } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'

type Values = Record<string, unknown>

const unwrapped = (schema: unknown): z.ZodType | undefined =>
  !(schema instanceof z.ZodType)
    ? undefined
    : 'unwrap' in schema && typeof schema.unwrap === 'function' && !(schema instanceof z.ZodArray)
      ? unwrapped(schema.unwrap())
      : schema

const fieldsOf = (schema: unknown): z.ZodRawShape => {
  const inner = unwrapped(schema)
  return inner instanceof z.ZodObject ? inner.shape : {}
}
const isPlain = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const takesNull = (schema: unknown) => schema instanceof z.ZodType && schema.safeParse(null).success

/**
 * The input of a list without the parts that ask for nothing: null, and filters without values. Null stays as the value of a
 * filter that can ask for records without one.
 */
export function withoutEmpty({ input }: Endpoint, given: Values): Values {
  const fields = fieldsOf(input)
  if (!('params' in fields && 'filters' in fields)) return given
  const filters = fieldsOf(fields['filters'])
  const asksNothing = (name: string, value: unknown) =>
    (value === null && !takesNull(filters[name])) || (Array.isArray(value) && value.length === 0)
  return mapped(given, (name, value) =>
    name === 'filters' && isPlain(value)
      ? mapped(value, (filter, each) => (asksNothing(filter, each) ? undefined : each))
      : name === 'params' && isPlain(value)
        ? mapped(value, (_, each) => each ?? undefined)
        : (value ?? undefined),
  )
}

/** Maps each value; those that become undefined are dropped. */
const mapped = (values: Values, each: (name: string, value: unknown) => unknown): Values =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const kept = each(name, value)
      return kept === undefined ? [] : [[name, kept]]
    }),
  )

const leaveOut = 'Please give a value, or leave this out'

/** Never calls a field required that may be left out. A change leaves out every field it does not change. */
export function withoutRequired({ input, kind, status }: Endpoint, errors: FieldErrors): FieldErrors {
  if (kind === 'write' && status !== 201) return errors
  const entries = Object.entries(errors).map(([path, sentences]) => [
    path,
    mayBeAbsent(input, path.split('.'))
      ? sentences.map((sentence) => (sentence === messages.fields.required ? leaveOut : sentence))
      : sentences,
  ])
  return Object.fromEntries(entries) as FieldErrors
}

function mayBeAbsent(schema: unknown, [name, ...rest]: string[]): boolean {
  const field = name === undefined ? undefined : fieldsOf(schema)[name]
  if (!(field instanceof z.ZodType)) return false
  return rest.length > 0 ? mayBeAbsent(field, rest) : field.safeParse(undefined).success
}
