// Switch field: a yes-or-no field of a form: `<SwitchField form={form} name="send_sms" />`.
import { FieldFact } from '#web/ui/facts.tsx'
import { Switch } from '#web/ui/switch.tsx'
import type { FieldProps } from './field.tsx'
import type { Schema } from './form-state.ts'
import { useField } from './use-field.ts'

export function SwitchField<S extends Schema>({
  form,
  name,
  label: ownLabel,
  hint,
}: Pick<FieldProps<S>, 'form' | 'name' | 'label' | 'hint'>) {
  const {
    label,
    value,
    set,
    control: { name: named, error },
    readOnly,
  } = useField(form, name, ownLabel)
  if (readOnly) return <FieldFact label={label}>{value === true ? 'Yes' : 'No'}</FieldFact>
  return <Switch label={label} hint={hint} name={named} checked={value === true} error={error} onChange={set} />
}
