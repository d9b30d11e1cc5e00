// useField: what all controls of a form have in common: value, error message, whether it is required, whether it may be
// changed.
import { useEffect } from 'react'
import { reservedFrom } from '#contract/reserved.ts'
import { session } from '#web/session/session.ts'
import type { Schema } from './form-state.ts'
import type { Form, NameIn } from './use-form.ts'

export interface FieldState {
  /** The resource's label, unless the screen replaces it. */
  label: string
  value: unknown
  set: (value: unknown) => void
  /** Props for the controls of `web/ui`. */
  control: {
    name: string
    error: string | undefined
    required: boolean
    onBlur: () => void
  }
  readOnly: boolean
  /** Why it may not be changed, if the rest of the form may. */
  reason: string | undefined
}

/** Why this user may not write a field though they may save the form; undefined if they may. */
const reservedReason = (schema: Schema, name: string): string | undefined => {
  const { user } = session.get()
  return reservedFrom({ owner_type: user?.owner_type, can: user?.can ?? {} }, schema).get(name)
}

/** `isSecret`: it hides what is typed, or it is a code that is good only once. */
export function useField<S extends Schema>(
  form: Form<S>,
  name: NameIn<S>,
  label?: string,
  isSecret = false,
): FieldState {
  const { register } = form
  // `register` only touches a ref; it does the same on every render.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => register(name, isSecret), [name, isSecret])
  const locked = form.locks[name] ?? reservedReason(form.schema, name)
  return {
    label: label ?? form.labelOf(name),
    value: form.values[name],
    set: (value) => form.set(name, value),
    control: { name, error: form.errorOf(name), required: form.required(name), onBlur: () => form.touch(name) },
    readOnly: form.readOnly || locked !== undefined,
    reason: form.readOnly ? undefined : locked,
  }
}
