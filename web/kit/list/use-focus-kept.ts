// useFocusKept: the focus stays on its row while rows come and go above it by themselves; where its own row goes, on what takes
// its place.
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
    const within = (event: FocusEvent) => {
      before.current.focused = body.current?.contains(event.target as Node) ?? false
    }
    // A row that is taken away tells nobody that it has lost the focus.
    document.addEventListener('focusin', within)
    return () => document.removeEventListener('focusin', within)
  }, [body])
}
