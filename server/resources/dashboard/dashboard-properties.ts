// Dashboard of properties: the state of each now and over the last seven days, the worst first. Reads figures that are maintained
// while sessions and codes are used, so that a long history costs nothing.
import { sql } from 'kysely'
import type { Reply } from '#contract/endpoint.ts'
import { worth_a_look, type get } from '#contract/dashboard.ts'
import type { Scope } from '#server/access/tenancy.ts'

type Standing = Reply<typeof get>['data']['standings'][number]

/** More would be too long for one page; the list of properties has them all. */
const shown_max = 200
const { drop_min, online_min } = worth_a_look
/** Codes that will run out this soon should be replenished now. */
const soon_days = 7

const this_hour = sql`date_trunc('hour', app_now(), 'UTC')`
const week_ago = sql`(${this_hour} - interval '7 days')`
/** The last day, and the same a week ago. Named one by one, they are found by the index without the days between. */
const compared_hours = sql`array(
  select until - make_interval(hours => back) from (values (${this_hour}), (${week_ago})) as day(until), generate_series(0, 23) as back)`

/** How many are in each state. */
export const states = (scope: Scope) =>
  scope.run(sql<Reply<typeof get>['data']['states'][number]>`
    select t.word, count(*)::integer as count from property_states as t where ${scope.inReach('property_states', 't')}
    group by t.word, t.severity order by t.severity`)

/** Active properties in reach. Those with nothing wrong come last, by name. */
export const standings = (scope: Scope) =>
  scope.run(sql<Standing>`
    select f.id, f.name, f.state, f.suffering, f.online, f.online_before, f.tries, f.refused, f.tries_before,
      f.refused_before, f.days, f.codes_left, f.codes_last_until::text, f.codes_run_out,
      f.is_troubled or f.is_worth_a_look is true as troubled
    from (
      select t.id, t.name, state.suffering, state.severity, state.word <> 'served' as is_troubled,
        json_build_object('word', state.word, 'since', state.since, 'sentence', state.sentence) as state,
        coalesce(open.sessions, 0)::float < ${1 - drop_min}::float * past.online_before and past.online_before >= ${online_min}::integer
          or pace.codes_last_until <= d.today + ${soon_days}::integer as is_worth_a_look,
        coalesce(open.sessions, 0) as online, past.online_before, coalesce(past.tries, 0) as tries,
        coalesce(past.refused, 0) as refused, coalesce(past.tries_before, 0) as tries_before,
        coalesce(past.refused_before, 0) as refused_before,
        array(
          select coalesce(sum(s.sessions), 0)::integer
          from generate_series(d.today - 6, d.today, interval '1 day') as week(day)
          left join session_days as s
            on s.customer_id = t.customer_id and s.property_id = t.id and s.day = week.day::date
              and s.day between d.today - 6 and d.today
          group by week.day order by week.day) as days,
        codes.left::integer as codes_left,
        pace.codes_last_until, coalesce(pace.codes_last_until <= d.today + ${soon_days}::integer, false) as codes_run_out
      from properties as t
      join property_states as state on state.customer_id = t.customer_id and state.property_id = t.id
      cross join lateral (select local_day(app_now(), t.time_zone) as today) as d
      left join (
        select t.property_id, count(*)::integer as sessions from radius_sessions as t
        where t.stopped_at is null and ${scope.inReach('radius_sessions', 't')} group by 1) as open on open.property_id = t.id
      left join (
        select t.property_id, sum(t.online) filter (where t.hour = ${week_ago})::integer as online_before,
          sum(t.tries) filter (where t.hour > ${week_ago})::integer as tries,
          sum(t.refused) filter (where t.hour > ${week_ago})::integer as refused,
          sum(t.tries) filter (where t.hour <= ${week_ago})::integer as tries_before,
          sum(t.refused) filter (where t.hour <= ${week_ago})::integer as refused_before
        from property_hours as t
        where t.hour = any(${compared_hours}) and ${scope.inReach('property_hours', 't')} group by 1) as past on past.property_id = t.id
      left join (
        select t.property_id, sum(codes_left(t)) as left, sum(t.redeemed) as used,
          min(t.created_at)::date as since
        from voucher_batches as t
        where t.property_id is not null and t.active and (t.expires_at is null or t.expires_at > app_now())
          and ${scope.inReach('voucher_batches', 't')} group by 1) as codes on codes.property_id = t.id
      cross join lateral (
        select case when codes.used > 0
          then d.today + least(3650, codes.left * greatest(1, d.today - codes.since) / codes.used)::integer end
          as codes_last_until) as pace
      where t.active and not t.draft and ${scope.inReach('properties', 't')}
    ) as f
    order by f.is_troubled desc, f.suffering desc, f.severity, f.is_worth_a_look is true desc, lower(f.name), f.id
    limit ${shown_max}`)
