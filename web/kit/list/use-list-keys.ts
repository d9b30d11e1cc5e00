// useListKeys: keys that lead into a list while the focus is on nothing in particular, as when its screen has just opened:
// Down goes to the first row, Ctrl+A selects what is loaded and goes on to what can be done with it.
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
