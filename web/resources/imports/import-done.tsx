// Import done: what an import has done, on screen until somebody closes it, with a way to take it back.
import { useState } from 'react'
import { notify } from '#web/kit/dialog/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, type DialogProps } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/state.tsx'
import type { ImportKind } from './kind.ts'
import { MovesOf } from './moves.tsx'
import { undoImport } from './undo-import.ts'
import type { Done } from './use-import.ts'
import styles from './imports.module.css'

export interface ImportDoneProps {
  kind: ImportKind
  done: Done
  frame: Pick<DialogProps, 'open' | 'title' | 'width' | 'wholeOnPhones'>
  close: () => void
}

export function ImportDone({ kind, done, frame, close }: ImportDoneProps) {
  const [busy, setBusy] = useState(false)
  const undo = async () => {
    setBusy(true)
    const undone = await undoImport(kind, done).catch((error: unknown) => (notify.failure(error), false))
    setBusy(false)
    if (undone) close()
  }
  return (
    <Dialog
      {...frame}
      onClose={close}
      footer={
        <>
          <Button busy={busy} onClick={() => void undo()}>
            Undo the import
          </Button>
          <Button first kind="primary" onClick={close}>
            Done
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <Notice tone="success">{kind.words.imported(done.total)}</Notice>
        <MovesOf result={done} />
      </div>
    </Dialog>
  )
}
