// Count hours: the job that keeps the figures of each hour at a property: the number online, sign-in attempts and refusals. They are
// counted again each time, so that a repeat changes nothing.
import { sql } from 'kysely'
import { forEachCustomer } from '#server/access/each-customer.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'

/** As long as sessions are kept: reports show the most online on a day. */
const kept_days = 400
/** How long after its end an hour is still counted, for attempts made between two counts and for late reports. */
const late_minutes = 10

export async function countHours(tenancy: Tenancy): Promise<void> {
  const customers = await tenancy.callFunction(
    sql<{ customer_id: number }>`select customer_id from door_counted_customers()`,
  )
  const ids = customers.map(({ customer_id }) => customer_id)
  await forEachCustomer(ids, (customer_id) =>
    tenancy.enter(callerOfJob(customer_id, 'count hours'), 'write', async (scope) => {
      await count(scope)
      await sumUp(scope)
      for (const table of ['property_hours', 'customer_hours'] as const)
        await scope.run(sql`
          delete from ${sql.table(table)} as t
          where t.hour < now() - make_interval(days => ${kept_days}) and ${scope.inReach(table, 't')}`)
    }),
  )
}

export const countHoursJob = job({
  kind: jobKind('count_hours'),
  cron: '*/5 * * * *',
  run: ({ tenancy }: { tenancy: Tenancy }) => countHours(tenancy),
})

/**
 * The most online at once follows from when sessions began and ended: a session that ends at the moment in which another
 * begins does not overlap with it.
 */
const count = (scope: Scope) =>
  scope.run(sql`
    with hours as (
      select h.hour from generate_series(date_trunc('hour', now() - make_interval(mins => ${late_minutes}), 'UTC'),
        date_trunc('hour', now(), 'UTC'), interval '1 hour') as h(hour)
    ), there as materialized (
      select t.property_id, t.started_at, t.stopped_at from radius_sessions as t
      where t.stopped_at is null and ${scope.inReach('radius_sessions', 't')}
      union all
      select t.property_id, t.started_at, t.stopped_at from radius_sessions as t
      where t.stopped_at >= (select min(hour) from hours) and ${scope.inReach('radius_sessions', 't')}
    ), moves as (
      select there.property_id, hours.hour, greatest(there.started_at, hours.hour) as at, 1 as more from there join hours
        on there.started_at < hours.hour + interval '1 hour' and coalesce(there.stopped_at > hours.hour, true)
      union all
      select there.property_id, hours.hour, there.stopped_at, -1 from there join hours
        on there.started_at < hours.hour + interval '1 hour' and there.stopped_at > hours.hour
    )
    insert into property_hours as kept (customer_id, property_id, hour, online, tries, refused)
    select ${scope.customer_id}, c.property_id, c.hour, sum(c.online), sum(c.tries), sum(c.refused)
    from (
      select property_id, hour, max(online) as online, 0 as tries, 0 as refused from (
        select property_id, hour, sum(more) over (partition by property_id, hour order by at, more
          rows between unbounded preceding and current row) as online from moves) as m
      group by 1, 2
      union all
      select t.property_id, date_trunc('hour', t.created_at, 'UTC'), 0, count(*), count(*) filter (where not t.accepted)
      from radius_authorisations as t
      where t.created_at >= date_trunc('hour', now() - make_interval(mins => ${late_minutes}), 'UTC')
        and t.property_id is not null and t.reason <> 'unknown_device' and ${scope.inReach('radius_authorisations', 't')}
      group by 1, 2
    ) as c
    group by c.property_id, c.hour order by c.property_id, c.hour
    on conflict (customer_id, property_id, hour) do update set
      online = greatest(kept.online, excluded.online), tries = greatest(kept.tries, excluded.tries),
      refused = greatest(kept.refused, excluded.refused)`)

/** For all of the customer's properties together: the sum of their peaks. */
const sumUp = (scope: Scope) =>
  scope.run(sql`
    insert into customer_hours as kept (customer_id, hour, online)
    select t.customer_id, t.hour, sum(t.online) from property_hours as t
    where t.hour >= date_trunc('hour', now() - make_interval(mins => ${late_minutes}), 'UTC')
      and ${scope.inReach('property_hours', 't')}
    group by 1, 2 order by 2
    on conflict (customer_id, hour) do update set online = excluded.online`)
