// Dialog focus: moves to the first field when a dialog opens, and back to what opened it when it closes.
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'

/** Elements that a person would fill in first, so neither the close icon nor locked fields. */
const field = ['input', 'select', 'textarea']
  .map((kind) => `${kind}:not([type='hidden'], [tabindex='-1'], :disabled, [readonly]:not([role='combobox']))`)
  .join(', ')
const control = 'button:not(:disabled), a[href]'

/**
 * The library's focus trap looks for `data-autofocus` when a dialog opens. Unless the content sets it itself, its first
 * field is marked, else its first button. The ref belongs on an element around the content.
 */
export function useFirstField() {
  const content = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const inside = content.current
    if (!inside || inside.querySelector('[data-autofocus]')) return
    const first = inside.querySelector<HTMLElement>(field) ?? inside.querySelector<HTMLElement>(control)
    first?.setAttribute('data-autofocus', '')
  }, [])
  return content
}

/** Remembers what has the focus when the dialog opens and restores it on closing, unless the next screen has taken it. */
export function useFocusReturn(open: boolean) {
  const isOpen = useRef(false)
  useLayoutEffect(() => {
    if (!open) return
    isOpen.current = true
    const opener = document.activeElement
    return () => {
      isOpen.current = false
      // After the screen below has been rendered and the press has been handled.
      setTimeout(() => {
        if (!isOpen.current && isFocusLost()) restoreFocus(opener)
      })
    }
  }, [open])
}

/** Nothing has the focus, or something in the dialog that is fading out. */
function isFocusLost(): boolean {
  const active = document.activeElement
  return active === null || active === document.body || active.closest('[aria-modal="true"]') !== null
}

/** The opener may be gone by now, such as the row that was deleted; then the screen's heading gets the focus. */
function restoreFocus(opener: Element | null) {
  if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) {
    opener.focus({ preventScroll: true })
    if (document.activeElement === opener) return
  }
  document.querySelector<HTMLElement>('main h1[tabindex], main[tabindex]')?.focus({ preventScroll: true })
}

/** The open dialogs, the topmost last. */
let dialogs: readonly object[] = []
/**
 * Where a dialog stands among those that are open. Only the topmost is closed by Escape. `level`: how many it covers; the order of the
 * document would leave one that was open before, such as a question, below what was opened since.
 */
export function useStacked(open: boolean): { topmost: boolean; level: number } {
  const [self] = useState(() => ({}))
  useEffect(() => {
    if (!open) return
    dialogs = [...dialogs, self]
    notify()
    return () => {
      dialogs = dialogs.filter((other) => other !== self)
      notify()
    }
  }, [open, self])
  const stack = useSyncExternalStore(floatingAbove.subscribe, () => dialogs)
  const at = stack.indexOf(self)
  return { topmost: stack.at(-1) === self, level: at < 0 ? stack.length : at }
}

/** Menus and popovers above a dialog handle Escape themselves. */
let floating = 0
const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}
export const floatingAbove = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  get: () => floating > 0,
}

/** Registers something floating for as long as the calling component is mounted. */
export function useFloatsAbove() {
  useEffect(() => {
    floating += 1
    notify()
    return () => {
      floating -= 1
      notify()
    }
  }, [])
}
