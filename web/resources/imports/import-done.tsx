// Import done: what an import has done and left out, shown until the user closes it, with an undo.
import { counted } from '#web/kit/display/numbers.ts'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog, type DialogProps } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/state.tsx'
import { LeftOut } from './check-result.tsx'
import type { ImportKind } from './kind.ts'
import { MovesOf } from './moves.tsx'
import { NotUndone } from './not-undone.tsx'
import { ProblemsButton } from './problems-button.tsx'
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
  const [failure, setFailure] = useState<unknown>()
  const undo = async () => {
    setBusy(true)
    setFailure(undefined)
    const undone = await undoImport(kind, done).catch((error: unknown) => (setFailure(error), false))
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
        <NotUndone error={failure} />
        <Notice tone="success">{kind.words.imported(done.total)}</Notice>
        <MovesOf result={done} />
        {done.problem_rows > 0 && (
          <Notice>
            <div className={styles.refused}>
              {counted(done.problem_rows, 'row was', 'rows were')} left out.
              <ProblemsButton of={{ id: done.id }} />
            </div>
          </Notice>
        )}
        <LeftOut result={done} />
      </div>
    </Dialog>
  )
}
