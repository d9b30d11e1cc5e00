// Used up: when a report shows that a package's data or time is used up, all sessions of its holder are disconnected.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { emit } from '#server/events/emit.ts'
import { queueDisconnects } from '#server/sessions/disconnects.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { SessionChange } from '#server/sessions/session.ts'
import { bytes_per_gb } from '#server/vouchers/state.ts'
import { hoursBesideEnd, period_began } from '#server/vouchers/find.ts'

/** Our own causes, for ends that RADIUS has no cause for. */
export const ended_for = { data: 'Data-Used-Up', time: 'Time-Used-Up' } as const
/** After how long a gateway that did not act is asked again. */
const asked_again_s = 60

const holders = ['account_id', 'voucher_id', 'device_id', 'guest_id'] as const
type Holder = (typeof holders)[number]
export interface UsedUp extends Record<Holder, number | null> {
  id: number
  why: keyof typeof ended_for
}

/** What reports have changed. */
export interface StoredReports {
  /** Of the sessions that the reports are about. */
  changes: SessionChange[]
  /** The sessions whose holder has used up what they are allowed. */
  spent: UsedUp[]
}

/**
 * In the transaction of the reports, which has locked their sessions. Other sessions of the same holders are left to a job: the
 * reports of another gateway may have locked them, and wait for these.
 */
export async function askToEndUsedUp(
  scope: Scope,
  queue: Pick<Queue, 'send' | 'sendMany'>,
  { changes, spent }: StoredReports,
) {
  const again = changes.filter(({ after }) => after.disconnect_for !== null && after.stopped_at === null)
  if (spent.length + again.length === 0) return
  for (const [why, cause] of Object.entries(ended_for)) {
    const those = spent.filter((one) => one.why === why)
    if (those.length === 0) continue
    const ids = those.map(({ id }) => id)
    await setCause(scope, ids, cause)
    const open = sql<boolean>`t.id = any(${ids}) and t.stopped_at is null and t.disconnect_for is null`
    const marked = await scope.change('radius_sessions', open, { disconnect_for: cause })
    await tellOfVouchers(scope, queue, marked, why === 'time' ? 'time' : 'data')
    await queueDisconnects(scope, queue, await openElsewhere(scope, those), cause)
  }
  const reported = [...spent.map(({ id }) => id), ...again.map(({ after }) => after.id)]
  const asked = await scope.change(
    'radius_sessions',
    sql`t.id = any(${reported}) and t.stopped_at is null
      and (t.disconnect_asked_at is null or t.disconnect_asked_at < now() - make_interval(secs => ${asked_again_s}))`,
    { disconnect_asked_at: sql`now()` },
  )
  await queueDisconnects(scope, queue, asked)
}

/** Of the vouchers whose sessions have just been marked. */
async function tellOfVouchers(scope: Scope, queue: Pick<Queue, 'send'>, session_ids: number[], why: 'time' | 'data') {
  const vouchers = await scope.run(sql<{ id: number; property_id: number; voucher_batch_id: number }>`
    select distinct on (v.id) v.id, t.property_id, v.voucher_batch_id from radius_sessions as t
    join vouchers as v on v.customer_id = t.customer_id and v.id = t.voucher_id and ${scope.inReach('vouchers', 'v')}
    where t.id = any(${session_ids}) and ${scope.inReach('radius_sessions', 't')} order by v.id`)
  const happened = vouchers.map(({ voucher_batch_id, ...voucher }) => ({ ...voucher, data: { voucher_batch_id, why } }))
  await emit(scope, queue, 'voucher.used_up', happened)
}

const grew = (before: SessionChange['before'], after: SessionChange['after']) =>
  before === null ||
  after.bytes_up + after.bytes_down > before.bytes_up + before.bytes_down ||
  after.seconds > before.seconds

/**
 * The sessions whose holder has used up what they are allowed. The session's package has the limits; a voucher's batch may override
 * them. A voucher whose clock runs has its own end.
 */
export async function usedUp(scope: Scope, changes: readonly SessionChange[]): Promise<UsedUp[]> {
  const used = changes.filter(({ before, after }) => after.package_id !== null && grew(before, after))
  if (used.length === 0) return []
  const sessions = used.map(({ after: { gateway_id, session_key, generation } }) => ({
    gateway_id,
    session_key,
    generation,
  }))
  return scope.run(sql<UsedUp>`
    select t.id, case when volume > 0 and used.bytes >= volume * ${bytes_per_gb}::numeric then 'data' else 'time' end as why,
      t.account_id, t.voucher_id, t.device_id, t.guest_id
    from radius_sessions as t
    join jsonb_to_recordset(${JSON.stringify(sessions)}::jsonb) as d(gateway_id integer, session_key text, generation integer)
      on t.gateway_id = d.gateway_id and t.session_key = d.session_key and t.generation = d.generation
    join packages as p on p.customer_id = t.customer_id and p.id = t.package_id
    join customers as c on c.id = t.customer_id
    join properties as h on h.customer_id = t.customer_id and h.id = t.property_id
    left join vouchers as v on v.customer_id = t.customer_id and v.id = t.voucher_id
    left join voucher_batches as b on b.customer_id = v.customer_id and b.id = v.voucher_batch_id
    cross join lateral (select coalesce(h.time_zone, c.time_zone) as zone,
      case when b.volume_gb > 0 then b.volume_gb else coalesce((t.terms ->> 'volume_gb')::numeric, p.volume_gb) end as volume,
      ${hoursBesideEnd(sql`coalesce((t.terms ->> 'session_time_hrs')::numeric, p.session_time_hrs)`)} as hours) as z
    cross join lateral (
      select coalesce(sum(u.seconds_used), 0) as seconds, coalesce(sum(u.bytes_used), 0) as bytes
      from (${sql.join(holders.map(usesOf), sql` union all `)}) as u
      where p.recurs = 'none' or u.starts_at >= ${period_began}) as used
    where t.gateway_id = any(${sessions.map(({ gateway_id }) => gateway_id)})
      and t.session_key = any(${sessions.map(({ session_key }) => session_key)}) and ${scope.inReach('radius_sessions', 't')}
      and (volume > 0 or hours > 0)
      and (volume > 0 and used.bytes >= volume * ${bytes_per_gb}::numeric
        or hours > 0 and v.expires_at is null and used.seconds >= hours * 3600)`)
}

/** A session has one holder: for the others this finds nothing. */
const usesOf = (holder: Holder) => sql`
  select u.starts_at, u.seconds_used, u.bytes_used from usage_periods as u
  where u.customer_id = t.customer_id and u.${sql.ref(holder)} = t.${sql.ref(holder)}`

/** Replaces the cause of a gateway that ended it by our limit, which says only that the time was over. */
const setCause = (scope: Scope, ids: number[], cause: string) =>
  scope.change(
    'radius_sessions',
    sql`t.id = any(${ids}) and t.stopped_at is not null and not t.stop_inferred
      and t.termination_cause in ('Session-Timeout', 'Admin-Reset', 'NAS-Request')`,
    { termination_cause: cause },
  )

/** Open sessions of the same holders on other devices and gateways. */
async function openElsewhere(scope: Scope, spent: UsedUp[]): Promise<number[]> {
  const is = (holder: Holder) =>
    sql`t.${sql.ref(holder)} = any(${spent.map((one) => one[holder]).filter((id) => id !== null)})`
  const rows = await scope.run(sql<ColumnsOf<'radius_sessions', 'id'>>`
    select t.id from radius_sessions as t
    where t.stopped_at is null and t.disconnect_for is null and ${scope.inReach('radius_sessions', 't')}
      and (${sql.join(holders.map(is), sql` or `)})`)
  return rows.map(({ id }) => id)
}
