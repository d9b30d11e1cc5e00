// Count hours: the job that keeps the figures of each hour at a property: the number online, in all and by sign-in method, sign-in
// attempts and refusals. They are counted again each time, so that a repeat changes nothing, and hours in which no job ran are counted
// when one does.
import { sql, type RawBuilder } from 'kysely'
import { forEachCustomer } from '#server/access/each-customer.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'
import { hours_kept_days } from '#server/time/kept-hours.ts'

/** How long after its end an hour is still counted, for attempts made between two counts and for late reports. */
const late = sql`interval '10 minutes'`
/** As many are counted in one transaction. */
const hours_at_once = 6

export async function countHours(tenancy: Tenancy): Promise<void> {
  const customers = await tenancy.callFunction(
    sql<{ customer_id: number }>`select customer_id from door_uncounted_customers(${late})`,
  )
  const ids = customers.map(({ customer_id }) => customer_id)
  await forEachCustomer(ids, async (customer_id) => {
    const caller = callerOfJob(customer_id, 'count hours')
    const step = () =>
      tenancy.enter(caller, 'write', async (scope) => {
        const span = await nextSpan(scope)
        await count(scope, span)
        await sumUp(scope, span)
        await scope.run(sql`
          insert into hour_ledgers as t (customer_id, counted_until) values (${customer_id}, least(${span.to}, app_now()))
          on conflict (customer_id) do update set counted_until = excluded.counted_until`)
        return span.is_last
      })
    while (!(await step()));
    await tenancy.enter(caller, 'write', async (scope) => {
      for (const table of ['property_hours', 'customer_hours'] as const)
        await scope.run(sql`
          delete from ${sql.table(table)} as t
          where t.hour < app_now() - make_interval(days => ${hours_kept_days}) and ${scope.inReach(table, 't')}`)
    })
  })
}

interface Span {
  /** The beginnings of the first hour, and of the one after the last. */
  from: RawBuilder<unknown>
  to: RawBuilder<unknown>
  /** The present hour is in it. */
  is_last: boolean
}

/** The hours that are not counted yet, or only in part. A customer's first one is that of the first session or sign-in. */
async function nextSpan(scope: Scope): Promise<Span> {
  const begun = (table: 'radius_sessions' | 'radius_authorisations', column: string) => sql`
    (select min(${sql.ref(`t.${column}`)}) from ${sql.table(table)} as t where ${scope.inReach(table, 't')})`
  const [span] = await scope.run(sql<{ from: string; to: string; is_last: boolean }>`
    select f."from", f."from" + h.hours as "to", f."from" + h.hours > app_now() as is_last
    from (select date_trunc('hour', greatest(app_now() - make_interval(days => ${hours_kept_days}), coalesce(
        (select least(t.counted_until, app_now()) - ${late} from hour_ledgers as t where ${scope.inReach('hour_ledgers', 't')}),
        least(${begun('radius_sessions', 'started_at')}, ${begun('radius_authorisations', 'created_at')}), app_now())),
          'UTC') as "from") as f,
      (select make_interval(hours => ${hours_at_once}) as hours) as h`)
  if (!span) throw new Error('a span was not answered')
  return { from: sql`${span.from}::timestamptz`, to: sql`${span.to}::timestamptz`, is_last: span.is_last }
}

export const countHoursJob = job({
  kind: jobKind('count_hours'),
  cron: '*/5 * * * *',
  title: 'Counting who was online',
  at_start: true,
  run: ({ tenancy }: { tenancy: Tenancy }) => countHours(tenancy),
})

/** The bit of a sign-in method; one that is not known is in no combination. */
const methodBit = sql`case when t.auth_method_id is null then 0 else 1 << (t.auth_method_id - 1) end`

/**
 * The most online at once follows from when sessions began and ended: a session that ends at the moment in which another
 * begins does not overlap with it. It is found for everybody and for each combination of the sign-in methods that were there, since
 * the peaks of two methods need not be at the same moment.
 */
const count = (scope: Scope, { from, to }: Span) =>
  scope.run(sql`
    with hours as (
      select h.hour from generate_series(${from}, least(${to} - interval '1 hour', date_trunc('hour', app_now(), 'UTC')),
        interval '1 hour') as h(hour)
    ), there as materialized (
      select t.property_id, t.started_at, t.stopped_at, ${methodBit} as method from radius_sessions as t
      where t.stopped_at is null and t.started_at < ${to} and ${scope.inReach('radius_sessions', 't')}
      union all
      select t.property_id, t.started_at, t.stopped_at, ${methodBit} from radius_sessions as t
      where t.stopped_at >= ${from} and t.started_at < ${to} and ${scope.inReach('radius_sessions', 't')}
    ), moves as (
      select there.property_id, hours.hour, there.method, greatest(there.started_at, hours.hour) as at, 1 as more from there join hours
        on there.started_at < hours.hour + interval '1 hour' and coalesce(there.stopped_at > hours.hour, true)
      union all
      select there.property_id, hours.hour, there.method, there.stopped_at, -1 from there join hours
        on there.started_at < hours.hour + interval '1 hour' and there.stopped_at > hours.hour
    ),
    -- Everybody is the combination 0.
    combinations as (
      select there.property_id, there.hour, one.methods
      from (select property_id, hour, bit_or(method) as methods from moves group by 1, 2) as there
      cross join lateral generate_series(0, there.methods) as one(methods) where one.methods & ~there.methods = 0
    ), peaks as (
      select property_id, hour, methods, max(online) as online from (
        select m.property_id, m.hour, c.methods, sum(m.more) over (partition by m.property_id, m.hour, c.methods order by m.at, m.more
          rows between unbounded preceding and current row) as online
        from moves as m join combinations as c using (property_id, hour) where c.methods = 0 or m.method & c.methods <> 0) as m
      group by 1, 2, 3
    )
    insert into property_hours as kept (customer_id, property_id, hour, online, online_by_methods, tries, refused)
    select ${scope.customer_id}, c.property_id, c.hour, sum(c.online),
      coalesce(jsonb_agg(c.by_methods) filter (where c.by_methods is not null) -> 0, '{}'),
      sum(c.tries), sum(c.refused)
    from (
      select property_id, hour, max(online) filter (where methods = 0) as online,
        jsonb_object_agg(methods, online) filter (where methods > 0) as by_methods, 0 as tries, 0 as refused
      from peaks group by 1, 2
      union all
      select t.property_id, date_trunc('hour', t.created_at, 'UTC'), 0, null, count(*), count(*) filter (where not t.accepted)
      from radius_authorisations as t
      where t.created_at >= ${from} and t.created_at < ${to}
        and t.property_id is not null and t.reason <> 'unknown_device' and ${scope.inReach('radius_authorisations', 't')}
      group by 1, 2
    ) as c
    group by c.property_id, c.hour order by c.property_id, c.hour
    on conflict (customer_id, property_id, hour) do update set
      online = greatest(kept.online, excluded.online), online_by_methods = excluded.online_by_methods, tries = greatest(kept.tries,
        excluded.tries),
      refused = greatest(kept.refused, excluded.refused)`)

/** For all of the customer's properties together: the sum of their peaks. */
const sumUp = (scope: Scope, { from, to }: Span) =>
  scope.run(sql`
    insert into customer_hours as kept (customer_id, hour, online)
    select t.customer_id, t.hour, sum(t.online) from property_hours as t
    where t.hour >= ${from} and t.hour < ${to} and ${scope.inReach('property_hours', 't')}
    group by 1, 2 order by 2
    on conflict (customer_id, hour) do update set online = excluded.online`)
