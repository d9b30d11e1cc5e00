// Text area field: a multi-line field of a form, such as the terms that guests agree to.
import { FieldFact } from '#web/ui/facts.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import type { FieldProps } from './field.tsx'
import type { Schema } from './form-state.ts'
import { useField } from './use-field.ts'

export function TextAreaField<S extends Schema>({
  form,
  name,
  label: ownLabel,
  ...rest
}: Pick<FieldProps<S>, 'form' | 'name' | 'label' | 'hint' | 'placeholder'> & { rows?: number }) {
  const { label, value, set, control, readOnly } = useField(form, name, ownLabel)
  const text = typeof value === 'string' ? value : ''
  if (readOnly) return <FieldFact label={label}>{text}</FieldFact>
  return <TextArea {...rest} {...control} label={label} value={text} onChange={set} />
}
