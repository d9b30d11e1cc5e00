// Name select: a look-up outside a form: one of the API's rows by name, such as the property that a file is imported into.
import type { Endpoint } from '#contract/endpoint.ts'
import { Select } from '#web/ui/select.tsx'
import { useNames } from '#web/kit/call/names.ts'

export interface NameSelectProps {
  label: string
  name: string
  /** A GET endpoint of `{id, name}` rows. */
  from: Endpoint
  value: number | undefined
  onChange: (id: number | undefined) => void
  hint?: string
  placeholder?: string
  disabled?: boolean
  clearable?: boolean
}

export function NameSelect({ from, value, onChange, placeholder = 'Choose…', ...rest }: NameSelectProps) {
  const options = useNames(from).map(({ id, name }) => ({ value: String(id), label: name }))
  const known = value === undefined || options.some((option) => option.value === String(value))
  return (
    <Select
      {...rest}
      placeholder={placeholder}
      options={
        known ? options : [...options, { value: String(value), label: options.length > 0 ? `#${value}` : 'Loading…' }]
      }
      value={value === undefined ? null : String(value)}
      onChange={(next) => onChange(next === null ? undefined : Number(next))}
    />
  )
}
