// Moment field: a day and a time of day, in the browser's time zone: `<MomentField form={form} name="expires_at" />`.
import { FieldFact } from '#web/ui/facts.tsx'
import { timeOf } from '#web/kit/display/dates.ts'
import { MomentInput } from '#web/ui/moment-field.tsx'
import type { FieldProps } from './field.tsx'
import type { Schema } from './form-state.ts'
import { useField } from './use-field.ts'

const two = (value: number) => String(value).padStart(2, '0')

/** `2026-11-21T13:05:00Z` → `2026-11-21T14:05`, an hour east of Greenwich; nothing for what is no moment. */
export function localOf(moment: unknown): string {
  const at = new Date(typeof moment === 'string' ? moment : '')
  if (Number.isNaN(at.getTime())) return ''
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** Back again; empty for what is not complete. */
export function momentOf(local: string): string {
  const at = new Date(local)
  return local === '' || Number.isNaN(at.getTime()) ? '' : at.toISOString()
}

export interface MomentFieldProps<S extends Schema> extends Pick<FieldProps<S>, 'form' | 'name' | 'label' | 'hint'> {
  /** What whoever may only read sees where there is none. */
  empty?: string
}

export function MomentField<S extends Schema>({
  form,
  name,
  label: said,
  hint,
  empty = 'Not set',
}: MomentFieldProps<S>) {
  const { label, value, set, control, readOnly } = useField(form, name, said)
  if (readOnly)
    return (
      <FieldFact label={label} empty={empty}>
        {timeOf(typeof value === 'string' ? value : null)}
      </FieldFact>
    )
  return (
    <MomentInput
      {...control}
      label={label}
      hint={hint}
      value={localOf(value)}
      onChange={(local) => set(momentOf(local))}
    />
  )
}
