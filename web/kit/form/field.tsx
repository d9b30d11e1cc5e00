// Fields: the single-line inputs of a form: `<Field form={form} name="contact_email" />`.
// The schema decides whether one is required or a number; the form decides what is wrong.
import { moneyOf } from '#web/kit/display/numbers.ts'
import { FieldFact } from '#web/ui/facts.tsx'
import { PasswordField as PasswordBox, TextField, type TextFieldProps } from '#web/ui/text-field.tsx'
import { kindOf, numberTyped, type Schema } from './form-state.ts'
import { useField } from './use-field.ts'
import type { Form, NameIn } from './use-form.ts'

export interface FieldProps<S extends Schema> {
  form: Form<S>
  name: NameIn<S>
  /** Replaces the resource's label. */
  label?: string
  hint?: string
  /** Gets the focus when its screen or dialog opens. */
  first?: boolean
  autoComplete?: string
  placeholder?: string
  /** Behind the value: GB, Mbit/s, %. */
  unit?: string
  /** What 0 means, if it is not a quantity: `No limit`. */
  zero?: string
  /** For the keyboards of phones and for password managers. Numbers are recognised by the schema. */
  type?: 'email' | 'tel' | 'url'
}

const textOf = (value: unknown) => (value === undefined || value === null ? '' : String(value))

function useTextProps<S extends Schema>(
  { form, name, zero, label: ownLabel, ...rest }: FieldProps<S>,
  isSecret = rest.autoComplete === 'one-time-code',
): TextFieldProps & { readOnly: boolean; reason: string | undefined } {
  const { label, value, set, control, readOnly, reason } = useField(form, name, ownLabel, isSecret)
  const number = kindOf(form.schema, name) === 'number'
  return {
    ...rest,
    label,
    ...(zero ? { hint: value === 0 ? zero : `0 for ${zero.toLowerCase()}` } : {}),
    ...control,
    value: textOf(value),
    onChange: (text) => set(number ? numberTyped(text) : text),
    readOnly,
    reason,
    ...(number ? { type: 'number' as const } : {}),
  }
}

/** A line of text, or a number if the schema says so. */
export function Field<S extends Schema>(props: FieldProps<S>) {
  const { readOnly, reason, ...text } = useTextProps(props)
  if (!readOnly) return <TextField {...text} />
  const shown = text.value && [text.value, text.unit].filter(Boolean).join(text.unit === '%' ? '' : ' ')
  return (
    <FieldFact label={text.label} reason={reason}>
      {text.value === '0' ? (props.zero ?? shown) : shown}
    </FieldFact>
  )
}

/** Shown like any amount; typed freely. */
export function MoneyField<S extends Schema>(props: FieldProps<S>) {
  const { label, value, readOnly, reason } = useField(props.form, props.name, props.label)
  if (!readOnly || value === '' || value == null) return <Field {...props} />
  return (
    <FieldFact label={label} reason={reason}>
      {moneyOf(Number(value))}
    </FieldFact>
  )
}

/** With a show button and the caps-lock warning. */
export function PasswordField<S extends Schema>(props: FieldProps<S>) {
  const { reason: _reason, ...text } = useTextProps(props, true)
  return <PasswordBox {...text} />
}
