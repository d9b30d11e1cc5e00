// useFocusKept: keeps the focus on its row while rows are added and removed above it; if its own row is removed, it moves to the
// one that takes its place.
import { useLayoutEffect, useRef, type RefObject } from 'react'
import type { AnyRow } from './list-types.ts'

interface Focused {
  rows: readonly AnyRow[]
  body: RefObject<HTMLElement | null>
  active: number
  setActive: (index: number) => void
  focusRow: (index: number) => void
}

export function useFocusKept({ rows, body, active, setActive, focusRow }: Focused) {
  const before = useRef({ rows, focused: false })
  useLayoutEffect(() => {
    const { rows: shown, focused } = before.current
    if (shown !== rows && focused) {
      const line = document.activeElement?.closest<HTMLElement>('tr[data-index]')
      if (line && body.current?.contains(line)) setActive(Number(line.dataset['index']))
      else if (document.activeElement === document.body && rows.length > 0) focusRow(Math.min(active, rows.length - 1))
    }
    before.current = { rows, focused }
  })
  useLayoutEffect(() => {
    const onFocusIn = (event: FocusEvent) => {
      before.current.focused = body.current?.contains(event.target as Node) ?? false
    }
    // Not `focusout`: removing a row with the focus fires no event.
    document.addEventListener('focusin', onFocusIn)
    return () => document.removeEventListener('focusin', onFocusIn)
  }, [body])
}
