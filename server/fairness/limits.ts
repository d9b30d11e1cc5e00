// Limits: how often something may be tried in a window of time, counted in the database for all nodes together.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { principalKey, type Caller } from '#server/access/principal.ts'
import { tooMany } from '#server/errors/refused.ts'
import type { Tenancy } from '#server/access/tenancy.ts'

type Wait = { wait_s: number }

async function refuseIfLimited(answer: Promise<Wait[]>) {
  const wait_s = await waitOf(answer)
  if (wait_s > 0) throw tooMany(wait_s)
}
const waitOf = async (answer: Promise<Wait[]>) => (await answer)[0]?.wait_s ?? 0

/** Counts one try of `key` before sign-in; refuses if there were more than `tries_max` in `window_s`. */
export const limit = (tenancy: Tenancy, key: string, tries_max: number, window_s: number) =>
  refuseIfLimited(tenancy.callFunction(sql<Wait>`select door_count(${key}, ${tries_max}, ${window_s}) as wait_s`))

const full = (tenancy: Tenancy, key: string, tries_max: number) =>
  tenancy.callFunction(sql<Wait>`select door_full(${key}, ${tries_max}) as wait_s`)
/** Refuses if `key` has used up its tries; counts nothing. */
export const refuseWhenFull = (tenancy: Tenancy, key: string, tries_max: number) =>
  refuseIfLimited(full(tenancy, key, tries_max))
/** How long until `key` has tries again; 0 if it has some. */
export const waitWhenFull = (tenancy: Tenancy, key: string, tries_max: number) => waitOf(full(tenancy, key, tries_max))

const taken_back_after_ms = [1000, 5000, 25_000]
/** Undoes a count after an error of ours; retried later, because the database may be what is overloaded. */
export async function undoCount(uncount: () => Promise<unknown>): Promise<void> {
  const works = () =>
    uncount().then(
      () => true,
      () => false,
    )
  const later = async () => {
    for (const wait_ms of taken_back_after_ms) {
      await sleep(wait_ms, undefined, { ref: false })
      if (await works()) return
    }
  }
  if (!(await works())) void later()
}

interface Limit {
  what: string
  tries_max: number
  window_s: number
}

/** Counts one try of a caller, in a transaction of its own: it also counts if what follows fails. */
export const limitCaller = (tenancy: Tenancy, caller: Caller, { what, tries_max, window_s }: Limit) =>
  refuseIfLimited(
    tenancy.enter(caller, 'write', (scope) =>
      scope.run(
        sql<Wait>`select customer_count(${`${what}:${principalKey(caller)}`}, ${tries_max}, ${window_s}) as wait_s`,
      ),
    ),
  )
