// Time field: a time of day by a property's clock: `<TimeField form={form} name="until_time" />`.
import { FieldFact } from '#web/ui/facts.tsx'
import { TimeInput } from '#web/ui/moment-field.tsx'
import type { FieldProps } from './field.tsx'
import type { Schema } from './form-state.ts'
import { useField } from './use-field.ts'

export function TimeField<S extends Schema>({
  form,
  name,
  label: ownLabel,
  hint,
}: Pick<FieldProps<S>, 'form' | 'name' | 'label' | 'hint'>) {
  const { label, value, set, control, readOnly } = useField(form, name, ownLabel)
  const time = typeof value === 'string' ? value : ''
  if (readOnly) return <FieldFact label={label}>{time}</FieldFact>
  return <TimeInput {...control} label={label} hint={hint} value={time} onChange={set} />
}
