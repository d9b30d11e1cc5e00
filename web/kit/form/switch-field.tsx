// Switch field: a yes or no of a form: `<SwitchField form={form} name="send_sms" label="Send SMS" />`.
import { useEffect } from 'react'
import { Switch } from '#web/ui/switch.tsx'
import type { FieldProps } from './field.tsx'
import type { Schema } from './form-state.ts'

export function SwitchField<S extends Schema>({
  form,
  name,
  label,
  hint,
}: Pick<FieldProps<S>, 'form' | 'name' | 'label' | 'hint'>) {
  const { register } = form
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => register(name), [name])
  return (
    <Switch
      label={label}
      hint={hint}
      name={name}
      checked={form.values[name] === true}
      disabled={form.readOnly}
      error={form.errorOf(name)}
      onChange={(on) => form.set(name, on)}
    />
  )
}
