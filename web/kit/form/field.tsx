// Fields: one line each in a form: `<Field form={form} name="contact_email" label="Contact e-mail" />`.
// The schema says whether it is required, a number or a yes-or-no; the form says what is wrong.
import { useEffect } from 'react'
import { PasswordField as PasswordBox, TextField, type TextFieldProps } from '#web/ui/text-field.tsx'
import { kindOf, numberTyped, type Schema } from './form-state.ts'
import type { Form, NameIn } from './use-form.ts'

export interface FieldProps<S extends Schema> {
  form: Form<S>
  name: NameIn<S>
  label: string
  hint?: string
  /** Has the focus when its screen or dialog opens. */
  first?: boolean
  autoComplete?: string
  placeholder?: string
  /** Behind the value: GB, Mbit/s, %. */
  unit?: string
  /** How phones and password managers should see it. Numbers find themselves. */
  type?: 'email' | 'tel' | 'url'
}

/** What every text-like field passes to its control. */
function useTextProps<S extends Schema>({ form, name, hint, ...rest }: FieldProps<S>): TextFieldProps {
  const { register } = form
  // `register` only touches a ref; it is the same in effect on every draw.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => register(name), [name])
  const number = kindOf(form.schema, name) === 'number'
  const value = form.values[name]
  return {
    ...rest,
    name,
    hint,
    value: value === undefined || value === null ? '' : String(value),
    onChange: (text) => form.set(name, number ? numberTyped(text) : text),
    onBlur: () => form.touch(name),
    error: form.errorOf(name),
    required: form.required(name),
    readOnly: form.readOnly,
    ...(number ? { type: 'number' as const } : {}),
  }
}

/** A line of text, or a number where the schema has one. */
export const Field = <S extends Schema>(props: FieldProps<S>) => <TextField {...useTextProps(props)} />
/** With its show button and the caps-lock hint. */
export const PasswordField = <S extends Schema>(props: FieldProps<S>) => <PasswordBox {...useTextProps(props)} />
