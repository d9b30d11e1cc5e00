// Dashboard: the current figures, each bounded so that it costs the same for a small and a large customer.
import { sql } from 'kysely'
import type { Reply } from '#contract/endpoint.ts'
import * as contract from '#contract/dashboard.ts'
import { allows } from '#contract/permissions.ts'
import type { PropertyWord } from '#contract/status.ts'
import { reading, serve } from '#server/api/serve.ts'
import type { TenantTable } from '#server/access/reach.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { hasCodesLeft, isUnused } from '#server/vouchers/remaining-codes.ts'
import { standings, states } from './dashboard-properties.ts'
import { isUnanswered, stillUnregistered } from './gateway-health.ts'

type Figures = Reply<typeof contract.get>['data']

const bytes_per_gb = 1_000_000_000
const shown_max = 5
const counted_max = 10_000
/** Whole weeks, so that each day is compared with the same day of the week. */
const days_shown = 28
/** A week, drawn over the week before hour by hour. */
const hours_shown = 7 * 24
/** A batch is low when a tenth of it is left, or a few codes of a small one, and there is no newer batch to replace it. */
const codes_low = 10

const this_hour = sql`date_trunc('hour', app_now(), 'UTC')`
const week_ago = sql`(${this_hour} - interval '7 days')`

const present = (scope: Scope, table: TenantTable) => sql`
  (select count(*) from
    (select from ${sql.table(table)} as t where ${scope.inReach(table, 't')} limit ${counted_max}) as c)::integer`

/** A caller who reaches the whole customer reads its totals; for others the hours of each property are added up. */
const hoursOf = ({ reach }: Scope) => (reach.of === 'Customer' ? 'customer_hours' : 'property_hours')

type Counts = Omit<
  Figures,
  | 'days'
  | 'days_before'
  | 'hours'
  | 'states'
  | 'standings'
  | 'newest_accounts'
  | 'attention'
  | 'attention_more'
  | 'data_today_gb'
  | 'sessions_today'
>

async function counts(scope: Scope): Promise<Counts> {
  const everOnline = sql`exists (select from session_days as t where ${scope.inReach('session_days', 't')})`
  const [row] = await scope.run(sql<Counts>`
    select
      (select count(*)::integer from radius_sessions as t
       where t.stopped_at is null and ${scope.inReach('radius_sessions', 't')}) as guests_online,
      (select sum(t.online)::integer from ${sql.table(hoursOf(scope))} as t
       where t.hour = ${week_ago} and ${scope.inReach(hoursOf(scope), 't')}) as guests_online_before,
      (select count(*)::integer from (
        select from voucher_batches as t join vouchers as v on v.customer_id = t.customer_id and v.voucher_batch_id = t.id
        where ${hasCodesLeft} and ${isUnused} and ${scope.inReach('voucher_batches', 't')} limit ${counted_max}) as c)
        as vouchers_left,
      (select count(*)::integer from voucher_batches as t
       where ${hasCodesLeft} and ${scope.inReach('voucher_batches', 't')}) as batches_left,
      ${everOnline} as ever_online,
      exists (select from trials as t where t.tried_at is not null and ${scope.inReach('trials', 't')}) as tried,
      exists (select from gateways as t where t.last_seen_at is not null and ${scope.inReach('gateways', 't')}) as ever_heard,
      -- The sums by day are asked first: they are few, and attempts may all have been refused.
      (${everOnline} or exists (
        select from radius_authorisations as t where t.accepted and ${scope.inReach('radius_authorisations', 't')})) as ever_accepted,
      (select json_build_object('id', t.id, 'name', coalesce(t.name, t.nas_identifier)) from gateways as t
       where ${scope.inReach('gateways', 't')} and not exists (
         select from gateways as t where t.last_seen_at is not null and ${scope.inReach('gateways', 't')})
       order by t.id desc limit 1) as awaited_gateway,
      ${present(scope, 'properties')} as properties, ${present(scope, 'groups')} as groups,
      ${present(scope, 'packages')} as packages, ${present(scope, 'voucher_batches')} as voucher_batches,
      ${present(scope, 'accounts')} as accounts, ${present(scope, 'devices')} as devices,
      ${present(scope, 'gateways')} as gateways`)
  if (!row) throw new Error('counting gave no row')
  return row
}

/**
 * From the daily figures kept at write time, never from the sessions themselves; twice the days shown, oldest first. Each property
 * counts by its own local days: the last day is today for all of them, dated as in the property whose clock is furthest ahead.
 */
const days = (scope: Scope) =>
  scope.run(sql<Figures['days'][number]>`
    with places as materialized (
      select t.id, local_day(app_now(), t.time_zone) as today from properties as t where ${scope.inReach('properties', 't')}),
    latest as (
      select coalesce(max(p.today), (select local_day(app_now(), c.time_zone) from customers as c where c.id = ${scope.customer_id}))
        as today from places as p),
    kept as (
      select p.today - t.day as ago, sum(t.sessions) as sessions, sum(t.bytes_up + t.bytes_down) as bytes
      from session_days as t join places as p on p.id = t.property_id
      where t.day between (select min(today) from places) - ${2 * days_shown - 1}::integer and (select today from latest)
        and ${scope.inReach('session_days', 't')}
      group by 1)
    select (l.today - d.ago)::text as day, coalesce(k.sessions, 0)::integer as sessions,
      round(coalesce(k.bytes, 0) / ${bytes_per_gb}, 3) as data_gb
    from latest as l cross join generate_series(0, ${2 * days_shown - 1}::integer) as d(ago)
    left join kept as k on k.ago = d.ago
    order by d.ago desc`)

const hours = (scope: Scope) =>
  scope.run(sql<Figures['hours'][number]>`
    with kept as (
      select t.hour, sum(t.online)::integer as online from ${sql.table(hoursOf(scope))} as t
      where t.hour > ${this_hour} - ${2 * hours_shown}::integer * interval '1 hour' and ${scope.inReach(hoursOf(scope), 't')}
      group by 1)
    select h.hour, coalesce(k.online, 0) as online, coalesce(b.online, 0) as before
    from generate_series(${this_hour} - ${hours_shown - 1}::integer * interval '1 hour', ${this_hour}, interval '1 hour') as h(hour)
    left join kept as k on k.hour = h.hour
    left join kept as b on b.hour = h.hour - interval '7 days'
    order by h.hour`)

const newestAccounts = (scope: Scope) =>
  scope.run(sql<Figures['newest_accounts'][number]>`
    select t.id, t.name, t.created_at,
      (select p.name from properties as p where p.customer_id = t.customer_id and p.id = t.property_id) as property_name
    from accounts as t where ${scope.inReach('accounts', 't')} order by t.created_at desc, t.id desc limit ${shown_max}`)

type Attention = Figures['attention'][number]
const all_of_kind = sql`(count(*) over ())::integer as all_of_kind`

/** The property's state says it already: nothing stands in two lists. */
const isSaid = (...words: PropertyWord[]) => sql`
  exists (select from property_states as s where s.customer_id = t.customer_id and s.property_id = t.property_id
    and s.word = any(${words}))`

/** Failed imports of every kind are counted together, and so are reports. */
const sortOf = (kind: Attention['kind']) => /_import$|_report$/.exec(kind)?.[0] ?? kind

/** A few of each kind, and how many there are: `all_of_kind`. */
async function attention(scope: Scope): Promise<Pick<Figures, 'attention' | 'attention_more'>> {
  const rows = await scope.run(sql<Attention & { all_of_kind: number }>`
    (select 'unanswered_gateway' as kind, t.id, coalesce(t.name, t.nas_identifier) as name, t.property_id, t.refused_at as since,
       null::integer as left, ${all_of_kind}
     from gateways as t
     where ${isUnanswered} and not ${isSaid('never_heard', 'silent')} and ${scope.inReach('gateways', 't')}
     order by t.refused_at desc limit ${shown_max})
    union all (select 'unregistered_gateway', t.id, coalesce(t.nas_identifier, t.mac_address::text, host(t.address)), t.property_id,
       t.created_at, null, ${all_of_kind}
     from (
       -- An unregistered gateway is recorded with each property whose gateways share its address.
       select distinct on (t.address, t.nas_identifier, t.mac_address) t.* from unregistered_gateways as t
       where t.why = 'asks' and ${stillUnregistered} and ${scope.inReach('unregistered_gateways', 't')}
       order by t.address, t.nas_identifier, t.mac_address, t.id) as t
     order by t.last_seen_at desc limit ${shown_max})
    union all (select
       case t.kind when 'devices' then 'failed_device_import' when 'rooms' then 'failed_room_import'
         else 'failed_import' end,
       t.id, coalesce(t.file_name, t.kind), t.property_id, t.created_at, null, ${all_of_kind}
     from imports as t
     where t.outcome = 'failed' and t.created_at > app_now() - interval '7 days' and ${scope.inReach('imports', 't')}
     order by t.created_at desc limit ${shown_max})
    ${allows(scope.can, 'undelivered', 'read') ? failedJobs(scope) : sql``}
    ${allows(scope.can, 'billing', 'read') ? lateNights(scope) : sql``}
    ${allows(scope.can, 'property_interfaces', 'write') ? waitingLists(scope) : sql``}
    ${allows(scope.can, 'room_guests', 'write') ? waitingWords(scope) : sql``}
    ${allows(scope.can, 'reports', 'read') ? failedReports(scope) : sql``}
    ${allows(scope.can, 'undelivered', 'read') ? undelivered(scope) : sql``}
    ${allows(scope.can, 'due_work', 'read') ? givenUp(scope) : sql``}
    union all (select 'voucher_batch_low', t.id, t.batch_number, t.property_id, t.created_at, t.quantity - t.redeemed,
       ${all_of_kind}
     from voucher_batches as t
     where t.active and not ${isSaid('codes_out')}
       and t.quantity - t.redeemed <= greatest(t.quantity / 10, least(t.quantity / 4, ${codes_low}::integer))
       and (t.expires_at is null or t.expires_at > app_now()) and ${scope.inReach('voucher_batches', 't')}
       and not exists (select from voucher_batches as n where n.customer_id = t.customer_id and n.deleted_at is null
         and n.property_id is not distinct from t.property_id and n.group_id is not distinct from t.group_id
         and n.created_at > t.created_at and n.active)
     order by t.created_at desc limit ${shown_max})
    union all (select 'draft_property', t.id, t.name, t.id, t.created_at, null, ${all_of_kind} from properties as t
     where t.draft and ${scope.inReach('properties', 't')} order by t.created_at limit ${shown_max})`)
  const all = [...new Map(rows.map((row) => [sortOf(row.kind), row.all_of_kind])).values()].reduce(
    (sum, one) => sum + one,
    0,
  )
  return { attention: rows.map(({ all_of_kind: _, ...item }) => item), attention_more: all - rows.length }
}

/** Reports paused after failures, and reports whose newest file could not be made. */
const failedReports = (scope: Scope) => sql`
    union all (select case when t.paused_at is null then 'failed_report' else 'paused_report' end, t.id, t.name, t.property_id,
       coalesce(t.paused_at, r.created_at), null, ${all_of_kind}
     from reports as t
     left join lateral (
       select r.outcome, r.created_at from report_runs as r where r.customer_id = t.customer_id and r.report_id = t.id
       order by r.created_at desc, r.id desc limit 1) as r on true
     where t.active and not t.draft and (t.paused_at is not null
         or r.outcome = 'failed' and r.created_at > app_now() - interval '7 days')
       and ${scope.inReach('reports', 't')}
     order by 5 desc limit ${shown_max})`

/** Scheduled work that fails, for who runs the installation: its first customer. */
const failedJobs = (scope: Scope) => sql`
    union all (select 'failed_job', t.id, t.name, null, t.since, null, ${all_of_kind} from failed_jobs as t
     where ${scope.inReach('failed_jobs', 't')} order by t.since limit ${shown_max})`

/** Nights are written within minutes: those that ended more than an hour ago are late. */
const lateNights = (scope: Scope) => sql`
    union all (select 'late_nights', p.id, p.name, p.id, day_begins(t.kept_until + 2, p.time_zone),
       least(local_day(app_now(), p.time_zone), local_day(p.deleted_at, p.time_zone)) - 1 - t.kept_until,
       ${all_of_kind}
     from night_ledgers as t join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
     where t.kept_until + 2 <= local_day(least(app_now() - interval '1 hour', p.deleted_at), p.time_zone)
       and not ${isSaid('nights_late')} and ${scope.inReach('night_ledgers', 't')}
     order by t.kept_until, p.id limit ${shown_max})`

/** Lists of everybody that would move many out, for whoever may take them over. */
const waitingLists = (scope: Scope) => sql`
    union all (select 'stay_list', t.id, coalesce(t.name, k.name), t.property_id, l.since, l.pending_moves_out, ${all_of_kind}
     from property_links as l join property_interfaces as t on t.customer_id = l.customer_id and t.id = l.property_interface_id
     join property_interface_types as k on k.id = t.property_interface_type_id
     where l.pending is not null and t.active and ${scope.inReach('property_interfaces', 't')} order by l.since limit ${shown_max})`

/** Properties where the system says one thing and the desk another, for whoever may say which holds. */
const waitingWords = (scope: Scope) => sql`
    union all (select 'stay_differences', p.id, p.name, p.id, min(t.created_at), count(*)::integer, ${all_of_kind}
     from stay_differences as t join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
     where not t.kept and ${scope.inReach('stay_differences', 't')}
     group by p.id, p.name order by 5 limit ${shown_max})`

/** A single line with the count; the list shows each. */
const undelivered = (scope: Scope) => sql`
    union all (select 'undelivered', max(t.id), 'Mails and text messages', null, min(t.created_at), count(*)::integer, 1
     from (select t.id, t.created_at from undelivered as t where ${scope.inReach('undelivered', 't')}
       order by t.created_at desc, t.id desc limit ${counted_max}) as t
     having count(*) > 0)`

/** The same for due work that was given up. */
const givenUp = (scope: Scope) => sql`
    union all (select 'due_work', max(t.id), 'Work that was given up', null, min(t.created_at), count(*)::integer, 1
     from (select t.id, t.created_at from due_work as t where t.state in ('failed', 'unknown') and ${scope.inReach('due_work', 't')}
       order by t.created_at desc, t.id desc limit ${counted_max}) as t
     having count(*) > 0)`

export default serve(contract, {
  get: reading(async ({ scope }) => {
    const [figures, eightWeeks, lastHours, in_states, properties, newest_accounts, wanting] = await Promise.all([
      counts(scope),
      days(scope),
      hours(scope),
      states(scope),
      standings(scope),
      newestAccounts(scope),
      attention(scope),
    ])
    const today = eightWeeks.at(-1)
    return {
      ...figures,
      sessions_today: today?.sessions ?? 0,
      data_today_gb: today?.data_gb ?? 0,
      days: eightWeeks.slice(days_shown),
      days_before: eightWeeks.slice(0, days_shown),
      hours: lastHours,
      states: in_states,
      standings: properties,
      newest_accounts,
      ...wanting,
    }
  }),
})
