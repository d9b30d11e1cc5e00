// Dashboard: the figures of the moment, each bounded so that they cost the same for a small and a large customer.
import { sql } from 'kysely'
import type { Reply } from '#contract/endpoint.ts'
import * as contract from '#contract/dashboard.ts'
import { serve } from '#server/api/serve.ts'
import type { Scope, TenantTable } from '#server/access/tenancy.ts'

type Figures = Reply<typeof contract.get>['data']

const bytes_per_gb = 1_000_000_000
const shown_max = 5
const counted_max = 10_000

const present = (scope: Scope, table: TenantTable) =>
  sql`(select count(*) from (select from ${sql.table(table)} as t where ${scope.inReach(table, 't')} limit ${counted_max}) as c)::integer`

async function counts(scope: Scope) {
  const [row] = await scope.run(sql<
    Pick<Figures, 'guests_online' | 'vouchers_left' | 'properties' | 'groups' | 'accounts' | 'devices'>
  >`
    select
      (select count(*)::integer from radius_sessions as t where t.stopped_at is null and ${scope.inReach('radius_sessions', 't')}) as guests_online,
      (select count(*)::integer from (
        select from vouchers as t join voucher_batches as b on b.customer_id = t.customer_id and b.id = t.voucher_batch_id and b.active and b.deleted_at is null
        where t.redeemed_at is null and ${scope.inReach('vouchers', 't')} limit ${counted_max}) as v) as vouchers_left,
      ${present(scope, 'properties')} as properties, ${present(scope, 'groups')} as groups,
      ${present(scope, 'accounts')} as accounts, ${present(scope, 'devices')} as devices`)
  if (!row) throw new Error('counting gave no row')
  return row
}

/** From the daily figures kept at write time, never from the sessions themselves. */
const days = (scope: Scope) =>
  scope.run(sql<Figures['days'][number]>`
    select d.day::date::text as day, coalesce(sum(t.sessions), 0)::integer as sessions,
      round(coalesce(sum(t.bytes_up + t.bytes_down), 0) / ${bytes_per_gb}, 3) as data_gb
    from generate_series(current_date - 29, current_date, interval '1 day') as d(day)
    left join session_days as t on t.day = d.day::date and ${scope.inReach('session_days', 't')}
    group by d.day order by d.day`)

const newestAccounts = (scope: Scope) =>
  scope.run(sql<Figures['newest_accounts'][number]>`
    select t.id, t.name, (select p.name from properties as p where p.customer_id = t.customer_id and p.id = t.property_id) as property_name, t.created_at
    from accounts as t where ${scope.inReach('accounts', 't')} order by t.created_at desc, t.id desc limit ${shown_max}`)

async function attention(scope: Scope): Promise<Figures['attention']> {
  const lacking = (kind: Figures['attention'][number]['kind'], condition: string) => sql`
    (select ${kind}::text as kind, t.id, t.name from properties as t
     where ${sql.raw(condition)} and ${scope.inReach('properties', 't')} order by t.created_at desc limit ${shown_max})`
  return scope.run(sql<Figures['attention'][number]>`
    (select 'silent_gateway' as kind, t.id, coalesce(t.name, t.nas_identifier) as name from gateways as t
     where t.active and t.last_seen_at < now() - interval '15 minutes' and ${scope.inReach('gateways', 't')} limit ${shown_max})
    union all (select 'failed_import', t.id, coalesce(t.file_name, t.kind) from imports as t
     where t.outcome = 'failed' and t.created_at > now() - interval '7 days' and ${scope.inReach('imports', 't')}
     order by t.created_at desc limit ${shown_max})
    union all ${lacking('draft_property', 't.draft')}
    union all ${lacking('property_without_portal', 't.portal_id is null and t.active and not t.draft')}
    union all ${lacking('property_without_package', 't.package_id is null and t.active and not t.draft')}`)
}

export default serve(contract, {
  get: async ({ scope }) => {
    const [figures, thirtyDays, newest_accounts, wanting] = await Promise.all([
      counts(scope),
      days(scope),
      newestAccounts(scope),
      attention(scope),
    ])
    const today = thirtyDays.at(-1)
    return {
      ...figures,
      sessions_today: today?.sessions ?? 0,
      data_today_gb: today?.data_gb ?? 0,
      days: thirtyDays,
      newest_accounts,
      attention: wanting,
    }
  },
})
