// Record menu: the three dots at the end of a record's row. A spinner stands there while something picked is under way.
import { useState } from 'react'
import { notify } from '#web/kit/dialog/notify.ts'
import { MoreMenu } from '#web/ui/more-menu.tsx'
import type { MenuItem } from '#web/ui/menu.tsx'
import type { AnyRow } from './list-types.ts'
import { recordItems, type RecordKind } from './record-kind.ts'

export function RecordMenu<R extends AnyRow>({ kind, row }: { kind: RecordKind<R>; row: R }) {
  const [busy, setBusy] = useState(false)
  const watched = (item: MenuItem): MenuItem => ({
    ...item,
    onPick: async () => {
      setBusy(true)
      try {
        await item.onPick()
      } catch (error) {
        notify.failure(error)
      } finally {
        setBusy(false)
      }
    },
  })
  return (
    <MoreMenu
      inRow
      label={`Actions for ${kind.nameOf(row)}`}
      busy={busy}
      items={() => recordItems(kind, row).map(watched)}
    />
  )
}
