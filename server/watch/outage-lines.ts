// Outage lines: while the database does not answer, everything that needs it fails alike, thousands of times. The log says so when it
// begins and when it is over, with how many lines were left out.
import { isOfLostDatabase } from '#server/errors/lost-database.ts'

/** After this long without a further failure it is over. */
const over_after_ms = 10_000
const unavailable = 503

export interface Over {
  seconds: number
  lines: number
}

/** @param over called once at the end of each outage */
export function openOutageLines(over: (found: Over) => void) {
  let began_at: number | null = null
  let last_at = 0
  let lines = 0
  const end = setTimeout(() => {
    if (began_at === null) return
    const found = { seconds: Math.round((last_at - began_at) / 1000), lines }
    began_at = null
    lines = 0
    over(found)
  }, over_after_ms).unref()

  return {
    /** What becomes of a line with these fields. */
    verdictOn(fields: unknown): 'first' | 'held' | 'other' {
      const { err, status } = Object(fields) as { err?: unknown; status?: unknown }
      // Also of what waited for its turn behind others that wait for the database.
      const isRefusal = began_at !== null && [status, Object(err).status].includes(unavailable)
      if (!isRefusal && !isOfLostDatabase(err)) return 'other'
      last_at = performance.now()
      end.refresh()
      if (began_at !== null) {
        lines++
        return 'held'
      }
      began_at = last_at
      return 'first'
    },
  }
}
