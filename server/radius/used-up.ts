// Used up: when a report shows that a package's data or time is used up, everybody who is online on it is disconnected.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { queueDisconnects } from '#server/jobs/disconnects.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { Change } from '#server/radius/session.ts'
import { bytes_per_gb } from '#server/vouchers/state.ts'
import { period_began } from '#server/vouchers/find.ts'

/** What we call an end that the gateway knows no word for. */
export const ended_for = { data: 'Data-Used-Up', time: 'Time-Used-Up' } as const
/** So often a gateway that did not listen is asked again. */
const asked_again_s = 60

interface UsedUp {
  id: number
  why: 'data' | 'time'
  account_id: number | null
  voucher_id: number | null
  device_id: number | null
  guest_id: number | null
}

export async function askToEndUsedUp(scope: Scope, queue: Pick<Queue, 'sendMany'>, changes: Change[]) {
  const used = changes.filter(({ before, after }) => after.package_id !== null && grew(before, after))
  const spent = used.length > 0 ? await usedUp(scope, used) : []
  const again = changes.filter(({ after }) => after.disconnect_for !== null && after.stopped_at === null)
  await Promise.all([
    ...spent.map((session) => sayWhy(scope, session)),
    ...spent.map((session) => askForAll(scope, session)),
  ])
  if (spent.length + again.length === 0) return
  const [asked] = await scope.run(sql<{ ids: number[] | null }>`
    with asked as (
      update radius_sessions as t set disconnect_asked_at = now()
      where t.stopped_at is null and t.disconnect_for is not null
        and (t.disconnect_asked_at is null or t.disconnect_asked_at < now() - make_interval(secs => ${asked_again_s}))
        and (t.session_key = any(${again.map(({ after }) => after.session_key)}) or t.disconnect_asked_at is null)
        and ${scope.inReach('radius_sessions', 't')}
      returning t.id)
    select array_agg(id) as ids from asked`)
  await queueDisconnects(scope, queue, asked?.ids ?? [])
}

const grew = (before: Change['before'], after: Change['after']) =>
  before === null ||
  after.bytes_up + after.bytes_down > before.bytes_up + before.bytes_down ||
  after.seconds > before.seconds

/** The session's package says how much; a voucher's batch may say otherwise. A voucher whose clock runs has its own end. */
function usedUp(scope: Scope, changes: Change[]) {
  const sessions = changes.map(({ after: { gateway_id, session_key, generation } }) => ({
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
      case when b.volume_gb > 0 then b.volume_gb else p.volume_gb end as volume) as z
    cross join lateral (
      select coalesce(sum(u.seconds_used), 0) as seconds, coalesce(sum(u.bytes_used), 0) as bytes
      from (${usesOf('account_id')} union all ${usesOf('voucher_id')} union all ${usesOf('device_id')}
        union all ${usesOf('guest_id')}) as u
      where p.recurs = 'none' or u.starts_at >= ${period_began}) as used
    where t.gateway_id = any(${sessions.map(({ gateway_id }) => gateway_id)})
      and t.session_key = any(${sessions.map(({ session_key }) => session_key)}) and ${scope.inReach('radius_sessions', 't')}
      and (volume > 0 or p.session_time_hrs > 0)
      and (volume > 0 and used.bytes >= volume * ${bytes_per_gb}::numeric
        or p.session_time_hrs > 0 and v.expires_at is null and used.seconds >= p.session_time_hrs * 3600)`)
}

/** A session has one holder: the others cost a look. */
const usesOf = (holder: 'account_id' | 'voucher_id' | 'device_id' | 'guest_id') => sql`
  select u.starts_at, u.seconds_used, u.bytes_used from usage_periods as u
  where u.customer_id = t.customer_id and u.${sql.ref(holder)} = t.${sql.ref(holder)}`

/** A gateway that ended it by our limit says only that its time was over. */
const sayWhy = (scope: Scope, { id, why }: UsedUp) =>
  scope.run(sql`
    update radius_sessions as t set termination_cause = ${ended_for[why]}
    where t.id = ${id} and t.stopped_at is not null and not t.stop_inferred
      and t.termination_cause in ('Session-Timeout', 'Admin-Reset', 'NAS-Request') and ${scope.inReach('radius_sessions', 't')}`)

/** Also on other devices, and through other gateways of the property. */
const askForAll = (scope: Scope, { why, account_id, voucher_id, device_id, guest_id }: UsedUp) =>
  scope.run(sql`
    update radius_sessions as t set disconnect_for = ${ended_for[why]}
    where t.stopped_at is null and t.disconnect_for is null and ${scope.inReach('radius_sessions', 't')}
      and (t.account_id = ${account_id} or t.voucher_id = ${voucher_id} or t.device_id = ${device_id} or t.guest_id = ${guest_id})`)
