// When off: what a confirmation says besides where gateways cannot be told to end a session: when guests are off who are put off now.
import { useQuery } from '@tanstack/react-query'
import { limitsAt, whenOffThere, type LimitsKept, type Where } from './kept.ts'
import styles from './limits.module.css'

interface WhenOffProps {
  where: Where
  /** If it is about one gateway of them. */
  gateway_id?: number | undefined
}

export function WhenOff({ where, gateway_id }: WhenOffProps) {
  const { data = none } = useQuery(limitsAt(where))
  const sentence = whenOffThere(
    gateway_id === undefined ? data : data.filter(({ gateway }) => gateway.id === gateway_id),
  )
  return sentence === '' ? null : <p className={styles.off}>{sentence}</p>
}
const none: LimitsKept[] = []

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
