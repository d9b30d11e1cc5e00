// Dashboard: the current figures, each bounded so that it costs the same for a small and a large customer.
import { sql } from 'kysely'
import type { Reply } from '#contract/endpoint.ts'
import * as contract from '#contract/dashboard.ts'
import { allows } from '#contract/permissions.ts'
import { reading, serve } from '#server/api/serve.ts'
import type { TenantTable } from '#server/access/reach.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Services } from '#server/services.ts'
import { hasCodesLeft, isUnused } from '#server/vouchers/remaining-codes.ts'
import { attention, mark } from './dashboard-attention.ts'
import { standings, states } from './dashboard-properties.ts'

type Figures = Reply<typeof contract.get>['data']

const bytes_per_gb = 1_000_000_000
const shown_max = 5
const counted_max = 10_000
/** Whole weeks, so that each day is compared with the same day of the week. */
const days_shown = 28
/** A week, drawn over the week before hour by hour. */
const hours_shown = 7 * 24
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
  | 'backups'
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
 * counts by its own local days, also one that was removed since: the last day is today for all of them, dated as in the property whose
 * clock is furthest ahead.
 */
const days = (scope: Scope) =>
  scope.run(sql<Figures['days'][number]>`
    with places as materialized (
      select t.id, local_day(app_now(), t.time_zone) as today, t.deleted_at is null as is_kept
      from properties as t where ${scope.everInReach('properties', 't')}),
    latest as (
      select coalesce(max(p.today) filter (where p.is_kept),
        (select local_day(app_now(), c.time_zone) from customers as c where c.id = ${scope.customer_id})) as today from places as p),
    kept as (
      select p.today - t.day as ago, sum(t.sessions) as sessions, sum(t.bytes_up + t.bytes_down) as bytes
      from session_days as t join places as p on p.id = t.property_id
      where t.day between (select min(today) from places) - ${2 * days_shown - 1}::integer and (select max(today) from places)
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

/** Read where they are asked for: few people run an installation. */
async function backupsOf(scope: Scope, { backups }: Pick<Services, 'backups'>): Promise<Figures['backups']> {
  if (scope.reach.of !== 'Customer' || !allows(scope.can, 'undelivered', 'read')) return null
  const [row] = await scope.run(sql<{ runs: boolean }>`select runs_installation() as runs`)
  return row?.runs ? backups() : null
}

export default (services: Pick<Services, 'backups'>) =>
  serve(contract, {
    get: reading(async ({ scope }) => {
      const [figures, eightWeeks, lastHours, in_states, properties, newest_accounts, wanting, backups] =
        await Promise.all([
          counts(scope),
          days(scope),
          hours(scope),
          states(scope),
          standings(scope),
          newestAccounts(scope),
          attention(scope),
          backupsOf(scope, services),
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
        backups,
        ...wanting,
      }
    }),
    mark: ({ scope, input }) => mark(scope, input),
  })
