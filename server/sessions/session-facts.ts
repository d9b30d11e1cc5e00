// Session facts: SQL over a session `t` for its holder's name, room and speed, and what time and data are left.
import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { stayEnds, stayOfGuest } from '#server/stays/in-house.ts'
import { hoursBesideEnd, period_began } from '#server/vouchers/find.ts'
import { bytes_per_gb } from '#server/vouchers/state.ts'

export const guest_name = sql`coalesce(
  (select a.name from accounts as a where a.customer_id = t.customer_id and a.id = t.account_id),
  (select d.name from devices as d where d.customer_id = t.customer_id and d.id = t.device_id),
  (select coalesce(g.name, g.email, g.mobile_number) from guests as g where g.customer_id = t.customer_id and g.id = t.guest_id))`

export const voucher_batch_id = sql`
  (select v.voucher_batch_id from vouchers as v where v.customer_id = t.customer_id and v.id = t.voucher_id)`

/** Null for a holder who has moved to another property since, so as not to reveal the room there. */
export const sessionRoom = sql`(
  select json_build_object('id', r.id, 'name', r.number) from rooms as r
  where r.customer_id = t.customer_id and r.property_id = t.property_id and r.id = coalesce(
    (select a.room_id from accounts as a where a.customer_id = t.customer_id and a.id = t.account_id),
    (select d.room_id from devices as d where d.customer_id = t.customer_id and d.id = t.device_id),
    (select s.room_id from guests as g
      join room_guests as s on s.customer_id = g.customer_id and s.id = g.room_guest_id
      where g.customer_id = t.customer_id and g.id = t.guest_id)))`

const terms = (name: 'speed_mbps' | 'volume_gb' | 'session_time_hrs') => sql`
  coalesce((t.terms ->> ${sql.lit(name)})::numeric, ${sql.ref(`p.${name}`)})`

/** What the package grants, or granted when the guest was let in, unless the voucher's batch overrides it. */
const granted = (name: 'speed_mbps' | 'volume_gb') => sql`
  nullif(case when ${sql.ref(`b.${name}`)} > 0 then ${sql.ref(`b.${name}`)} else ${terms(name)} end, 0)`

const grant = sql`
  packages as p
  left join vouchers as v on v.customer_id = t.customer_id and v.id = t.voucher_id
  left join voucher_batches as b on b.customer_id = v.customer_id and b.id = v.voucher_batch_id`

export const speed_mbps = sql`(
  select ${granted('speed_mbps')} from ${grant} where p.customer_id = t.customer_id and p.id = t.package_id)`

const seconds_until = (moment: RawBuilder<unknown>) => sql`extract(epoch from ${moment} - app_now())`

/**
 * By the rules that end sessions (used-up.ts, end-sessions.ts); a voucher's running clock has its own end. Null if the session is over.
 *
 * @param unreported_s of the time online, what the sums do not include
 */
export const leftBut = (unreported_s: RawBuilder<unknown>) => sql`
  (case when t.stopped_at is null then (
    select json_build_object(
      'seconds', case when rest.seconds < 0 then 0 else rest.seconds end,
      'bytes', case when rest.bytes < 0 then 0 else rest.bytes end)
    from (select) as always
    left join (${grant}) on p.customer_id = t.customer_id and p.id = t.package_id
    left join accounts as a on a.customer_id = t.customer_id and a.id = t.account_id
    left join guests as g on g.customer_id = t.customer_id and g.id = t.guest_id
    left join room_guests as s on s.customer_id = g.customer_id and s.id = g.room_guest_id
    ${stayOfGuest('s', 'stay')}
    cross join lateral (select coalesce(h.time_zone, c.time_zone) as zone
      from properties as h join customers as c on c.id = h.customer_id
      where h.customer_id = t.customer_id and h.id = t.property_id) as z
    cross join lateral (select ${hoursBesideEnd(terms('session_time_hrs'))} as hours) as time_limit
    cross join lateral (
      select coalesce(sum(u.seconds_used), 0) as seconds, coalesce(sum(u.bytes_used), 0) as bytes from usage_periods as u
      where u.customer_id = t.customer_id and (p.recurs = 'none' or u.starts_at >= ${period_began})
        and (u.account_id = t.account_id or u.voucher_id = t.voucher_id or u.device_id = t.device_id
          or u.guest_id = t.guest_id)) as used
    cross join lateral (
      select floor(${granted('volume_gb')} * ${bytes_per_gb}::numeric - used.bytes)::bigint as bytes,
        floor(least(
          case when hours > 0 and v.expires_at is null then hours * 3600 - used.seconds - ${unreported_s} end,
          ${seconds_until(sql`v.expires_at`)}, ${seconds_until(sql`b.expires_at`)}, ${seconds_until(sql`a.expires_at`)},
          case when g.waiting_mac_address is not null then ${seconds_until(sql`coalesce(g.grace_ends_at, g.created_at)`)} end,
          ${seconds_until(stayEnds('s', 'stay', sql`zone`))}))::bigint as seconds) as rest)
  end)`

/** Since the last report. */
const unreported_s = sql`greatest(0, extract(epoch from app_now() - t.last_seen_at))`

/** Between Accept and Start, and until the next look at what is used up, time runs of which nobody reports. */
const unnoticed_s = 60
/** Whether the holder of the session `s` has no time left but that. */
export const hasNoTime = sql`(
  select (${leftBut(unreported_s)} ->> 'seconds')::bigint < ${unnoticed_s}
  from radius_sessions as t where t.customer_id = s.customer_id and t.id = s.id)`

/** Up to this moment, as whoever is online sees it. Null: the session is over, or nobody's. */
export async function leftNow(scope: Scope, session_id: number) {
  const [session] = await scope.run(sql<{ left: { seconds: number | null; bytes: number | null } | null }>`
    select ${leftBut(unreported_s)} as left
    from radius_sessions as t where t.id = ${session_id}
      and num_nonnulls(t.account_id, t.voucher_id, t.device_id, t.guest_id) > 0 and ${scope.inReach('radius_sessions', 't')}`)
  return session?.left ?? null
}
