// Name select: a look-up outside a form: one of the API's rows by name, such as the property to import a file into, or several.
import type { Field } from '#contract/fields.ts'
import { references, type Chosen, type Reference } from '#web/kit/display/references.ts'
import { nameSeen, useNamesOf, useOffered, type Parents } from '#web/kit/call/options.ts'
import type { Name } from '#web/kit/call/names.ts'
import { MultiSelect, Select } from '#web/ui/select.tsx'
import { say } from '#web/words/frame.ts'
import { optionsOf } from './name-options.ts'

export interface NameSelectProps {
  label: string
  name: string
  to: Chosen
  value: number | undefined
  onChange: (id: number | undefined) => void
  hint?: string
  placeholder?: string
  disabled?: boolean
  clearable?: boolean
  /** Filters the rows further. */
  only?: (row: Name) => boolean
}

const noParents: Parents = {}

export function NameSelect({ to, value, onChange, only, placeholder = say('choose'), ...rest }: NameSelectProps) {
  const { names: from, offers }: Reference = references[to]
  const offered = useOffered(from, noParents)
  const isOffered = (row: Name) => (offers !== 'enabled' || row.status !== 'disabled') && (only?.(row) ?? true)
  const chosen = value === undefined ? [] : [{ id: value, name: nameSeen(from, value) }]
  return (
    <Select
      {...rest}
      placeholder={placeholder}
      options={optionsOf(offered.rows.filter(isOffered), chosen, offered.loading)}
      loaded={offered}
      value={value === undefined ? null : String(value)}
      onChange={(next) => onChange(next === null ? undefined : Number(next))}
    />
  )
}

export interface NamesSelectProps {
  name: string
  /** What it chooses, and what choosing none means. */
  field: Field
  value: readonly number[]
  onChange: (ids: number[]) => void
}

export function NamesSelect({ name, field: { label, ref, none = say('choose') }, value, onChange }: NamesSelectProps) {
  const from = references[ref as Chosen].names
  const offered = useOffered(from)
  const { names, loading } = useNamesOf(from, value)
  const chosen = value.map((id) => ({ id, name: names.get(id) }))
  return (
    <MultiSelect
      label={label}
      name={name}
      placeholder={value.length === 0 ? none : ''}
      options={optionsOf(offered.rows, chosen, offered.loading || loading)}
      loaded={offered}
      value={value.map(String)}
      onChange={(next) => onChange(next.map(Number))}
    />
  )
}
