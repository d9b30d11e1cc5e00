// Lock timeout: a limit for waiting for a lock that something else holds, and the message about it. For starts and commands of the
// operator, which would hang for ever without it; the app's own pools have their limits in connect.ts.
import { CannotStart } from '#server/start/cannot-start.ts'

/** How long to wait for another node that starts at the same time, or for a command that runs alongside nodes. */
export const lock_wait_ms = 60_000

/** The URL with that limit in it, for libraries that open their connections themselves. */
export function withLockLimit(url: string, lock_timeout_ms: number): string {
  const limited = new URL(url)
  const options = limited.searchParams.get('options') ?? ''
  limited.searchParams.set('options', `${options} -c lock_timeout=${lock_timeout_ms}`.trim())
  return limited.href
}

/** PostgreSQL's error code for a lock that was not available in time. */
const lock_not_available = '55P03'
/** Of two transactions that wait for each other, PostgreSQL ends one. */
const deadlock_detected = '40P01'

/** @param sentences say what was not done, and what to do about it */
export async function orLocked<T>(work: () => Promise<T>, sentences: string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isLocked(error) || isDeadlock(error)) throw new CannotStart(`${sentences} ${findHolder}`)
    throw error
  }
}
const has =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof Error && ((error as { code?: unknown }).code === code || has(code)(error.cause))
export const isLocked = has(lock_not_available)
export const isDeadlock = has(deadlock_detected)

const findHolder =
  'Who holds it: select pid, application_name, state, query from pg_stat_activity where pid in ' +
  '(select unnest(pg_blocking_pids(pid)) from pg_stat_activity).'
