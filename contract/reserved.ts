// Reserved fields: those that only some may write, by the marks that `ofCustomer` left in a schema. Everybody in reach may
// read them. Whoever may not write one leaves it out, or sends it as it is.
import { z } from 'zod'

const mark = 'x-written-by'

/** A field that only the customer's own users write, not those of a group or a property: what the customer is billed by. */
export const ofCustomer = <S extends z.ZodType>(field: S): S => field.meta({ ...field.meta(), [mark]: 'Customer' })

function isReserved(field: z.core.$ZodType | undefined): boolean {
  if (!(field instanceof z.ZodType)) return false
  if (field.meta()?.[mark] === 'Customer') return true
  return 'unwrap' in field && typeof field.unwrap === 'function' && isReserved(field.unwrap() as z.ZodType)
}

const known = new WeakMap<z.ZodType, readonly string[]>()
/** The names of the fields of a schema that somebody of this owner may not write. */
export function reservedFrom(owner_type: string | undefined, schema: z.ZodType): readonly string[] {
  if (owner_type === 'Customer' || !(schema instanceof z.ZodObject)) return []
  const names = known.get(schema) ?? Object.keys(schema.shape).filter((name) => isReserved(schema.shape[name]))
  known.set(schema, names)
  return names
}
