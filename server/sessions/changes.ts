// Changes: changed rights of guests who are online: a package's limits, or another package. To apply them now, gateways are asked
// to change their sessions; otherwise guests keep the terms they signed in on until they sign in again.
import { sql } from 'kysely'
import type { Condition } from '#server/access/reach.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { jobKind, type Queue } from '#server/jobs/queue.ts'
import { inPieces } from '#server/sessions/disconnects.ts'

/** The limits of a package that a gateway or our own counters enforce. */
export interface Terms {
  speed_mbps: number
  volume_gb: number
  session_time_hrs: number
  idle_timeout_hrs: number
}
const names = ['speed_mbps', 'volume_gb', 'session_time_hrs', 'idle_timeout_hrs'] as const

export const areChanged = (before: Terms, after: Terms) => names.some((name) => before[name] !== after[name])

/** own: the package is looked up again: the holder's, the room's or the property's. lifted: a limit has been removed. */
interface How {
  own: boolean
  lifted: boolean
}
export interface SessionsToChange extends How {
  customer_id: number
  session_ids: number[]
}
export const changeSessionsKind = jobKind<SessionsToChange>('change_sessions', { limit: 2 })

const open = sql<boolean>`t.stopped_at is null and t.disconnect_asked_at is null`

/** The number of sessions online on a package. */
export async function onlineOn(scope: Scope, package_id: number): Promise<number> {
  const [row] = await scope.run(sql<{ online: number }>`
    select count(*)::integer as online from radius_sessions as t
    where t.package_id = ${package_id} and t.stopped_at is null and ${scope.inReach('radius_sessions', 't')}`)
  return row?.online ?? 0
}

/** Sessions that are online keep their terms, however the package is changed. */
export const keepTerms = (scope: Scope, package_id: number, { speed_mbps, volume_gb, session_time_hrs }: Terms) =>
  scope.change('radius_sessions', sql`t.package_id = ${package_id} and ${open} and t.terms is null`, {
    terms: JSON.stringify({ speed_mbps, volume_gb, session_time_hrs }),
  })

/** Sessions that are online on the package get its limits now. */
export async function applyPackage(
  scope: Scope,
  queue: Pick<Queue, 'sendMany'>,
  { package_id, before, after }: { package_id: number; before: Terms; after: Terms },
) {
  const ids = await scope.change('radius_sessions', sql`t.package_id = ${package_id} and ${open}`, { terms: null })
  const lifted = names.some((name) => before[name] > 0 && after[name] === 0)
  await queueChanges(scope, queue, ids, { own: false, lifted })
}

/** Those of these sessions that are online get the package that the holder has now. */
export async function applyHolders(scope: Scope, queue: Pick<Queue, 'sendMany'>, whose: Condition) {
  await queueChanges(scope, queue, await scope.lock('radius_sessions', sql`${open} and ${whose}`), {
    own: true,
    lifted: false,
  })
}

function queueChanges(scope: Scope, queue: Pick<Queue, 'sendMany'>, session_ids: readonly number[], how: How) {
  const jobs = inPieces(session_ids).map((some) => ({ carried: { session_ids: some, ...how }, after_s: 0 }))
  return queue.sendMany(changeSessionsKind, scope.customer_id, jobs)
}
