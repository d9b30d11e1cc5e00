// References: finds the ids in a checked value that point at other records, by the marks that `ref` leaves in the schema.
import { z } from 'zod'
import type { RefTarget } from './ref-target.ts'
import { id } from './shapes.ts'

export interface FoundRef {
  target: RefTarget
  id: number
  /** Its path: `portal_id`, `property_ids`, `params.group_id`. Entries of a list share the list's name. */
  field: string
}

/** Whether a schema has a mark anywhere. Saves walking lists of thousands of plain ids. */
const marked = new WeakMap<z.ZodType, boolean>()
function isMarked(schema: z.ZodType): boolean {
  const known = marked.get(schema) ?? refFields(schema).length > 0
  marked.set(schema, known)
  return known
}

/** Walks schema and value together through objects, lists, optionals, defaults and unions. */
export function refsIn(schema: z.ZodType, value: unknown, field = ''): FoundRef[] {
  if (value === undefined || value === null || !isMarked(schema)) return []
  const target = schema.meta()?.['ref'] as RefTarget | undefined
  // Anything that is not an id is refused by the schema.
  if (target) return isId(value) ? [{ target, id: value, field }] : []
  if (schema instanceof z.ZodObject && typeof value === 'object')
    return Object.entries(schema.shape).flatMap(([name, inner]) =>
      refsIn(inner as z.ZodType, (value as Record<string, unknown>)[name], field ? `${field}.${name}` : name),
    )
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((entry) => refsIn(schema.element as z.ZodType, entry, field))
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option) =>
      Array.isArray(value) === option instanceof z.ZodArray ? refsIn(option as z.ZodType, value, field) : [],
    )
  if (schema instanceof z.ZodPipe) return refsIn(schema.out as z.ZodType, value, field)
  if ('unwrap' in schema && typeof schema.unwrap === 'function')
    return refsIn(schema.unwrap() as z.ZodType, value, field)
  return []
}

const isId = (value: unknown): value is number => id.safeParse(value).success

/** The rows of a bulk call, as references, so that they are reported together with those in its other fields. */
export function bulkRowsIn(schema: z.ZodType, value: unknown): FoundRef[] {
  const [, target] = refFields(schema, '', 'x-row').find(([field]) => field === 'ids') ?? []
  const ids = (value as { ids?: unknown }).ids
  return target && Array.isArray(ids) ? ids.filter(isId).map((row) => ({ target, id: row, field: 'ids' })) : []
}

/**
 * Every field of a schema that has a mark, for sweeps: `[['portal_id', 'portals'], …]`. `x-row` marks the rows that a call is about,
 * see `rowOf`.
 */
export function refFields(
  schema: z.ZodType,
  field = '',
  mark: 'ref' | 'x-row' = 'ref',
): [field: string, target: RefTarget][] {
  const target = schema.meta()?.[mark] as RefTarget | undefined
  if (target) return [[field, target]]
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, inner]) =>
      refFields(inner as z.ZodType, field ? `${field}.${name}` : name, mark),
    )
  if (schema instanceof z.ZodArray) return refFields(schema.element as z.ZodType, field, mark)
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option) => refFields(option as z.ZodType, field, mark))
  if (schema instanceof z.ZodPipe) return refFields(schema.out as z.ZodType, field, mark)
  if ('unwrap' in schema && typeof schema.unwrap === 'function')
    return refFields(schema.unwrap() as z.ZodType, field, mark)
  return []
}
