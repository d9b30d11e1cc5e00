// Disconnects: the jobs that ask gateways to end sessions, queued in pieces: jobs wait for gateways that do not answer, so the next
// customer's guests wait for one piece at most, however many sessions there are.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { jobKind, type Queue } from '#server/jobs/queue.ts'

/** With a cause, the job marks the sessions as asked to end for it; without one, they are marked already. */
export const disconnectKind = jobKind<{ customer_id: number; session_ids: number[]; cause?: string | undefined }>(
  'disconnect',
  { limit: 2 },
)

/** Sessions per job: their gateways are asked at the same time. */
export const disconnects_at_once = 20

/** Lists of ids, each for one job. */
export const inPieces = (ids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / disconnects_at_once) }, (_, piece) =>
    ids.slice(piece * disconnects_at_once, (piece + 1) * disconnects_at_once),
  )

/** The termination cause of a session that its gateway ended because we asked. */
export const endedAtOurWord = sql<string>`coalesce(t.disconnect_for, 'Admin-Reset')`

export function queueDisconnects(
  scope: Scope,
  queue: Pick<Queue, 'sendMany'>,
  session_ids: readonly number[],
  cause?: string,
) {
  const jobs = inPieces(session_ids).map((some) => ({ carried: { session_ids: some, cause }, after_s: 0 }))
  return queue.sendMany(disconnectKind, scope.customer_id, jobs)
}
