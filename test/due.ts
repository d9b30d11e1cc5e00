// Due: one try of due work, made by a test itself instead of by a node, also before its time.
import { sql } from 'kysely'
import { callerOfJob } from '#server/access/principal.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { attempt, take } from '#server/due/attempt.ts'
import type { DueWork } from '#server/due/due-work.ts'
import { noLog } from '#server/watch/log.ts'

interface One {
  customer_id: number
  about_id: number
  /** Tries before this one. */
  tried?: number
}

/** Queues it if it is not, and tries it. `gone`: another one has it. */
export async function tryDue<Needs extends { tenancy: Tenancy }>(
  work: DueWork<Needs>,
  needs: Needs,
  { customer_id, about_id, tried }: One,
) {
  const { tenancy } = needs
  await tenancy.enter(callerOfJob(customer_id, 'test'), 'write', async (scope) => {
    await scope.run(sql`
      insert into due_work (customer_id, kind, about_id, next_at) values (${customer_id}, ${work.kind.name}, ${about_id}, 'infinity')
      on conflict do nothing`)
    const one = sql<boolean>`(t.kind = ${work.kind.name} and t.about_id = ${about_id})`
    if (tried !== undefined) await scope.change('due_work', one, { tries: tried })
  })
  const [held] = await take(tenancy, work, { customer_id, rows_max: 1, of: { about_id } })
  return held ? attempt(tenancy, noLog, work, needs, held) : 'gone'
}

/** Does what is due of a kind for a customer, until nothing is. */
export async function doDue<Needs extends { tenancy: Tenancy }>(
  work: DueWork<Needs>,
  needs: Needs,
  customer_id: number,
) {
  for (const urgent of [true, false])
    for (;;) {
      const [held] = await take(needs.tenancy, work, { customer_id, rows_max: 1, of: { urgent } })
      if (!held) break
      await attempt(needs.tenancy, noLog, work, needs, held)
    }
}
