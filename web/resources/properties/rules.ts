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

export const schemaFor = ({ draft }: { draft?: unknown }): PropertySchema => (draft ? PropertyInput : CompleteProperty)
