// When loaded: a part of a record's page that needs the record; until then a skeleton.
import type { ReactNode } from 'react'
import { useRecord, type RecordOf, type RecordContract } from '#web/kit/form/use-resource.ts'
import { Skeleton } from '#web/ui/state.tsx'
import styles from './overview.module.css'

export interface WhenLoadedProps<M extends RecordContract> {
  of: M
  id: number
  children: (record: RecordOf<M>) => ReactNode
}

export function WhenLoaded<M extends RecordContract>({ of, id, children }: WhenLoadedProps<M>) {
  const record = useRecord(of, id)
  if (record !== undefined) return children(record)
  return (
    <div className={styles.overview} role="status" aria-busy="true" aria-label="Loading">
      <Skeleton height={72} />
      <Skeleton height={180} />
    </div>
  )
}
