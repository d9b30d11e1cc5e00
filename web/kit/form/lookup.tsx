// Lookup: a select whose entries are rows of the API: `<Lookup form={form} name="portal_id" label="Portal" from={reference.portalNames} />`.
import { useMemo } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { FieldFact } from '#web/ui/facts.tsx'
import { MultiSelect, Select, type Option } from '#web/ui/select.tsx'
import { isClearable, type Schema } from './form-state.ts'
import { useNames, type Name } from '#web/kit/call/names.ts'
import { useField } from './use-field.ts'
import type { Form, NameIn } from './use-form.ts'

export interface LookupProps<S extends Schema> {
  form: Form<S>
  name: NameIn<S>
  label: string
  hint?: string
  placeholder?: string
  /** A GET endpoint of `{id, name}` rows: a `-list` or a reference one. */
  from: Endpoint
  /** Leaves rows out, such as those of another group. A chosen row always stays. */
  only?: (row: Name) => boolean
}

function useOptions(from: Endpoint, chosen: readonly number[], only: ((row: Name) => boolean) | undefined): Option[] {
  const names = useNames(from)
  return useMemo(() => {
    const fitting = names.filter((row) => chosen.includes(row.id) || !only || only(row))
    // Two of one name are told apart by their numbers.
    const seen = new Map<string, number>()
    for (const row of fitting) seen.set(row.name, (seen.get(row.name) ?? 0) + 1)
    const options = fitting.map((row) => ({
      value: String(row.id),
      label: (seen.get(row.name) ?? 0) > 1 ? `${row.name} (#${row.id})` : row.name,
    }))
    const known = new Set(fitting.map((row) => row.id))
    return [...options, ...chosen.filter((id) => !known.has(id)).map((id) => ({ value: String(id), label: `#${id}` }))]
  }, [chosen, names, only])
}

const nothing: number[] = []

const chosenNames = (options: Option[], chosen: readonly number[]) =>
  options
    .filter(({ value }) => chosen.includes(Number(value)))
    .map(({ label }) => label)
    .join(', ')

/** One row; clearing it stores null. */
export function Lookup<S extends Schema>({ form, name, label, hint, placeholder, from, only }: LookupProps<S>) {
  const { value, set, control, readOnly } = useField(form, name)
  const chosen = useMemo(() => (typeof value === 'number' ? [value] : nothing), [value])
  const options = useOptions(from, chosen, only)
  if (readOnly)
    return (
      <FieldFact label={label} {...(placeholder ? { empty: placeholder } : {})}>
        {chosenNames(options, chosen)}
      </FieldFact>
    )
  return (
    <Select
      {...control}
      label={label}
      hint={hint}
      placeholder={placeholder ?? 'Choose…'}
      options={options}
      value={typeof value === 'number' ? String(value) : null}
      onChange={(next) => set(next === null ? null : Number(next))}
      clearable={isClearable(form.schema, name)}
    />
  )
}

/** Several rows, as a list of ids. */
export function LookupMany<S extends Schema>({ form, name, label, hint, placeholder, from, only }: LookupProps<S>) {
  const { value, set, control, readOnly } = useField(form, name)
  const chosen = Array.isArray(value) ? (value as number[]) : nothing
  const options = useOptions(from, chosen, only)
  if (readOnly) return <FieldFact label={label}>{chosenNames(options, chosen)}</FieldFact>
  return (
    <MultiSelect
      {...control}
      label={label}
      hint={hint}
      placeholder={chosen.length === 0 ? (placeholder ?? 'Choose…') : ''}
      options={options}
      value={chosen.map(String)}
      onChange={(next) => set(next.map(Number))}
    />
  )
}
