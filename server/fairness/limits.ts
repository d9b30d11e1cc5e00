// Limits: how often something may be tried in a window of time, counted in the database for all nodes together.
import { sql } from 'kysely'
import { keyOf, type Caller } from '#server/access/principal.ts'
import { tooMany } from '#server/access/refused.ts'
import type { Tenancy } from '#server/access/tenancy.ts'

/** Counts one try of `what`; refuses when there were more than `tries_max` in `window_s`. */
export async function limit(tenancy: Tenancy, what: string, tries_max: number, window_s: number) {
  const [row] = await tenancy.callFunction(
    sql<{ wait_s: number }>`select door_count(${what}, ${tries_max}, ${window_s}) as wait_s`,
  )
  if (row && row.wait_s > 0) throw tooMany(row.wait_s)
}

/** Refuses when `what` has used up its tries; counts nothing. */
export async function refuseWhenFull(tenancy: Tenancy, what: string, tries_max: number) {
  const [row] = await tenancy.callFunction(sql<{ wait_s: number }>`select door_full(${what}, ${tries_max}) as wait_s`)
  if (row && row.wait_s > 0) throw tooMany(row.wait_s)
}

/** Whoever mails more than a busy desk does is mailing strangers. */
const mails_per_hour_max = 60
export const limitMails = (tenancy: Tenancy, caller: Caller) =>
  limit(tenancy, `mails:${keyOf(caller)}`, mails_per_hour_max, 3600)
