// Lookup: a select of what a reference may point at: `<Lookup form={form} name="portal_id" />`. What is offered, in which order and
// what having none is called is said of the reference (contract/references.ts) and of its field.
import { useEffect, useMemo, useRef } from 'react'
import { referenceOf, type Chosen, type Reference } from '#web/kit/display/references.ts'
import { isKnownEmpty, useNamesOf, useOffered, type Offered, type Parents } from '#web/kit/call/options.ts'
import type { Name } from '#web/kit/call/names.ts'
import { FieldFact } from '#web/ui/facts.tsx'
import { MultiSelect, Select, type Option } from '#web/ui/select.tsx'
import { say } from '#web/words/forms.ts'
import { isClearable, type Schema } from './form-state.ts'
import { optionsOf } from './name-options.ts'
import { useField } from './use-field.ts'
import type { Form, NameIn } from './use-form.ts'

export interface LookupProps<S extends Schema> {
  form: Form<S>
  name: NameIn<S>
  /** What is chosen, where the field's description does not say it. */
  to?: Chosen
  /** Replaces the resource's label. */
  label?: string
  hint?: string
  /** What having none is called on this screen. */
  none?: string
  /** The parents of the rows: `{ property_id: 7 }`. */
  of?: Parents
  /** Filters the rows further. A chosen row always stays. */
  only?: (row: Name) => boolean
  /** The address of the screen that creates one, offered if there are none. It opens in a new tab. */
  create?: string
  /** Called when the user chooses another. */
  onPick?: () => void
}

const noParents: Parents = {}

/** What the field points at, with the word for none, if it may have none. */
export function pointedAt<S extends Schema>({ form, name, to, none }: LookupProps<S>): Reference {
  const field = form.fields[name]
  const reference = referenceOf(to ?? field?.ref)
  if (!reference) throw new Error(`${name} points at nothing that can be chosen: contract/references.ts names what can`)
  const word = none ?? field?.none ?? (isClearable(form.schema, name) ? reference.none : undefined)
  const { none: _usual, ...rest } = reference
  return word === undefined ? rest : { ...rest, none: word }
}

/** A record has the names of what it refers to: next to `group_id` there is `group: {id, name}`. */
function nameInRecord(form: object, field: string, id: number): string | undefined {
  const record = 'record' in form ? (form.record as Record<string, unknown> | undefined) : undefined
  const named = record?.[field.replace(/_id$/, '')] as Partial<Name> | null | undefined
  return named?.id === id ? named.name : undefined
}

function useEntries<S extends Schema>(
  props: LookupProps<S>,
  ids: readonly number[],
): { offered: Offered; options: Option[] } {
  const { form, name, of = noParents, only } = props
  const { names: from, sort, offers } = pointedAt(props)
  const offered = useOffered(from, of, sort)
  const { names, loading } = useNamesOf(
    from,
    ids.filter((id) => nameInRecord(form, name, id) === undefined),
  )
  const chosen = ids.map((id) => ({ id, name: nameInRecord(form, name, id) ?? names.get(id) }))
  const isOffered = (row: Name) => (offers !== 'enabled' || row.status !== 'disabled') && (only?.(row) ?? true)
  const rows = offered.rows.filter((row) => ids.includes(row.id) || isOffered(row))
  return { offered, options: optionsOf(rows, chosen, offered.loading || loading) }
}

/** An optional reference of which nothing exists is not asked for, unless the first one can be created from here. */
const isPointless = <S extends Schema>(
  { form, name, create }: LookupProps<S>,
  offered: Offered,
  chosen: readonly number[],
) => isClearable(form.schema, name) && create === undefined && chosen.length === 0 && isKnownEmpty(offered)

const createIn = (address: string | undefined, label: string) =>
  address === undefined
    ? undefined
    : { label: `Create a ${label.toLowerCase()}…`, onPick: () => void window.open(address, '_blank') }

const nothing: number[] = []

const chosenNames = (options: Option[], chosen: readonly number[]) =>
  options
    .filter(({ value }) => chosen.includes(Number(value)))
    .map(({ label }) => label)
    .join(', ')

/**
 * One row; clearing it stores null. If it is required and there is only one row, that one is preselected. What lies within another
 * field's record, such as a room, is offered once that is chosen.
 */
export function Lookup<S extends Schema>(props: LookupProps<S>) {
  const { within } = pointedAt(props)
  return within && within.field in props.form.schema.shape && props.of === undefined ? (
    <Within {...props} parent={within.field} first={within.first} />
  ) : (
    <OneOf {...props} />
  )
}

function Within<S extends Schema>({ parent, first, ...props }: LookupProps<S> & { parent: string; first: string }) {
  const { form } = props
  const value = form.values[parent]
  const of = typeof value === 'number' ? value : undefined
  useClearedWith(props, of)
  return (
    <OneOf
      {...props}
      // Resets the select when the parent changes.
      key={String(of)}
      {...(of === undefined && { form: { ...form, readOnly: true }, none: first })}
      of={{ [parent]: of }}
    />
  )
}

/** Clears the choice when the parent changes. */
function useClearedWith<S extends Schema>({ form, name }: LookupProps<S>, parent: number | undefined) {
  const before = useRef(parent)
  useEffect(() => {
    const changed = before.current !== undefined && before.current !== parent
    before.current = parent
    if (changed && form.values[name]) form.set(name, null)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a change of the parent counts
  }, [parent])
}

function OneOf<S extends Schema>(props: LookupProps<S>) {
  const { form, name, hint, create, onPick } = props
  const { none } = pointedAt(props)
  const { label, value, set, control, readOnly } = useField(form, name, props.label)
  const ids = useMemo(() => (typeof value === 'number' ? [value] : nothing), [value])
  const { offered, options } = useEntries(props, ids)
  usePresetSingle(props, offered, options)
  if (readOnly)
    return (
      <FieldFact label={label} {...(none ? { empty: none } : {})}>
        {chosenNames(options, ids)}
      </FieldFact>
    )
  if (isPointless(props, offered, ids)) return null
  return (
    <Select
      {...control}
      label={label}
      hint={hint}
      placeholder={none ?? say('choose')}
      options={options}
      loaded={offered}
      create={createIn(create, label)}
      value={typeof value === 'number' ? String(value) : null}
      onChange={(next) => {
        set(next === null ? null : Number(next))
        onPick?.()
      }}
      clearable={isClearable(form.schema, name)}
    />
  )
}

function usePresetSingle<S extends Schema>({ form, name }: LookupProps<S>, offered: Offered, options: Option[]) {
  const value = form.values[name]
  const isNew = !('id' in form) || form.id === undefined
  const empty = value === undefined || value === null
  // The only match of a search need not be the only row.
  const isComplete = !offered.more && !offered.loading && offered.answers === ''
  const single = isComplete && options.length === 1 ? options[0]?.value : undefined
  const preset = isNew && empty && !form.readOnly && form.required(name) ? single : undefined
  useEffect(() => {
    if (preset !== undefined) form.preset(name, Number(preset))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `form.preset` does the same on every render
  }, [preset])
}

/** Several rows, as a list of ids. */
export function LookupMany<S extends Schema>(props: LookupProps<S>) {
  const { form, name, hint, create } = props
  const { none } = pointedAt(props)
  const { label, value, set, control, readOnly } = useField(form, name, props.label)
  const chosen = Array.isArray(value) ? (value as number[]) : nothing
  const { offered, options } = useEntries(props, chosen)
  if (readOnly)
    return (
      <FieldFact label={label} {...(none ? { empty: none } : {})}>
        {chosenNames(options, chosen)}
      </FieldFact>
    )
  if (isPointless(props, offered, chosen)) return null
  return (
    <MultiSelect
      {...control}
      label={label}
      hint={hint}
      placeholder={chosen.length === 0 ? (none ?? say('choose')) : ''}
      options={options}
      loaded={offered}
      create={createIn(create, label)}
      value={chosen.map(String)}
      onChange={(next) => set(next.map(Number))}
    />
  )
}
