// Clock: the present time for this process, and for the database in transactions that it opens (`app_now()`). Tests can set it.

let ahead_ms = 0

/** The present instant, in milliseconds. */
export const now = (): number => Date.now() + ahead_ms

/** The value of `app.clock_ahead`, by which the database uses the same clock; null outside of tests. */
export const clockAhead = (): string | null => (ahead_ms === 0 ? null : `${Math.trunc(ahead_ms)} milliseconds`)

/** For tests: sets the clock to this instant, from which it runs on. Without an instant: back to the true time. */
export function setClock(instant?: number): void {
  ahead_ms = instant === undefined ? 0 : instant - Date.now()
}
