// Due: one try of due work, made by a test itself instead of by a node, also before its time.
import { sql } from 'kysely'
import { callerOfJob } from '#server/access/principal.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { attempt, take } from '#server/due/attempt.ts'
import { queueDue, type DueWork } from '#server/due/due-work.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { noLog } from '#server/watch/log.ts'

interface One {
  customer_id: number
  about_id: number
  /** Tries before this one. */
  tried?: number
}

/** Queues it if it is not, and tries it. `gone`: another one has it. */
export async function tryDue<Needs extends { tenancy: Tenancy; queue: Queue }>(
  work: DueWork<Needs>,
  needs: Needs,
  { customer_id, about_id, tried }: One,
) {
  const { tenancy, queue } = needs
  await tenancy.enter(callerOfJob(customer_id, 'test'), 'write', async (scope) => {
    await queueDue(scope, queue, work.kind, [{ about_id, after_s: 3600 }])
    const one = sql<boolean>`(t.kind = ${work.kind.name} and t.about_id = ${about_id})`
    if (tried !== undefined) await scope.change('due_work', one, { tries: tried })
  })
  const [held] = await take(tenancy, work, { customer_id, rows_max: 1, of: { about_id } })
  return held ? attempt(tenancy, noLog, work, needs, held) : 'gone'
}
