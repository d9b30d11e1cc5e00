// Confirm: a question in a dialog, answered in code: `if (await confirm({ title: 'Delete group?', accept: 'Remove' })) …`
import { lazy, Suspense, useEffect, useLayoutEffect, useSyncExternalStore, type ReactNode } from 'react'
import { messages } from '#contract/messages.ts'
import { Boundary } from '#web/kit/display/boundary.tsx'
import { Button } from '#web/ui/button.tsx'
import { notify } from './notify.ts'
import styles from './confirm.module.css'

export interface Question {
  title: string
  description?: ReactNode
  /** The part that must not be overlooked, in bold. */
  bold?: string
  /** Default: Accept. */
  accept?: string
  /** Default: Cancel. */
  cancel?: string
  /** The accepting button is red. */
  danger?: boolean
  /** Shown above the text when something has succeeded. */
  image?: ReactNode
}

// Fetched with the first question: no list needs it to be drawn.
const Dialog = lazy(() => import('#web/ui/dialog.tsx').then((module) => ({ default: module.Dialog })))

let asked: { question: Question; answer: (yes: boolean) => void } | null = null
let closing = false
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Resolves to true when accepted; to false when cancelled, closed, or when another question comes first. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((answer) => {
    asked?.answer(false)
    asked = { question, answer }
    closing = false
    tell()
  })

/** Remove/Cancel, for what cannot be undone. */
export const confirmRemoval = (title: string, description?: ReactNode) =>
  confirm({ title, description, accept: messages.team.remove, cancel: messages.team.cancel, danger: true })

function settle(yes: boolean) {
  asked?.answer(yes)
  closing = true
  tell()
}

/** Whether a question waits for its answer. */
export const useAsking = () => useSyncExternalStore(subscribe, () => asked !== null && !closing)

/** Stands once, around all screens. */
export function Confirms() {
  const now = useSyncExternalStore(subscribe, () => asked)
  const open = useAsking()
  if (!now) return null
  const { question } = now
  return (
    <Boundary key={question.title} instead={() => <Unasked />}>
      <Suspense fallback={<Awaited />}>
        <Dialog
          open={open}
          title={question.title}
          onClose={() => settle(false)}
          width={440}
          footer={
            <>
              <Button first={question.danger ?? false} onClick={() => settle(false)}>
                {question.cancel ?? messages.modal.cancel}
              </Button>
              <Button
                first={!question.danger}
                kind={question.danger ? 'danger' : 'primary'}
                onClick={() => settle(true)}
              >
                {question.accept ?? messages.modal.accept}
              </Button>
            </>
          }
        >
          {question.image}
          {question.description && <p className={styles.description}>{question.description}</p>}
          {question.bold && <p className={styles.bold}>{question.bold}</p>}
        </Dialog>
      </Suspense>
    </Boundary>
  )
}

/** Until the question is in sight, the key that asked it must not press what lies below when it is pressed once more. */
function Awaited() {
  useLayoutEffect(() => {
    const hold = (event: KeyboardEvent) => {
      if (!['Enter', ' ', 'Escape'].includes(event.key)) return
      event.preventDefault()
      event.stopImmediatePropagation()
      if (event.key === 'Escape') settle(false)
    }
    window.addEventListener('keydown', hold, true)
    return () => window.removeEventListener('keydown', hold, true)
  }, [])
  return null
}

/** A question that cannot be drawn is answered with no, and said. */
function Unasked() {
  useEffect(() => {
    settle(false)
    notify.error(
      'The question before this step could not be shown, so nothing was done. Reload the page and try again.',
    )
  }, [])
  return null
}
