// Child lookup: a select whose rows depend on another field of the form, such as the rooms of the chosen property:
// `<ChildLookup form={form} name="room_id" parent="property_id" from={rooms.names} placeholder="No room" />`.
import { useEffect, useRef } from 'react'
import type { Schema } from './form-state.ts'
import { Lookup, type LookupProps } from './lookup.tsx'
import type { NameIn } from './use-form.ts'

export interface ChildLookupProps<S extends Schema> extends Omit<LookupProps<S>, 'of'> {
  /** The field of the parent; the list's parameter has the same name. */
  parent: NameIn<S>
  /** The placeholder until the parent is chosen. */
  first: string
}

export function ChildLookup<S extends Schema>({ parent, first, ...props }: ChildLookupProps<S>) {
  const { form, name } = props
  const value = form.values[parent]
  const of = typeof value === 'number' ? value : undefined
  useClearedWith(props, of)
  return (
    <Lookup
      {...props}
      // Resets the select when the parent changes.
      key={String(of)}
      form={of === undefined ? { ...form, readOnly: true } : form}
      name={name}
      placeholder={of === undefined ? first : (props.placeholder ?? 'Choose…')}
      of={{ [parent]: of }}
    />
  )
}

/** Clears the choice when the parent changes. */
function useClearedWith<S extends Schema>({ form, name }: Omit<LookupProps<S>, 'of'>, parent: number | undefined) {
  const before = useRef(parent)
  useEffect(() => {
    const changed = before.current !== undefined && before.current !== parent
    before.current = parent
    if (changed && form.values[name]) form.set(name, null)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a change of the parent counts
  }, [parent])
}
