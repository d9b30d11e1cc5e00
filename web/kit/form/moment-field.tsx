// Moment field: a date and time, in the browser's time zone or a given one: `<MomentField form={form} name="expires_at" />`.
import { FieldFact } from '#web/ui/facts.tsx'
import { timeIn } from '#web/kit/display/dates.ts'
import { MomentInput } from '#web/ui/moment-field.tsx'
import { say } from '#web/words/frame.ts'
import type { FieldProps } from './field.tsx'
import type { Schema } from './form-state.ts'
import { useField } from './use-field.ts'

const digits = (value: number, count = 2) => String(value).padStart(count, '0')

/** `2026-11-21T13:05:00Z` → `2026-11-21T14:05` at UTC+1; empty for anything that is not a moment. */
export function localOf(moment: unknown, zone?: string): string {
  const at = new Date(typeof moment === 'string' ? moment : '')
  if (Number.isNaN(at.getTime())) return ''
  if (zone !== undefined) return shownIn(at, zone)
  const day = `${digits(at.getFullYear(), 4)}-${digits(at.getMonth() + 1)}-${digits(at.getDate())}`
  return `${day}T${digits(at.getHours())}:${digits(at.getMinutes())}`
}

/** The zone's local time; Swedish formats it as ISO 8601 does, except for the space and the zeros of a year that is being typed. */
const shownIn = (at: Date, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .format(at)
    .replace(' ', 'T')
    .padStart('2026-11-21T14:05'.length, '0')

/** The reverse; empty if incomplete. A local time that occurs twice becomes one of the two moments. */
export function momentOf(local: string, zone?: string): string {
  const at = new Date(zone === undefined ? local : `${local}Z`)
  if (local === '' || Number.isNaN(at.getTime())) return ''
  if (zone === undefined) return at.toISOString()
  const offset_ms = (ms: number) => Date.parse(`${shownIn(new Date(ms), zone)}Z`) - ms
  const near_ms = at.getTime() - offset_ms(at.getTime())
  return new Date(at.getTime() - offset_ms(near_ms)).toISOString()
}

export interface MomentFieldProps<S extends Schema> extends Pick<FieldProps<S>, 'form' | 'name' | 'label' | 'hint'> {
  /** Shown to users with read access only if there is no value. */
  empty?: string
  /** The time zone in which it is entered. */
  zone?: string
}

export function MomentField<S extends Schema>({
  form,
  name,
  label: ownLabel,
  hint,
  empty = say('not-set'),
  zone,
}: MomentFieldProps<S>) {
  const { label, value, set, control, readOnly } = useField(form, name, ownLabel)
  if (readOnly)
    return (
      <FieldFact label={label} empty={empty}>
        {timeIn(typeof value === 'string' ? value : null, zone)}
      </FieldFact>
    )
  return (
    <MomentInput
      {...control}
      label={label}
      hint={hint}
      value={localOf(value, zone)}
      onChange={(local) => set(momentOf(local, zone))}
    />
  )
}
