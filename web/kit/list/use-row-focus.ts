// useRowFocus: the row of a table that is its Tab stop, and moving the focus to another one, which may have to be rendered first.
import { useEffect, useRef, useState, type RefObject } from 'react'
import type { AnyRow } from './list-types.ts'
import { useFocusKept } from './use-focus-kept.ts'
import type { VisibleRows } from './visible-rows.ts'

export function useRowFocus(
  rows: readonly AnyRow[],
  body: RefObject<HTMLTableSectionElement | null>,
  sight: VisibleRows,
) {
  const [active, setActive] = useState(0)
  const wanted = useRef(false)
  useEffect(() => {
    if (!wanted.current) return
    wanted.current = false
    body.current?.querySelector<HTMLElement>(`tr[data-index="${active}"]`)?.focus({ preventScroll: true })
  }, [active, body])
  const focusRow = (index: number) => {
    sight.scrollTo(index)
    const line = body.current?.querySelector<HTMLElement>(`tr[data-index="${index}"]`)
    if (line) line.focus({ preventScroll: true })
    else wanted.current = true
    setActive(index)
  }
  useFocusKept({ rows, body, active, setActive, focusRow })
  return { active, setActive, focusRow }
}
