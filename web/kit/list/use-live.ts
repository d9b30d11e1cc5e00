// useLive: refreshes a list that changes by itself while the page is visible, without keeping the user's session alive. Rows are
// updated in place; new ones are inserted only if the user is not about to press something.
import { useEffect, useRef } from 'react'
import type { ListState } from './use-list.ts'

type Live = Pick<ListState<unknown>, 'look' | 'renew' | 'state' | 'narrowedHere'>

export function useLive(list: Live, every_ms: number | undefined, isFree: () => boolean) {
  const latest = useRef({ list, isFree })
  useEffect(() => {
    latest.current = { list, isFree }
  })
  useEffect(() => {
    if (every_ms === undefined) return
    const controller = new AbortController()
    let pending = false
    const refresh = async () => {
      const { list: now, isFree: free } = latest.current
      if (pending || document.visibilityState !== 'visible' || now.state !== 'ready' || now.narrowedHere) return
      pending = true
      try {
        if ((await now.look(controller.signal)) > 0 && free()) await latest.current.list.renew(controller.signal)
      } catch {
        // The list keeps what it shows; the next refresh may succeed.
      } finally {
        pending = false
      }
    }
    const timer = setInterval(() => void refresh(), every_ms)
    return () => {
      clearInterval(timer)
      controller.abort()
    }
  }, [every_ms])
}

/** Scrolled to the top, with neither the pointer nor the focus among the rows, and nothing open over them. */
export const isAtRest = (sheet: HTMLElement | null): boolean =>
  window.scrollY < 8 &&
  sheet?.querySelector('tbody:hover, tbody:focus-within, tbody [aria-expanded="true"]') === null &&
  document.querySelector('[role="dialog"], [role="menu"]') === null
