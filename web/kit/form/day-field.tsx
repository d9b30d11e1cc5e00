// Day field: a calendar date without a time zone: `<DayField form={form} name="departs_on" />`.
import { dayOf } from '#web/kit/display/dates.ts'
import { FieldFact } from '#web/ui/facts.tsx'
import { DayInput } from '#web/ui/moment-field.tsx'
import type { FieldProps } from './field.tsx'
import type { Schema } from './form-state.ts'
import { useField } from './use-field.ts'

export function DayField<S extends Schema>({
  form,
  name,
  label: ownLabel,
  hint,
}: Pick<FieldProps<S>, 'form' | 'name' | 'label' | 'hint'>) {
  const { label, value, set, control, readOnly } = useField(form, name, ownLabel)
  const day = typeof value === 'string' ? value : ''
  if (readOnly) return <FieldFact label={label}>{day && dayOf(day)}</FieldFact>
  return <DayInput {...control} label={label} hint={hint} value={day} onChange={set} />
}
