// Confirm: asks for confirmation in a dialog and awaits the answer: `if (await confirm({ title: 'Delete group?', accept: 'Remove' })) …`
import { lazy, Suspense, useEffect, useLayoutEffect, useSyncExternalStore, type ReactNode } from 'react'
import { messages } from '#contract/messages.ts'
import { Boundary } from '#web/kit/display/boundary.tsx'
import { Button } from '#web/ui/button.tsx'
import { say } from '#web/words/frame.ts'
import { notify } from './notify.ts'
import styles from './confirm.module.css'

export interface Question {
  title: string
  description?: ReactNode
  /** What is known besides, below the text. */
  besides?: ReactNode
  /** The part that must not be overlooked, shown in bold. */
  bold?: string
  /** Default: Accept. */
  accept?: string
  /** Default: Cancel. */
  cancel?: string
  /** The accepting button is red. */
  danger?: boolean
  /** In place of the text and the buttons: a form that answers by itself. */
  body?: (answer: (yes: boolean) => void) => ReactNode
  /** Shown above the text when something has succeeded. */
  image?: ReactNode
}

// Loaded with the first question, as lists can be rendered without it.
const Dialog = lazy(() => import('#web/ui/dialog.tsx').then((module) => ({ default: module.Dialog })))

let asked: { question: Question; answer: (yes: boolean) => void } | null = null
let closing = false
const listeners = new Set<() => void>()
const notifyListeners = () => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Resolves to true when accepted; to false when cancelled, closed, or replaced by another question. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((answer) => {
    asked?.answer(false)
    asked = { question, answer }
    closing = false
    notifyListeners()
  })

/** Remove/Cancel, for actions that cannot be undone. */
export const confirmRemoval = (title: string, description?: ReactNode, besides?: ReactNode) =>
  confirm({ title, description, besides, accept: messages.team.remove, cancel: messages.team.cancel, danger: true })

function settle(yes: boolean) {
  asked?.answer(yes)
  closing = true
  notifyListeners()
}

/** Whether a question is waiting for its answer. */
export const useAsking = () => useSyncExternalStore(subscribe, () => asked !== null && !closing)

/** Rendered once, above all screens. */
export function Confirms() {
  const now = useSyncExternalStore(subscribe, () => asked)
  const open = useAsking()
  if (!now) return null
  const { question } = now
  return (
    <Boundary key={question.title} instead={() => <FailedQuestion />}>
      <Suspense fallback={<LoadingQuestion />}>
        <Dialog
          open={open}
          title={question.title}
          onClose={() => settle(false)}
          width={440}
          footer={
            !question.body && (
              <>
                <Button first={question.danger ?? false} onClick={() => settle(false)}>
                  {question.cancel ?? say('cancel')}
                </Button>
                <Button
                  first={!question.danger}
                  kind={question.danger ? 'danger' : 'primary'}
                  onClick={() => settle(true)}
                >
                  {question.accept ?? say('accept')}
                </Button>
              </>
            )
          }
        >
          {question.body?.(settle)}
          {question.image}
          {question.description && <p className={styles.description}>{question.description}</p>}
          {question.besides}
          {question.bold && <p className={styles.bold}>{question.bold}</p>}
        </Dialog>
      </Suspense>
    </Boundary>
  )
}

/** Until the dialog is visible, repeating the key that opened it must not press anything below. */
function LoadingQuestion() {
  useLayoutEffect(() => {
    const block = (event: KeyboardEvent) => {
      if (!['Enter', ' ', 'Escape'].includes(event.key)) return
      event.preventDefault()
      event.stopImmediatePropagation()
      if (event.key === 'Escape') settle(false)
    }
    window.addEventListener('keydown', block, true)
    return () => window.removeEventListener('keydown', block, true)
  }, [])
  return null
}

/** If the dialog cannot be rendered, the answer is no, and the user is notified. */
function FailedQuestion() {
  useEffect(() => {
    settle(false)
    notify.error(say('question-failed'))
  }, [])
  return null
}
