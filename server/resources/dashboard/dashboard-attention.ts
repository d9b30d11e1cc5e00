// Dashboard attention: what needs somebody's attention beside the states of properties, as one inbox for all who see it: an entry is there
// while there is a reason for it, unless somebody has dealt with it, until it happens anew, or has put it off until tomorrow.
import { sql, type RawBuilder } from 'kysely'
import type { Parsed, Reply } from '#contract/endpoint.ts'
import type * as contract from '#contract/dashboard.ts'
import { selectedInvalid } from '#contract/errors.ts'
import { allows } from '#contract/permissions.ts'
import type { PropertyWord } from '#contract/status.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { invalid } from '#server/errors/refused.ts'
import { isUnanswered, stillUnregistered } from '#server/resources/gateways/gateway-health.ts'

type Inbox = Reply<typeof contract.mark>['data']
type Attention = Inbox['attention'][number]

const shown_max = 5
const counted_max = 10_000
/** A batch is low when a tenth of it is left, or a few codes of a small one, and there is no newer batch to replace it. */
const codes_low = 10
/** What is put off comes again at this hour of the next day, by the company's clock. */
const comes_again = '06:00'

/** Nobody has dealt with it since `last`, when it happened last, nor put it off. */
const isOpen = (kind: Attention['kind'] | RawBuilder<unknown>, last: RawBuilder<unknown>, about = sql`t.id`) => sql`
  not exists (select from attention_marks as m where m.customer_id = t.customer_id
    and m.kind = ${typeof kind === 'string' ? sql.lit(kind) : kind} and m.about_id = ${about}
    and (m.put_off_until > app_now() or m.put_off_until is null and m.marked_at >= ${last}))`

const all_of_kind = sql`(count(*) over ())::integer as all_of_kind`

/** The property's state says it already: nothing stands in two lists. */
const isSaid = (...words: PropertyWord[]) => sql`
  exists (select from property_states as s where s.customer_id = t.customer_id and s.property_id = t.property_id
    and s.word = any(${words}))`

const importKind = sql`case t.kind when 'devices' then 'failed_device_import' when 'rooms' then 'failed_room_import'
  else 'failed_import' end`
const reportKind = sql`case when t.paused_at is null then 'failed_report' else 'paused_report' end`

/** Failed imports of every kind are counted together, and so are reports. */
const sortOf = (kind: Attention['kind']) => /_import$|_report$/.exec(kind)?.[0] ?? kind

/** A few of each kind, and how many there are: `all_of_kind`. */
export async function attention(scope: Scope, shown = shown_max): Promise<Inbox> {
  const rows = await scope.run(sql<Attention & { all_of_kind: number }>`
    (select 'unanswered_gateway' as kind, t.id, coalesce(t.name, t.nas_identifier) as name, t.property_id, t.refused_at as since,
       null::integer as left, ${all_of_kind}
     from gateways as t
     where ${isUnanswered} and ${isOpen('unanswered_gateway', sql`t.refused_at`)} and not ${isSaid('never_heard', 'silent')}
       and ${scope.inReach('gateways', 't')}
     order by t.refused_at desc limit ${shown})
    union all (select 'unregistered_gateway', t.id, coalesce(t.nas_identifier, t.mac_address::text, host(t.address)), t.property_id,
       t.created_at, null, ${all_of_kind}
     from (
       -- An unregistered gateway is recorded with each property whose gateways share its address.
       select distinct on (t.address, t.nas_identifier, t.mac_address) t.* from unregistered_gateways as t
       where t.why = 'asks' and ${stillUnregistered} and ${isOpen('unregistered_gateway', sql`t.created_at`)}
         and ${scope.inReach('unregistered_gateways', 't')}
       order by t.address, t.nas_identifier, t.mac_address, t.id) as t
     order by t.last_seen_at desc limit ${shown})
    union all (select ${importKind},
       t.id, coalesce(t.file_name, t.kind), t.property_id, t.created_at, null, ${all_of_kind}
     from imports as t
     where t.outcome = 'failed' and ${isOpen(importKind, sql`t.created_at`)}
       and t.created_at > app_now() - interval '7 days' and ${scope.inReach('imports', 't')}
     order by t.created_at desc limit ${shown})
    ${allows(scope.can, 'undelivered', 'read') ? failedJobs(scope, shown) : sql``}
    ${allows(scope.can, 'billing', 'read') ? lateNights(scope, shown) : sql``}
    ${allows(scope.can, 'property_interfaces', 'write') ? waitingLists(scope, shown) : sql``}
    ${allows(scope.can, 'room_guests', 'write') ? waitingWords(scope, shown) : sql``}
    ${allows(scope.can, 'reports', 'read') ? failedReports(scope, shown) : sql``}
    ${allows(scope.can, 'undelivered', 'read') ? undelivered(scope) : sql``}
    ${allows(scope.can, 'due_work', 'read') ? givenUp(scope) : sql``}
    union all (select 'voucher_batch_low', t.id, t.batch_number, t.property_id, t.created_at, codes_left(t),
       ${all_of_kind}
     from voucher_batches as t
     where t.active and ${isOpen('voucher_batch_low', sql`t.created_at`)} and not ${isSaid('codes_out')}
       and codes_left(t) <= greatest(t.quantity / 10, least(t.quantity / 4, ${codes_low}::integer))
       and (t.expires_at is null or t.expires_at > app_now()) and ${scope.inReach('voucher_batches', 't')}
       and not exists (select from voucher_batches as n where n.customer_id = t.customer_id and n.deleted_at is null
         and n.property_id is not distinct from t.property_id and n.group_id is not distinct from t.group_id
         and n.created_at > t.created_at and n.active)
     order by t.created_at desc limit ${shown})
    union all (select 'draft_property', t.id, t.name, t.id, t.created_at, null, ${all_of_kind} from properties as t
     where t.draft and ${isOpen('draft_property', sql`t.created_at`)} and ${scope.inReach('properties', 't')}
     order by t.created_at limit ${shown})`)
  const all = [...new Map(rows.map((row) => [sortOf(row.kind), row.all_of_kind])).values()].reduce(
    (sum, one) => sum + one,
    0,
  )
  return { attention: rows.map(({ all_of_kind: _, ...item }) => item), attention_more: all - rows.length }
}

/** Reports paused after failures, and reports whose newest file could not be made. */
const failedReports = (scope: Scope, shown: number) => sql`
    union all (select ${reportKind}, t.id, t.name, t.property_id,
       coalesce(t.paused_at, r.created_at), null, ${all_of_kind}
     from reports as t
     left join lateral (
       select r.outcome, r.created_at from report_runs as r where r.customer_id = t.customer_id and r.report_id = t.id
       order by r.created_at desc, r.id desc limit 1) as r on true
     where t.active and not t.draft and (t.paused_at is not null
         or r.outcome = 'failed' and r.created_at > app_now() - interval '7 days')
       and ${isOpen(reportKind, sql`coalesce(t.paused_at, r.created_at)`)}
       and ${scope.inReach('reports', 't')}
     order by 5 desc limit ${shown})`

/** Scheduled work that fails, for who runs the installation: its first customer. */
const failedJobs = (scope: Scope, shown: number) => sql`
    union all (select 'failed_job', t.id, t.name, null, t.since, null, ${all_of_kind} from failed_jobs as t
     where ${isOpen('failed_job', sql`t.since`)} and ${scope.inReach('failed_jobs', 't')} order by t.since limit ${shown})`

/** The day on which the newest night that is due was over: each further one is late anew. */
const due_day = sql`least(local_day(app_now(), p.time_zone), local_day(p.deleted_at, p.time_zone))`

/** Nights are written within minutes: those that ended more than an hour ago are late. */
const lateNights = (scope: Scope, shown: number) => sql`
    union all (select 'late_nights', p.id, p.name, p.id, day_begins(t.kept_until + 2, p.time_zone),
       ${due_day} - 1 - t.kept_until,
       ${all_of_kind}
     from night_ledgers as t join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
     where t.kept_until + 2 <= local_day(least(app_now() - interval '1 hour', p.deleted_at), p.time_zone)
       and ${isOpen('late_nights', sql`day_begins(${due_day}, p.time_zone)`, sql`p.id`)}
       and not ${isSaid('nights_late')} and ${scope.inReach('night_ledgers', 't')}
     order by t.kept_until, p.id limit ${shown})`

/** Lists of everybody that would move many out, for whoever may take them over. */
const waitingLists = (scope: Scope, shown: number) => sql`
    union all (select 'stay_list', t.id, coalesce(t.name, k.name), t.property_id, l.since, l.pending_moves_out, ${all_of_kind}
     from property_links as l join property_interfaces as t on t.customer_id = l.customer_id and t.id = l.property_interface_id
     join property_interface_types as k on k.id = t.property_interface_type_id
     where l.pending is not null and t.active and ${isOpen('stay_list', sql`l.since`)}
       and ${scope.inReach('property_interfaces', 't')}
     order by l.since limit ${shown})`

/** Properties where the system says one thing and the desk another, for whoever may say which holds. */
const waitingWords = (scope: Scope, shown: number) => sql`
    union all (select 'stay_differences', p.id, p.name, p.id, min(t.created_at), count(*)::integer, ${all_of_kind}
     from stay_differences as t join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
     where not t.kept and ${scope.inReach('stay_differences', 't')}
     group by t.customer_id, p.id, p.name having ${isOpen('stay_differences', sql`max(t.created_at)`, sql`p.id`)}
     order by 5 limit ${shown})`

/** A single line with the count; the list shows each. */
const undelivered = (scope: Scope) => sql`
    union all (select 'undelivered', max(t.id), 'Mails and text messages', null, min(t.created_at), count(*)::integer, 1
     from (select t.id, t.customer_id, t.created_at from undelivered as t where ${scope.inReach('undelivered', 't')}
       order by t.created_at desc, t.id desc limit ${counted_max}) as t
     group by t.customer_id having ${isOpen('undelivered', sql`max(t.created_at)`, sql`max(t.id)`)})`

/** The same for due work that was given up. */
const givenUp = (scope: Scope) => sql`
    union all (select 'due_work', max(t.id), 'Work that was given up', null, min(t.created_at), count(*)::integer, 1
     from (select t.id, t.customer_id, t.created_at, t.next_at from due_work as t
       where t.state in ('failed', 'unknown') and ${scope.inReach('due_work', 't')}
       order by t.created_at desc, t.id desc limit ${counted_max}) as t
     group by t.customer_id having ${isOpen('due_work', sql`max(t.next_at)`, sql`max(t.id)`)})`

/** Of an entry that the caller sees, for all who see it. */
export async function mark(scope: Scope, { kind, about_id, as }: Parsed<typeof contract.mark>): Promise<Inbox> {
  await scope.unlink('attention_marks', { kind, about_id })
  // Without a mark it is there for those who see what it is about, and for nobody else; a refusal takes back that the mark was lifted.
  const { attention: seen } = await attention(scope, counted_max)
  if (!seen.some((one) => one.kind === kind && one.id === about_id))
    throw invalid({ about_id: [selectedInvalid('about_id')] })
  if (as === 'open') return attention(scope)
  // Of two at once the later one holds.
  await scope.run(sql`
    insert into attention_marks (kind, about_id, put_off_until, marked_by)
    select ${kind}, ${about_id}::bigint, case when ${as === 'later'}
      then (local_day(app_now(), c.time_zone) + 1 + ${comes_again}::time) at time zone c.time_zone end,
      ${scope.principal.name ?? 'Somebody'} from customers as c where c.id = ${scope.customer_id}
    on conflict on constraint attention_marks_once do update set put_off_until = excluded.put_off_until,
      marked_at = excluded.marked_at, marked_by = excluded.marked_by`)
  return attention(scope)
}
