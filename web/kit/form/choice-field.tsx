// Choice field: one of a few fixed words, such as how often a package renews. For rows of the API, see Lookup.
import { useEffect } from 'react'
import { Select, type Option } from '#web/ui/select.tsx'
import type { FieldProps } from './field.tsx'
import { isClearable, type Schema } from './form-state.ts'

export function ChoiceField<S extends Schema>({
  form,
  name,
  label,
  hint,
  options,
}: Pick<FieldProps<S>, 'form' | 'name' | 'label' | 'hint'> & { options: Option[] }) {
  const { register } = form
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => register(name), [name])
  const value = form.values[name]
  return (
    <Select
      label={label}
      name={name}
      hint={hint}
      options={options}
      value={typeof value === 'string' ? value : null}
      onChange={(next) => form.set(name, next)}
      clearable={isClearable(form.schema, name)}
      onBlur={() => form.touch(name)}
      error={form.errorOf(name)}
      required={form.required(name)}
      disabled={form.readOnly}
    />
  )
}
