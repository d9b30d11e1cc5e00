// Assign portal: the action that gives all selected properties one portal. Its dialog is fetched when it is asked for: a list
// is shown without the code of forms.
import { useState, type ReactNode } from 'react'
import type { AnyRow, BulkAction } from '#web/kit/list/list-types.ts'
import { lazyPart } from '#web/frame/lazy-part.tsx'

const AssignPortal = lazyPart(async () => (await import('./assign-portal-dialog.tsx')).AssignPortal)

interface Asked {
  rows: AnyRow[]
  answer: (done: boolean) => void
}

/** The action for the bulk bar, and the dialog it opens. */
export function useAssignPortal(): { action: BulkAction; dialog: ReactNode } {
  const [asked, setAsked] = useState<Asked>()
  const action: BulkAction = {
    label: 'Assign portal',
    icon: 'portals',
    run: async (rows) => {
      await AssignPortal.preload()
      return new Promise((answer) => setAsked({ rows, answer }))
    },
  }
  const close = (done: boolean) => {
    asked?.answer(done)
    setAsked(undefined)
  }
  return { action, dialog: asked && <AssignPortal rows={asked.rows} close={close} /> }
}
