// useListKeys: keys that lead into a list while nothing in particular has the focus, as when its screen has just opened: Down moves
// to the first row, Ctrl+A selects the loaded rows and moves to the bulk bar.
import { useEffect, useRef, type RefObject } from 'react'

const isNowhere = (element: Element | null) =>
  element === null || element === document.body || element.matches('h1, main')

export function useListKeys(sheet: RefObject<HTMLElement | null>, selectAll: (() => void) | undefined) {
  const select = useRef(selectAll)
  useEffect(() => {
    select.current = selectAll
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isNowhere(document.activeElement)) return
      const row = sheet.current?.querySelector<HTMLElement>('tbody tr[tabindex="0"]')
      if (!row) return
      if (event.key === 'ArrowDown' && !event.metaKey && !event.altKey) row.focus()
      else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey) && select.current) {
        select.current()
        setTimeout(() => sheet.current?.querySelector<HTMLElement>('[data-bulk-bar] button:enabled')?.focus())
      } else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [sheet])
}
