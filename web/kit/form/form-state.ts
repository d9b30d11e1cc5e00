// Form state: the rules of a form as pure functions: what is wrong, what is required, what has changed.
import type { z } from 'zod'
import type { FieldErrors } from '#contract/errors.ts'
import { fieldErrors } from '#contract/field-errors.ts'

export type Schema = z.ZodObject
export type Values = Record<string, unknown>

const fieldOf = (schema: Schema, name: string) => schema.shape[name] as z.ZodType | undefined

/** A field that may not be left empty: the schema neither allows its absence nor has a default for it. */
export const isRequired = (schema: Schema, name: string): boolean =>
  !(fieldOf(schema, name)?.safeParse(undefined).success ?? true)

/** A field that may be cleared: null is a valid value. */
export const isClearable = (schema: Schema, name: string): boolean =>
  fieldOf(schema, name)?.safeParse(null).success ?? false

/** A field for which an empty text is a valid value, such as no redirect address. */
const mayBeEmpty = (schema: Schema, name: string): boolean => fieldOf(schema, name)?.safeParse('').success ?? false

interface Inner {
  def?: { type: string; innerType?: Inner; in?: Inner; options?: Inner[] }
}
const innerOf = ({ def }: Inner) => def?.innerType ?? def?.in ?? def?.options?.[0]

/** The type of a field beneath optionals, defaults and pipes, of a union the first: `string`, `number`, `boolean`, `array` … */
export function kindOf(schema: Schema, name: string): string {
  let field = fieldOf(schema, name) as Inner | undefined
  for (let inner = field && innerOf(field); inner; inner = innerOf(inner)) field = inner
  return field?.def?.type ?? 'string'
}

/** A cleared field is sent as null if null is allowed; otherwise it is left out if optional, or sent as empty. */
export function tidy(schema: Schema, values: Values): Values {
  const tidied: Values = {}
  for (const [name, value] of Object.entries(values)) {
    if (value !== '') tidied[name] = value
    else if (isClearable(schema, name)) tidied[name] = null
    else if (fieldOf(schema, name)?.def.type === 'optional') continue
    else tidied[name] = kindOf(schema, name) === 'string' || mayBeEmpty(schema, name) ? '' : null
  }
  return tidied
}

/** The specification's error messages, by field. */
export function problems(schema: Schema, values: Values): FieldErrors {
  const result = schema.safeParse(tidy(schema, values))
  return result.success ? {} : byField(fieldErrors(result.error), schema)
}

/** `property_ids.0` belongs to the field `property_ids`; `settings.site` to itself, where `settings` is an object of fields. */
export function byField(errors: FieldErrors, schema: Schema): FieldErrors {
  const grouped: FieldErrors = {}
  for (const [path, sentences] of Object.entries(errors)) {
    const [first = path, second] = path.split('.')
    const field = second !== undefined && kindOf(schema, first) === 'object' ? `${first}.${second}` : first
    ;(grouped[field] ??= []).push(...sentences)
  }
  return grouped
}

/** The schema's own defaults, for a new record. */
export function defaultsOf(schema: Schema): Values {
  const values: Values = {}
  for (const name of Object.keys(schema.shape)) {
    const result = fieldOf(schema, name)?.safeParse(undefined)
    if (result?.success && result.data !== undefined) values[name] = result.data
  }
  return values
}

/** The fields that the form edits, as the record has them. Empty is what no record answers, such as a password that was just saved. */
export const valuesOf = (schema: Schema, record: Values): Values =>
  Object.fromEntries(Object.keys(schema.shape).map((name) => [name, record[name]]))

const same = (a: unknown, b: unknown): boolean => {
  const plain = (value: unknown) => (value === undefined || value === '' ? null : value)
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b))
}

/** The names of the fields that differ from the loaded values. */
export const changedNames = (before: Values, now: Values): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => !same(before[name], now[name]))

/**
 * Merges a record that was loaded again into its form. What only others have changed is taken over; what was typed stays.
 * `clashes`: the names of fields that both sides have changed to different values.
 */
export function mergeLoaded(start: Values, values: Values, loaded: Values): { values: Values; clashes: string[] } {
  const typed = changedNames(start, values)
  const kept = typed.map((name): [string, unknown] => [name, values[name]])
  const theirs = changedNames(start, loaded)
  return {
    values: { ...values, ...loaded, ...Object.fromEntries(kept) },
    clashes: typed.filter((name) => theirs.includes(name) && !same(values[name], loaded[name])),
  }
}

/** The text of a number field as a number if it is one, else unchanged, so that its error message can be shown. */
export function numberTyped(text: string): number | string {
  const tidy = text.trim().replace(',', '.')
  return /^-?(\d+\.?\d*|\.\d+)$/.test(tidy) && !tidy.endsWith('.') ? Number(tidy) : text
}
