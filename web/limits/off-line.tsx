// Off line: the sentence of when guests are off, once it is known how long they may stay.
import { useQuery } from '@tanstack/react-query'
import { limitsAt, whenOffThere, type LimitsKept, type Where } from './kept.ts'
import styles from './limits.module.css'

export interface OffLineProps {
  where: Where
  /** If it is about one gateway of them. */
  gateway_id?: number | undefined
}

export function OffLine({ where, gateway_id }: OffLineProps) {
  const { data = none } = useQuery(limitsAt(where))
  const sentence = whenOffThere(
    gateway_id === undefined ? data : data.filter(({ gateway }) => gateway.id === gateway_id),
  )
  return sentence === '' ? null : <p className={styles.off}>{sentence}</p>
}
const none: LimitsKept[] = []
