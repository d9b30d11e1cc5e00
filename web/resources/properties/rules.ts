// Property rules: the fields that a property requires once it is not a draft. A draft only needs a name.
import type { z } from 'zod'
import { fields, PropertyInput, requiredUnlessDraft } from '#contract/properties.ts'
import type { Context } from '#contract/shapes.ts'
import { stricter } from '#web/kit/form/stricter.ts'

export type PropertySchema = typeof PropertyInput
export type PropertyField = keyof z.input<PropertySchema>

const required = Object.fromEntries(
  requiredUnlessDraft.map((name) => [name, PropertyInput.shape[name].unwrap().unwrap()]),
)
/** The same fields, more of which are required. */
const CompleteProperty = stricter(PropertyInput, required)

export const schemaFor = ({ draft }: { draft?: unknown }): PropertySchema => (draft ? PropertyInput : CompleteProperty)

/** In lower case, for use within a sentence: `country, city`. */
export const namesOf = (missing: readonly PropertyField[]): string =>
  missing.map((name) => fields[name].label.toLowerCase()).join(', ')

const customersOnly: readonly PropertyField[] = [
  'total_units',
  'rate_per_unit',
  'currency',
  'minimum_billable_percentage',
  'holiday_billable_percentage',
  'max_accounts',
  'accounting_contact_id',
]
/** The terms of a property are set by the customer, and not by those who run it. */
export const locksFor = (context: Context): Readonly<Record<string, string>> =>
  context === 'customer' ? {} : Object.fromEntries(customersOnly.map((name) => [name, 'Set by head office']))
