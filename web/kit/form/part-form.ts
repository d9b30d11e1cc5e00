// Part form: the fields of an object within a form, as a form of their own for the usual controls: `settings.site` is its field `site`.
import type { z } from 'zod'
import { isRequired, type Schema, type Values } from './form-state.ts'
import type { Form, NameIn } from './use-form.ts'

/** @param labels of its fields, which the resource's description does not have */
export function partOf<S extends Schema>(
  form: Form<S>,
  part: NameIn<S>,
  schema: z.ZodObject,
  labels: Readonly<Record<string, string>>,
): Form {
  const values = (form.values[part] ?? {}) as Values
  const pathOf = (name: string) => `${part}.${name}` as NameIn<S>
  return {
    ...form,
    schema,
    values,
    set: (name, value) => form.set(part, { ...values, [name]: value }),
    preset: (name, value) => form.preset(part, { ...values, [name]: value }),
    touch: (name) => form.touch(pathOf(name)),
    errorOf: (name) => form.errorOf(pathOf(name)),
    wrong: (name) => form.wrong(pathOf(name)),
    required: (name) => isRequired(schema, name),
    locks: {},
    register: (name, isSecret) => form.register(pathOf(name), isSecret),
    labelOf: (name) => labels[name] ?? name,
    fields: {},
  }
}
