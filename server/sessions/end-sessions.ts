// End sessions: the job that looks after what no gateway reports: sessions that fell silent, those whose end has come, and
// those of guests who may be online no longer.
import { sql } from 'kysely'
import { forEachCustomer } from '#server/access/each-customer.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { endedAtOurWord, queueDisconnects } from '#server/sessions/disconnects.ts'
import { interim_s } from '#server/sessions/record.ts'

/** A gateway that missed three reports has lost the session. */
const silent_s = 3 * interim_s
/** One that agreed to end a session says within this time that it has. */
const agreed_s = 60

export async function endSessions(tenancy: Tenancy, queue: Queue): Promise<void> {
  const customers = await tenancy.callFunction(
    sql<{ customer_id: number }>`select customer_id from door_radius_customers()`,
  )
  const ids = customers.map(({ customer_id }) => customer_id)
  await forEachCustomer(ids, async (customer_id) => {
    const caller = callerOfJob(customer_id, 'end sessions')
    await tenancy.enter(caller, 'write', closeUnreported)
    await tenancy.enter(caller, 'write', async (scope) => queueDisconnects(scope, queue, await askedToEnd(scope)))
  })
}

/** What its gateway has lost, or agreed to end without saying that it has. */
function closeUnreported(scope: Scope) {
  const silent = sql<boolean>`
    t.last_seen_at < now() - make_interval(secs => ${silent_s}) and t.created_at < now() - make_interval(secs => ${silent_s})`
  const agreed = sql<boolean>`t.disconnect_agreed_at < now() - make_interval(secs => ${agreed_s})`
  return scope.change('radius_sessions', sql`t.stopped_at is null and (${silent} or ${agreed})`, {
    stopped_at: sql`t.last_seen_at`,
    stop_inferred: true,
    termination_cause: sql`case when ${silent} then 'Lost-Carrier' else ${endedAtOurWord} end`,
  })
}

/** Whoever lost the right to be online since they were let in. */
async function askedToEnd(scope: Scope): Promise<number[]> {
  const rows = await scope.run(sql<{ id: number }>`
    update radius_sessions as t set disconnect_asked_at = now(), disconnect_for = due.why
    from (
      select s.id, ending.why
      from radius_sessions as s
      join customers as c on c.id = s.customer_id
      join properties as h on h.customer_id = s.customer_id and h.id = s.property_id
      left join accounts as a on a.customer_id = s.customer_id and a.id = s.account_id
      left join devices as d on d.customer_id = s.customer_id and d.id = s.device_id
      left join vouchers as v on v.customer_id = s.customer_id and v.id = s.voucher_id
      left join voucher_batches as b on b.customer_id = v.customer_id and b.id = v.voucher_batch_id
      left join guests as g on g.customer_id = s.customer_id and g.id = s.guest_id
      left join room_guests as r on r.customer_id = g.customer_id and r.id = g.room_guest_id
      cross join lateral (select case
        when a.deleted_at is not null then 'Account-Deleted'
        when a.id is not null and (not a.active or a.draft) then 'Account-Disabled'
        when d.id is not null and (d.deleted_at is not null or not d.active) then 'Device-Disabled'
        when exists (
          select from devices as x join mac_categories as k on k.customer_id = x.customer_id and k.id = x.mac_category_id
          where x.customer_id = s.customer_id and x.property_id = s.property_id and x.mac_address = s.mac_address
            and x.deleted_at is null and k.blocks) then 'Device-Disabled'
        when r.id is not null and (r.deleted_at is not null
          or day_begins(r.departs_on + 1, coalesce(h.time_zone, c.time_zone)) <= app_now()) then 'Stay-Over'
        when b.id is not null and (b.deleted_at is not null or not b.active) then 'Voucher-Disabled'
        when not h.active then 'Property-Disabled'
        when least(a.expires_at, v.expires_at, b.expires_at, s.ends_at) <= app_now() then 'Time-Used-Up'
      end as why) as ending
      where s.customer_id = ${scope.customer_id} and s.stopped_at is null and s.disconnect_asked_at is null
        and ending.why is not null
      order by s.id for no key update of s
    ) as due
    where t.id = due.id and ${scope.inReach('radius_sessions', 't')}
    returning t.id`)
  return rows.map(({ id }) => id)
}
