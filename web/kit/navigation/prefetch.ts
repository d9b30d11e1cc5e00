// Prefetch: whether and when to prefetch: while the browser is idle, and never on a slow or data-saving connection.
import { constants } from '#contract/constants.ts'

interface Connection {
  saveData?: boolean
  effectiveType?: string
}

export function prefetchAllowed(connection = (navigator as { connection?: Connection }).connection): boolean {
  return !connection?.saveData && !connection?.effectiveType?.endsWith('2g')
}

/** Resolves at the first pointer or key event. Until then the connection belongs to the page that is loading. */
const firstActivity: Promise<void> =
  typeof window === 'undefined'
    ? Promise.resolve()
    : new Promise((resolve) => {
        for (const event of ['pointermove', 'pointerdown', 'keydown', 'wheel'])
          window.addEventListener(event, () => resolve(), { once: true, passive: true })
      })

/** Runs when the browser is idle, at the latest after 2 seconds. */
export function atRest(work: () => void) {
  if (typeof requestIdleCallback === 'undefined') setTimeout(work, constants.prefetch_idle_ms)
  else requestIdleCallback(work, { timeout: constants.prefetch_idle_ms })
}

/** Runs when the browser is idle, but not before the first activity of the user. Returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  let cancelled = false
  const run = () => {
    if (!cancelled) work()
  }
  void firstActivity.then(() => atRest(run))
  return () => {
    cancelled = true
  }
}
