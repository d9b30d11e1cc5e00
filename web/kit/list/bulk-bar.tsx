// Bulk bar: what can be done to the selected rows. Editors only; the server refuses anyone else anyway.
import { useState } from 'react'
import { Button, IconButton } from '#web/ui/button.tsx'
import type { AnyRow, BulkAction } from './list-types.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import styles from './bulk-bar.module.css'

export interface BulkBarProps {
  actions: readonly BulkAction[]
  rows: AnyRow[]
  /** The list's path, and its title in the plural: "groups". */
  path: string
  noun: string
  nameOf: (row: AnyRow) => string
  onClear: () => void
}

export function BulkBar({ actions, rows, path, noun, nameOf, onClear }: BulkBarProps) {
  const [busy, setBusy] = useState(false)
  if (rows.length === 0) return null
  const run = async (action: BulkAction) => {
    setBusy(true)
    try {
      if (await action.run(rows, { path, noun, nameOf })) onClear()
    } catch (error) {
      notify.failure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={styles.bar} role="toolbar" aria-label="Selected rows">
      <p aria-live="polite">
        <strong>{rows.length}</strong> selected
      </p>
      {actions.map((action) => (
        <Button
          key={action.label}
          kind={action.danger ? 'danger' : 'plain'}
          disabled={busy}
          onClick={() => void run(action)}
        >
          {action.label}
        </Button>
      ))}
      <IconButton icon="close" label="Clear selection" onClick={onClear} />
    </div>
  )
}
