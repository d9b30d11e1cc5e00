// Moment field: a day and a time of day, in the browser's time zone: `<MomentField form={form} name="expires_at" label="Expires" />`.
import { useEffect } from 'react'
import { MomentInput } from '#web/ui/moment-field.tsx'
import type { FieldProps } from './field.tsx'
import type { Schema } from './form-state.ts'

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

export function MomentField<S extends Schema>({
  form,
  name,
  label,
  hint,
}: Pick<FieldProps<S>, 'form' | 'name' | 'label' | 'hint'>) {
  const { register } = form
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => register(name), [name])
  return (
    <MomentInput
      label={label}
      name={name}
      hint={hint}
      value={localOf(form.values[name])}
      onChange={(local) => form.set(name, momentOf(local))}
      onBlur={() => form.touch(name)}
      error={form.errorOf(name)}
      required={form.required(name)}
      readOnly={form.readOnly}
    />
  )
}
