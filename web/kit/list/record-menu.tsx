// Record menu: the three dots at the end of a record's row. They become a spinner while a picked action is in progress.
import { MoreMenu } from '#web/ui/more-menu.tsx'
import type { AnyRow } from './list-types.ts'
import { recordItems, type RecordKind } from './record-kind.ts'
import { useWatched } from './use-watched.ts'

export function RecordMenu<R extends AnyRow>({ kind, row }: { kind: RecordKind<R>; row: R }) {
  const { busy, watched } = useWatched()
  // An empty menu is not rendered. A row with a page always has at least "Open".
  if (!kind.href?.(row) && recordItems(kind, row).length === 0) return null
  return (
    <MoreMenu
      inRow
      label={`Actions for ${kind.nameOf(row)}`}
      busy={busy}
      items={() => recordItems(kind, row).map(watched)}
    />
  )
}
