// Prefetch: what may be fetched ahead, and when: while the browser rests, and never on a slow or saving connection.
import { constants } from '#contract/constants.ts'

interface Connection {
  saveData?: boolean
  effectiveType?: string
}

export function prefetchAllowed(connection = (navigator as { connection?: Connection }).connection): boolean {
  return !connection?.saveData && !connection?.effectiveType?.endsWith('2g')
}

/** Resolves when someone first moves, types or touches. What comes before that belongs to the page that was asked for. */
const life: Promise<void> =
  typeof window === 'undefined'
    ? Promise.resolve()
    : new Promise((resolve) => {
        for (const sign of ['pointermove', 'pointerdown', 'keydown', 'wheel'])
          window.addEventListener(sign, () => resolve(), { once: true, passive: true })
      })

/** Runs when the browser rests, at the latest after 2 seconds. */
export function atRest(work: () => void) {
  if (typeof requestIdleCallback === 'undefined') setTimeout(work, constants.prefetch_idle_ms)
  else requestIdleCallback(work, { timeout: constants.prefetch_idle_ms })
}

/** Runs at rest, but not before someone is there. Answers how to call it off. */
export function whenIdle(work: () => void): () => void {
  let off = false
  const run = () => {
    if (!off) work()
  }
  void life.then(() => atRest(run))
  return () => {
    off = true
  }
}
