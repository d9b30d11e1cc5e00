// Dialog focus: into the first field when a dialog opens, and back to what opened it when it closes.
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'

/** What a person would fill in first; the close icon and locked fields are not it. */
const field = ['input', 'select', 'textarea']
  .map((kind) => `${kind}:not([type='hidden'], [tabindex='-1'], :disabled, [readonly]:not([role='combobox']))`)
  .join(', ')
const control = 'button:not(:disabled), a[href]'

/**
 * The library's focus trap looks for `data-autofocus` when a dialog opens. Where the content names nothing itself, its
 * first field is marked, else its first button. The ref belongs on an element around the content.
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

/** Remembers what has the focus when the dialog opens and gives it back, unless the next screen has taken it. */
export function useFocusReturn(open: boolean) {
  const isOpen = useRef(false)
  useLayoutEffect(() => {
    if (!open) return
    isOpen.current = true
    const opener = document.activeElement
    return () => {
      isOpen.current = false
      // After the screen below has been drawn, and what was pressed has had its effect.
      setTimeout(() => {
        if (!isOpen.current && isFocusLost()) giveBackTo(opener)
      })
    }
  }, [open])
}

/** On nothing, or on the dialog that is fading out. */
function isFocusLost(): boolean {
  const active = document.activeElement
  return active === null || active === document.body || active.closest('[aria-modal="true"]') !== null
}

/** What opened it may be gone by now, such as a row that was deleted: then the screen's heading is where one is. */
function giveBackTo(opener: Element | null) {
  if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) {
    opener.focus({ preventScroll: true })
    if (document.activeElement === opener) return
  }
  document.querySelector<HTMLElement>('main h1[tabindex], main[tabindex]')?.focus({ preventScroll: true })
}

/** The open dialogs, the topmost last: Escape is its alone. */
let dialogs: readonly object[] = []
export function useTopmost(open: boolean): boolean {
  const [self] = useState(() => ({}))
  useEffect(() => {
    if (!open) return
    dialogs = [...dialogs, self]
    tell()
    return () => {
      dialogs = dialogs.filter((other) => other !== self)
      tell()
    }
  }, [open, self])
  return useSyncExternalStore(floatingAbove.subscribe, () => dialogs.at(-1) === self)
}

/** Whatever floats above a dialog, such as its menu, takes Escape for itself. */
let floating = 0
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}
export const floatingAbove = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  get: () => floating > 0,
}

/** Says that something floats, for as long as who calls it is drawn. */
export function useFloatsAbove() {
  useEffect(() => {
    floating += 1
    tell()
    return () => {
      floating -= 1
      tell()
    }
  }, [])
}
