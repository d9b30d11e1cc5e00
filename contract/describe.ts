// Describe: builds the fields of a resource from its schemas, plus what cannot be derived from their names.
//
//   export const fields = fieldsOf([RoomInput, Room, RoomRow], { departs_on: 'Departure' }, { room: ['number', 'floor'] })
import { z } from 'zod'
import { labelOf, type Field, type FieldKind } from './fields.ts'
import type { RefTarget } from './ref-target.ts'

type Schemas = readonly [written: z.ZodObject, answered?: z.ZodObject, row?: z.ZodObject]
type NameOf<S extends Schemas> = {
  [N in keyof S]: S[N] extends z.ZodObject ? keyof S[N]['shape'] & string : never
}[number]

/**
 * @param schemas the input, the answer, and a row of the list if it differs; the first that has a field decides the field's kind
 * @param labels those that differ from the usual label
 * @param sections which fields are shown together, and in which order
 */
export function fieldsOf<const S extends Schemas>(
  schemas: S,
  labels: Partial<Record<NameOf<S>, string>> = {},
  sections: Readonly<Record<string, readonly NameOf<S>[]>> = {},
): Record<NameOf<S>, Field> {
  const shapes = Object.assign({}, ...schemas.toReversed().map((schema) => schema?.shape)) as Record<string, z.ZodType>
  const placed = Object.entries(sections).flatMap(([section, names]) =>
    names.map((name) => [name, { section }] as const),
  )
  const places = new Map<string, { section: string }>(placed)
  const listed = new Set(Object.keys(schemas.at(-1)?.shape ?? {}))
  const describe = (name: string): Field => {
    const kind = name.endsWith('_id') ? 'record' : kindOf(shapes[name])
    const meta = metaOfRef(shapes[name])
    const ref = meta && { ref: meta['ref'] as RefTarget, ...(meta[none_mark] ? { none: String(meta[none_mark]) } : {}) }
    // An id is only readable with the record that it points at, and a choice or a colour only on its screen.
    const isNamed = listed.has(name.replace(/_id$/, '')) && (!ref || name.endsWith('_id'))
    const reads = kind === 'record' ? isNamed : !unreadable.has(kind)
    return {
      label: labels[name as NameOf<S>] ?? labelOf(name),
      kind,
      ...ref,
      ...places.get(name),
      ...(listed.has(name) && reads && { listed: true }),
    }
  }
  const names = new Set([...places.keys(), ...Object.keys(shapes)])
  return Object.fromEntries([...names].map((name) => [name, describe(name)])) as Record<NameOf<S>, Field>
}

/** In a row these are ids, or what only a screen can show. */
const unreadable: ReadonlySet<FieldKind> = new Set(['colour', 'records', 'other'])

const kind_mark = 'x-kind'
/** Marks what it means to have none, see `ref`. */
export const none_mark = 'x-none'
/** For numbers that are more than a count. */
export const ofKind = <S extends z.ZodType>(kind: FieldKind, schema: S): S =>
  schema.meta({ ...schema.meta(), [kind_mark]: kind })

const kinds: Partial<Record<string, FieldKind>> = {
  string: 'text',
  number: 'number',
  int: 'number',
  boolean: 'yes-or-no',
  object: 'record',
}

function kindOf(schema: z.core.$ZodType | undefined): FieldKind {
  if (!(schema instanceof z.ZodType)) return 'other'
  const meta = schema.meta()
  if (meta?.[kind_mark]) return meta[kind_mark] as FieldKind
  if (meta?.['ref']) return 'record'
  if (schema instanceof z.ZodArray) return metaOfRef(schema) ? 'records' : 'other'
  if (schema instanceof z.ZodISODate) return 'day'
  if (schema instanceof z.ZodISODateTime) return 'moment'
  if (schema instanceof z.ZodPipe) return kindOf(schema.def.in)
  if ('unwrap' in schema && typeof schema.unwrap === 'function') return kindOf(schema.unwrap() as z.ZodType)
  return kinds[schema.def.type] ?? 'other'
}

/** The marks of a reference, or of the references of a list. */
function metaOfRef(schema: z.core.$ZodType | undefined): Record<string, unknown> | undefined {
  if (!(schema instanceof z.ZodType)) return undefined
  const meta = schema.meta()
  if (meta?.['ref']) return meta
  if (schema instanceof z.ZodArray) return metaOfRef(schema.element)
  if (schema instanceof z.ZodPipe) return metaOfRef(schema.def.in)
  return 'unwrap' in schema && typeof schema.unwrap === 'function' ? metaOfRef(schema.unwrap() as z.ZodType) : undefined
}
