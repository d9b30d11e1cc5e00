// Locked: an end to waiting for a lock that something else holds, and the sentence that says so. For starts and commands of the
// operator, which would hang for ever without it; the app's own pools say how long they wait in connect.ts.
import { CannotStart } from '#server/start/cannot-start.ts'

/** Another node that starts at the same time, or a command beside running nodes, is waited for so long. */
export const lock_wait_ms = 60_000

/** The address with that limit in it, for libraries that open their connections themselves. */
export function withLockLimit(url: string, lock_timeout_ms: number): string {
  const limited = new URL(url)
  const options = limited.searchParams.get('options') ?? ''
  limited.searchParams.set('options', `${options} -c lock_timeout=${lock_timeout_ms}`.trim())
  return limited.href
}

/** PostgreSQL's word for a lock that did not come in time. */
const lock_not_available = '55P03'

/** @param sentences what was not done, and what to do about it. */
export async function orLocked<T>(work: () => Promise<T>, sentences: string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isLocked(error)) throw new CannotStart(`${sentences} ${whoHoldsIt}`)
    throw error
  }
}
const isLocked = (error: unknown): boolean =>
  error instanceof Error && ((error as { code?: unknown }).code === lock_not_available || isLocked(error.cause))

const whoHoldsIt =
  'Who holds it: select pid, application_name, state, query from pg_stat_activity where pid in ' +
  '(select unnest(pg_blocking_pids(pid)) from pg_stat_activity).'
