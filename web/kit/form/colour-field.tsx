// Colour field of a form: `<ColourField form={form} name="button_fill_colour" />`.
import { ColourField as ColourBox, type ColourFieldProps } from '#web/ui/colour-field.tsx'
import { FieldFact } from '#web/ui/facts.tsx'
import type { FieldProps } from './field.tsx'
import type { Schema } from './form-state.ts'
import { useField } from './use-field.ts'

export function ColourField<S extends Schema>({
  form,
  name,
  label: ownLabel,
  warning,
}: Pick<FieldProps<S>, 'form' | 'name' | 'label'> & Pick<ColourFieldProps, 'warning'>) {
  const { label, value, set, control, readOnly } = useField(form, name, ownLabel)
  const colour = typeof value === 'string' ? value : ''
  if (readOnly) return <FieldFact label={label}>{colour}</FieldFact>
  return <ColourBox {...control} label={label} value={colour} onChange={set} warning={warning} />
}
