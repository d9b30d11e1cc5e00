// useHealing: what could not be loaded because the server was away is asked for again by itself once the server is back.
import { useEffect, useRef } from 'react'
import { Refused } from './call.ts'

/** Between two looks whether the server is back; also between two tries of a server that is back but busy. */
const every_ms = 4000
/** No answer, or one of a server or a proxy that cannot serve now. Any other refusal would be the same again. */
const away: readonly number[] = [0, 502, 503, 504]

export const isAway = (error: unknown): boolean => error instanceof Refused && away.includes(error.status)

/** `error`: why it failed, if it did. A page that nobody sees waits until it is seen. */
export function useHealing(error: unknown, again: () => void): void {
  const latest = useRef(again)
  useEffect(() => {
    latest.current = again
  })
  useEffect(() => {
    if (!isAway(error)) return
    const controller = new AbortController()
    const { signal } = controller
    const timer = setInterval(() => void look(signal, () => latest.current()), every_ms)
    return () => {
      clearInterval(timer)
      controller.abort()
    }
  }, [error])
}

/** Whether a node can do its work is asked without anything of a user's. */
async function look(signal: AbortSignal, again: () => void) {
  if (document.visibilityState !== 'visible') return
  const answer = await fetch('/readyz', { cache: 'no-store', signal }).catch(() => undefined)
  if (answer?.ok && !signal.aborted) again()
}
