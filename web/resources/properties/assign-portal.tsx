// Assign portal: the action that assigns one portal to all selected properties. Its dialog is loaded on demand, so that the list
// does not wait for the code of forms.
import { useState, type ReactNode } from 'react'
import type { AnyRow, BulkAction } from '#web/kit/list/list-types.ts'
import { lazyPart } from '#web/frame/lazy-part.tsx'

const AssignPortal = lazyPart(async () => (await import('./assign-portal-dialog.tsx')).AssignPortal)

interface Request {
  rows: AnyRow[]
  answer: (done: boolean) => void
}

/** The action for the bulk bar, and the dialog that it opens. */
export function useAssignPortal(): { action: BulkAction; dialog: ReactNode } {
  const [asked, setAsked] = useState<Request>()
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
