// Limits: how often something may be tried in a window of time, counted in the database for all nodes together.
import { sql } from 'kysely'
import { keyOf, type Caller } from '#server/access/principal.ts'
import { tooMany } from '#server/access/refused.ts'
import type { Tenancy } from '#server/access/tenancy.ts'

type Wait = { wait_s: number }

async function refuseIfToWait(asked: Promise<Wait[]>) {
  const [row] = await asked
  if (row && row.wait_s > 0) throw tooMany(row.wait_s)
}

/** Counts one try of `what` before anybody is signed in; refuses when there were more than `tries_max` in `window_s`. */
export const limit = (tenancy: Tenancy, what: string, tries_max: number, window_s: number) =>
  refuseIfToWait(tenancy.callFunction(sql<Wait>`select door_count(${what}, ${tries_max}, ${window_s}) as wait_s`))

/** Refuses when `what` has used up its tries; counts nothing. */
export const refuseWhenFull = (tenancy: Tenancy, what: string, tries_max: number) =>
  refuseIfToWait(tenancy.callFunction(sql<Wait>`select door_full(${what}, ${tries_max}) as wait_s`))

/** Counts one try of a caller, in a transaction of its own: it counts also when what follows fails. */
export const limitCaller = (tenancy: Tenancy, caller: Caller, what: string, tries_max: number, window_s: number) =>
  refuseIfToWait(
    tenancy.enter(caller, 'write', (scope) =>
      scope.run(sql<Wait>`select customer_count(${`${what}:${keyOf(caller)}`}, ${tries_max}, ${window_s}) as wait_s`),
    ),
  )
