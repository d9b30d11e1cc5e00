// When off: what a confirmation says besides where gateways cannot be told to end a session: when guests are off who are put off now.
import { lazy, Suspense } from 'react'
import type { OffLineProps } from './off-line.tsx'

/** Comes with the first question that it is part of: a list that asks none does without it. */
const OffLine = lazy(() => import('./off-line.tsx').then((module) => ({ default: module.OffLine })))
export const WhenOff = (props: OffLineProps) => (
  <Suspense>
    <OffLine {...props} />
  </Suspense>
)

type Place = { id: number } | null | undefined
const of_properties_max = 200
const idsOf = (places: readonly Place[]) => [...new Set(places.flatMap((place) => (place ? [place.id] : [])))]

/** For a confirmation about records of properties, or of one group. */
export function whenOff(rows: readonly { property?: Place; group?: Place }[]) {
  const property_ids = idsOf(rows.map(({ property }) => property))
  const [group_id] = idsOf(rows.map(({ group }) => group))
  if (property_ids.length > 0) return <WhenOff where={{ property_ids: property_ids.slice(0, of_properties_max) }} />
  return group_id === undefined ? null : <WhenOff where={{ group_id }} />
}
/** For one about what is good at any property. */
export const whenOffAnywhere = () => <WhenOff where={{}} />
/** For one about a guest of this property; null: they may be at any. */
export const whenOffAt = (property: Place) => (property ? whenOff([{ property }]) : whenOffAnywhere())
