// Lookup checks: the few rows of a reference look-up as checkboxes, such as the sign-in methods of a portal.
import { useNames } from '#web/kit/call/names.ts'
import { Checks } from '#web/ui/checks.tsx'
import { FieldFact } from '#web/ui/facts.tsx'
import type { Schema } from './form-state.ts'
import { pointedAt, type LookupProps } from './lookup.tsx'
import { useField } from './use-field.ts'

/** The ids are stored in the look-up's order, in whatever order they were ticked. */
export function LookupChecks<S extends Schema>({
  form,
  name,
  label: ownLabel,
  hint,
  to,
}: Pick<LookupProps<S>, 'form' | 'name' | 'label' | 'hint' | 'to'>) {
  const { label, value, set, control, readOnly } = useField(form, name, ownLabel)
  const rows = useNames(pointedAt({ form, name, ...(to && { to }) }).names)
  const chosen = Array.isArray(value) ? (value as number[]) : []
  const inOrder = rows.filter((row) => chosen.includes(row.id))
  if (readOnly) return <FieldFact label={label}>{inOrder.map((row) => row.name).join(', ')}</FieldFact>
  return (
    <Checks
      label={label}
      hint={hint}
      required={control.required}
      error={control.error}
      options={rows.map((row) => ({ value: String(row.id), label: row.name }))}
      value={chosen.map(String)}
      onChange={(next) => {
        set(rows.map((row) => row.id).filter((id) => next.includes(String(id))))
        control.onBlur()
      }}
    />
  )
}
