// End sessions: the job that handles what no gateway reports: sessions that fell silent, those whose time is up, and those of
// guests who may no longer be online.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { interim_s } from '#contract/gateway-kinds.ts'
import { forEachCustomer } from '#server/access/each-customer.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind, type Queue } from '#server/jobs/queue.ts'
import { endedAtOurWord, queueDisconnects } from '#server/sessions/disconnects.ts'
import { reasonToEnd, rights } from '#server/sessions/endings.ts'

/** A gateway that missed three reports has lost the session. */
const silent_s = 3 * interim_s
/** A gateway that agreed to end a session reports its end within this time. */
const agreed_s = 60

export async function endSessions(tenancy: Tenancy, queue: Queue): Promise<void> {
  const customers = await tenancy.callFunction(
    sql<{ customer_id: number }>`select customer_id from door_radius_customers()`,
  )
  const ids = customers.map(({ customer_id }) => customer_id)
  await forEachCustomer(ids, async (customer_id) => {
    const caller = callerOfJob(customer_id, 'end sessions')
    await tenancy.enter(caller, 'write', closeUnreported)
    await tenancy.enter(caller, 'write', async (scope) => queueDisconnects(scope, queue, await markToEnd(scope)))
  })
}

export const endSessionsJob = job({
  kind: jobKind('end_sessions'),
  cron: '* * * * *',
  title: 'Ending sessions',
  run: ({ tenancy, queue }: { tenancy: Tenancy; queue: Queue }) => endSessions(tenancy, queue),
})

/** Closes sessions that their gateway has lost, or agreed to end without reporting the end. */
function closeUnreported(scope: Scope) {
  const silent = sql<boolean>`
    t.last_seen_at < app_now() - make_interval(secs => ${silent_s}) and t.created_at < app_now() - make_interval(secs => ${silent_s})`
  const agreed = sql<boolean>`t.disconnect_agreed_at < app_now() - make_interval(secs => ${agreed_s})`
  return scope.change('radius_sessions', sql`t.stopped_at is null and (${silent} or ${agreed})`, {
    stopped_at: sql`t.last_seen_at`,
    stop_inferred: true,
    reported_from: null,
    termination_cause: sql`case when ${silent} then 'Lost-Carrier' else ${endedAtOurWord} end`,
  })
}

/** Marks the sessions of guests who have lost the right to be online since they signed in. */
async function markToEnd(scope: Scope): Promise<number[]> {
  const rows = await scope.run(sql<ColumnsOf<'radius_sessions', 'id'>>`
    update radius_sessions as t set disconnect_asked_at = now(), disconnect_for = due.why
    from (
      select s.id, ending.why from ${rights} cross join lateral (select ${reasonToEnd} as why) as ending
      where s.customer_id = ${scope.customer_id} and s.stopped_at is null and s.disconnect_asked_at is null
        and ending.why is not null
      order by s.id for no key update of s
    ) as due
    where t.id = due.id and ${scope.inReach('radius_sessions', 't')}
    returning t.id`)
  return rows.map(({ id }) => id)
}
