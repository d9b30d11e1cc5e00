// useLive: a list that changes by itself is asked again while somebody can see it, without keeping their session of the app
// alive. Rows change in their places; new ones come in by themselves only where nobody is about to press something.
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
    const gone = new AbortController()
    let waits = false
    const look = async () => {
      const { list: now, isFree: free } = latest.current
      if (waits || document.visibilityState !== 'visible' || now.state !== 'ready' || now.narrowedHere) return
      waits = true
      try {
        if ((await now.look(gone.signal)) > 0 && free()) await latest.current.list.renew(gone.signal)
      } catch {
        // The next look may be answered; what the list shows stays.
      } finally {
        waits = false
      }
    }
    const timer = setInterval(() => void look(), every_ms)
    return () => {
      clearInterval(timer)
      gone.abort()
    }
  }, [every_ms])
}

/** At the top, with neither the pointer nor the focus among the rows, and nothing open over them. */
export const isAtRest = (sheet: HTMLElement | null): boolean =>
  window.scrollY < 8 &&
  sheet?.querySelector('tbody:hover, tbody:focus-within, tbody [aria-expanded="true"]') === null &&
  document.querySelector('[role="dialog"], [role="menu"]') === null
