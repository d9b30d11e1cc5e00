// Name select: a look-up outside a form: one of the API's rows by name, such as the property to import a file into.
import type { Endpoint } from '#contract/endpoint.ts'
import { nameSeen, useOffered, type Parents } from '#web/kit/call/options.ts'
import type { Name } from '#web/kit/call/names.ts'
import { Select } from '#web/ui/select.tsx'
import { say } from '#web/words/frame.ts'
import { optionsOf } from './name-options.ts'

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
  /** Filters the rows. */
  only?: (row: Name) => boolean
}

const noParents: Parents = {}

export function NameSelect({ from, value, onChange, only, placeholder = say('choose'), ...rest }: NameSelectProps) {
  const offered = useOffered(from, noParents)
  const chosen = value === undefined ? [] : [{ id: value, name: nameSeen(from, value) }]
  return (
    <Select
      {...rest}
      placeholder={placeholder}
      options={optionsOf(only ? offered.rows.filter(only) : offered.rows, chosen, offered.loading)}
      loaded={offered}
      value={value === undefined ? null : String(value)}
      onChange={(next) => onChange(next === null ? undefined : Number(next))}
    />
  )
}
