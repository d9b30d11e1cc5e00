// Referred: what a reference points at, by its name: a record that is named in the answer as a link to it, ids by their look-up.
import { useContext } from 'react'
import type { Field } from '#contract/fields.ts'
import type { RefTarget } from '#contract/ref-target.ts'
import { referenceOf, type Reference } from '#web/kit/display/references.ts'
import type { Name } from '#web/kit/call/names.ts'
import { useNamesOf } from '#web/kit/call/options.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { RecordAddress } from '#web/kit/navigation/record-address.ts'

/** What having none is called. */
export const noneOf = ({ ref, none }: Pick<Field, 'ref' | 'none'>): string | undefined => none ?? referenceOf(ref)?.none

export function RecordLink({ to, id, name }: { to: RefTarget; id: number; name: string }) {
  const href = useContext(RecordAddress)(to, id)
  return href === undefined ? name : <Link href={href}>{name}</Link>
}

function NamesOf({ reference, ids }: { reference: Reference; ids: readonly number[] }) {
  const { names, loading } = useNamesOf(reference.names, ids)
  return ids.map((id) => names.get(id) ?? (loading ? '…' : `#${id}`)).join(', ')
}

const isName = (value: unknown): value is Name =>
  typeof value === 'object' && value !== null && 'id' in value && 'name' in value

const idsIn = (value: unknown): number[] =>
  (Array.isArray(value) ? value : [value]).filter((id): id is number => typeof id === 'number')

/** @param value the named record, its id, a list of ids, or nothing */
export function referred({ ref }: Field, value: unknown) {
  const reference = referenceOf(ref)
  if (ref && isName(value)) return <RecordLink to={ref} id={value.id} name={value.name} />
  const ids = idsIn(value)
  return reference && ids.length > 0 ? <NamesOf reference={reference} ids={ids} /> : ''
}
