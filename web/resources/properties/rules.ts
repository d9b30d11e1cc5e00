// Property rules: what a property must have once it is no draft. A draft needs only its name.
import type { z } from 'zod'
import { PropertyInput, requiredUnlessDraft } from '#contract/properties.ts'

export type PropertySchema = typeof PropertyInput
export type PropertyField = keyof z.input<PropertySchema>

const required = Object.fromEntries(
  requiredUnlessDraft.map((name) => [name, PropertyInput.shape[name].unwrap().unwrap()]),
)
/** The same fields, of which fewer may stay empty. */
const CompleteProperty = PropertyInput.extend(required) as unknown as PropertySchema

export const schemaFor = ({ draft }: { draft: boolean }): PropertySchema => (draft ? PropertyInput : CompleteProperty)

/** The wizard's steps, and the sections of the details. */
export const stepFields = {
  property: ['name', 'external_reference', 'property_type_id', 'group_id', 'email'],
  address: ['address', 'city', 'postal_code', 'country_id'],
  wifi: ['connectivity_type_id', 'portal_id', 'package_id', 'max_accounts', 'send_email', 'send_sms'],
  billing: ['total_units', 'rate_per_unit', 'minimum_billable_percentage', 'holiday_billable_percentage'],
} as const satisfies Record<string, readonly PropertyField[]>
