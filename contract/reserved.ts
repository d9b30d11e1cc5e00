// Reserved fields: fields that some callers may not write although they may make the call, by marks in the schema. They can be read
// by everybody in reach. A caller who may not write one leaves it out, or sends it unchanged.
import { z } from 'zod'
import { reservedForCustomer, reservedForEditors } from './errors.ts'
import { allows, type Area, type Can } from './permissions.ts'

const customers_mark = 'x-written-by'
const desks_mark = 'x-written-at-desk'

/** A field that only the customer's own users may write, not those of a group or a property: the terms of the customer's bill. */
export const ofCustomer = <S extends z.ZodType>(field: S): S =>
  field.meta({ ...field.meta(), [customers_mark]: 'Customer' })

/** A field that the front desk may write, too. In a schema with such fields, callers without `write` may write no others. */
export const atDesk = <S extends z.ZodType>(area: Area, field: S): S =>
  field.meta({ ...field.meta(), [desks_mark]: area })

function markOf(field: z.core.$ZodType | undefined, mark: string): unknown {
  if (!(field instanceof z.ZodType)) return undefined
  const found = field.meta()?.[mark]
  if (found !== undefined) return found
  return 'unwrap' in field && typeof field.unwrap === 'function' ? markOf(field.unwrap() as z.ZodType, mark) : undefined
}

interface Marked {
  customers: readonly string[]
  /** The area of the fields that the front desk may write, and all other fields. */
  desk: { area: Area; others: readonly string[] } | undefined
}
const known = new WeakMap<z.ZodType, Marked>()
function marksOf(schema: z.ZodObject): Marked {
  const found = known.get(schema)
  if (found) return found
  const names = Object.keys(schema.shape)
  const written = names.filter((name) => markOf(schema.shape[name], desks_mark) !== undefined)
  const area = written[0] === undefined ? undefined : (markOf(schema.shape[written[0]], desks_mark) as Area)
  // `id` and `was` identify the record and its state; they are not fields of it.
  const others = names.filter((name) => !written.includes(name) && name !== 'id' && name !== 'was')
  const marked = {
    customers: names.filter((name) => markOf(schema.shape[name], customers_mark) !== undefined),
    desk: area && { area, others },
  }
  known.set(schema, marked)
  return marked
}

export interface Writer {
  owner_type: string | undefined
  can: Can
}

/** The fields of a schema that this writer may not write, each with its refusal. */
export function reservedFrom({ owner_type, can }: Writer, schema: z.ZodType): ReadonlyMap<string, string> {
  if (!(schema instanceof z.ZodObject)) return new Map()
  const { customers, desk } = marksOf(schema)
  const ofCustomers = owner_type === 'Customer' ? [] : customers
  const ofEditors = desk && !allows(can, desk.area, 'write') ? desk.others : []
  return new Map([
    ...ofEditors.map((name): [string, string] => [name, reservedForEditors]),
    ...ofCustomers.map((name): [string, string] => [name, reservedForCustomer]),
  ])
}
