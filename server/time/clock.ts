// Clock: what time it is for this process, and for the database in the transactions that it opens (`app_now()`). Tests put it ahead.

let ahead_ms = 0

/** The instant of now, in milliseconds. */
export const now = (): number => Date.now() + ahead_ms

/** What a transaction begins with, so that the database goes by the same clock; nothing outside of tests. */
export const clockSetting = (): string =>
  ahead_ms === 0 ? '' : `; set local app.clock_ahead = '${Math.trunc(ahead_ms)} milliseconds'`

/** For tests: the clock shows this instant now, and runs on. Nothing: the true time again. */
export function setClock(instant?: number): void {
  ahead_ms = instant === undefined ? 0 : instant - Date.now()
}
