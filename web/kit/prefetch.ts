// Prefetch: what may be fetched ahead, and when: while the browser rests, and never on a slow or saving connection.
import { constants } from '#contract/constants.ts'

interface Connection {
  saveData?: boolean
  effectiveType?: string
}

export function prefetchAllowed(connection = (navigator as { connection?: Connection }).connection): boolean {
  return !connection?.saveData && !/2g$/.test(connection?.effectiveType ?? '')
}

/** Runs when the browser rests, at the latest after 2 seconds. Answers how to call it off. */
export function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, constants.prefetch_idle_ms)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: constants.prefetch_idle_ms })
  return () => cancelIdleCallback(handle)
}
