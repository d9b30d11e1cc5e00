// Choice field: one of a few fixed options, such as how often a package renews. For rows of the API, see Lookup.
import { FieldFact } from '#web/ui/facts.tsx'
import { Select, type Option } from '#web/ui/select.tsx'
import type { FieldProps } from './field.tsx'
import { isClearable, type Schema } from './form-state.ts'
import { useField } from './use-field.ts'

export function ChoiceField<S extends Schema>({
  form,
  name,
  label: ownLabel,
  hint,
  placeholder,
  options,
}: Pick<FieldProps<S>, 'form' | 'name' | 'label' | 'hint'> & { options: Option[]; placeholder?: string }) {
  const { label, value, set, control, readOnly } = useField(form, name, ownLabel)
  if (readOnly) return <FieldFact label={label}>{options.find((option) => option.value === value)?.label}</FieldFact>
  return (
    <Select
      {...control}
      label={label}
      hint={hint}
      {...(placeholder !== undefined && { placeholder })}
      options={options}
      value={typeof value === 'string' ? value : null}
      onChange={set}
      clearable={isClearable(form.schema, name)}
    />
  )
}
