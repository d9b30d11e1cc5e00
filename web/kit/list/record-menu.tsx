// Record menu: the three dots at the end of a record's row. A spinner stands there while something picked is under way.
import { MoreMenu } from '#web/ui/more-menu.tsx'
import type { AnyRow } from './list-types.ts'
import { recordItems, type RecordKind } from './record-kind.ts'
import { useWatched } from './use-watched.ts'

export function RecordMenu<R extends AnyRow>({ kind, row }: { kind: RecordKind<R>; row: R }) {
  const { busy, watched } = useWatched()
  // A menu with nothing in it is none. Where one leads somewhere, the menu does, too.
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
