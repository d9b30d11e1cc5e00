// When loaded: a part of a record's page that needs the record; until then its outline, or why it does not come.
import type { ReactNode } from 'react'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { useRecordState, type RecordOf, type RecordContract } from '#web/kit/form/use-resource.ts'
import { Skeleton } from '#web/ui/state.tsx'
import styles from './overview.module.css'

export interface WhenLoadedProps<M extends RecordContract> {
  of: M
  id: number
  children: (record: RecordOf<M>) => ReactNode
}

export function WhenLoaded<M extends RecordContract>({ of, id, children }: WhenLoadedProps<M>) {
  const { record, error, reload } = useRecordState(of, id)
  if (record !== undefined) return children(record)
  if (error) return <LoadFailed error={error} again={reload} />
  return (
    <div className={styles.overview} role="status" aria-busy="true" aria-label="Loading">
      <Skeleton height={72} />
      <Skeleton height={180} />
    </div>
  )
}
