// Proof: calls that the server answers by asking for the password again wait here for one dialog, and go on when it was given.
import { useSyncExternalStore } from 'react'
import { session } from '#web/session/session.ts'

interface Asked {
  answer: Promise<boolean>
  settle: (proven: boolean) => void
  /** What had the focus when the call was made: a button that is busy loses it. */
  from: Element | null
}
let asked: Asked | null = null
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const notifyListeners = () => {
  for (const listener of listeners) listener()
}

/** Resolves to true once the password was given; to false if the dialog is closed or the session ends. */
export function askForProof(from: Element | null): Promise<boolean> {
  if (!asked) {
    let settle: Asked['settle'] = () => {}
    const answer = new Promise<boolean>((resolve) => (settle = resolve))
    asked = { answer, settle, from }
    notifyListeners()
  }
  return asked.answer
}

export function settleProof(proven: boolean) {
  if (!asked) return
  const { settle, from } = asked
  asked = null
  settle(proven)
  notifyListeners()
  if (!proven) giveFocusBack(from)
}
session.onEnd(() => settleProof(false))

/** After the dialog is gone and the button can be pressed again, unless something else has been chosen meanwhile. */
function giveFocusBack(from: Element | null) {
  setTimeout(() => {
    const isElsewhere = document.activeElement?.matches('input, select, textarea, button, a') ?? false
    if (!isElsewhere && from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true })
  }, fading_ms)
}
const fading_ms = 200

/** Whether a call waits. */
export const useProofAsked = () => useSyncExternalStore(subscribe, () => asked !== null)
