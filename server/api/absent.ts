// Absent: what a call leaves out, however it is written, and what is said where something is given that may be left out.
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
 * What a list is asked with, less what asks for nothing: null, and a filter without values. Null as a filter's value stays where
 * it asks for what has none.
 */
export function withoutNothing({ input }: Endpoint, given: Values): Values {
  const fields = fieldsOf(input)
  if (!('params' in fields && 'filters' in fields)) return given
  const filters = fieldsOf(fields['filters'])
  const asksNothing = (name: string, value: unknown) =>
    (value === null && !takesNull(filters[name])) || (Array.isArray(value) && value.length === 0)
  return left(given, (name, value) =>
    name === 'filters' && isPlain(value)
      ? left(value, (filter, each) => (asksNothing(filter, each) ? undefined : each))
      : name === 'params' && isPlain(value)
        ? left(value, (_, each) => each ?? undefined)
        : (value ?? undefined),
  )
}

/** What is undefined goes. */
const left = (values: Values, each: (name: string, value: unknown) => unknown): Values =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const kept = each(name, value)
      return kept === undefined ? [] : [[name, kept]]
    }),
  )

const leaveOut = 'Please give a value, or leave this out'

/** Nobody is told that a field is required which may be left out. A change leaves out whatever it does not change. */
export function withoutRequired({ input, kind, status }: Endpoint, errors: FieldErrors): FieldErrors {
  if (kind === 'write' && status !== 201) return errors
  const entries = Object.entries(errors).map(([path, sentences]) => [
    path,
    mayBeAbsent(input, path.split('.'))
      ? sentences.map((said) => (said === messages.fields.required ? leaveOut : said))
      : sentences,
  ])
  return Object.fromEntries(entries) as FieldErrors
}

function mayBeAbsent(schema: unknown, [name, ...rest]: string[]): boolean {
  const field = name === undefined ? undefined : fieldsOf(schema)[name]
  if (!(field instanceof z.ZodType)) return false
  return rest.length > 0 ? mayBeAbsent(field, rest) : field.safeParse(undefined).success
}
