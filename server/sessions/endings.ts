// Endings: everything that takes away the right to be online from guests who are: one list, which the sweeper uses and whose every
// entry has a test. The first that holds is the reason. Whatever refuses a sign-in permanently belongs here, too.
import { sql, type RawBuilder } from 'kysely'
import { hasNoTime } from '#server/sessions/session-facts.ts'
import { stayEnds, stayOfGuest } from '#server/stays/in-house.ts'

export interface Ending {
  /** As stored with the session; `terminationReasons` has its text. */
  cause: string
  /** Over the tables of `rights`. */
  holds: RawBuilder<unknown>
}

/** An open session `s`, and the records that its right depends on. */
export const rights = sql`
  radius_sessions as s
  join customers as c on c.id = s.customer_id
  join properties as h on h.customer_id = s.customer_id and h.id = s.property_id
  join gateways as y on y.customer_id = s.customer_id and y.id = s.gateway_id
  left join packages as p on p.customer_id = s.customer_id and p.id = s.package_id
  left join accounts as a on a.customer_id = s.customer_id and a.id = s.account_id
  left join devices as d on d.customer_id = s.customer_id and d.id = s.device_id
  left join vouchers as v on v.customer_id = s.customer_id and v.id = s.voucher_id
  left join voucher_batches as b on b.customer_id = v.customer_id and b.id = v.voucher_batch_id
  left join guests as g on g.customer_id = s.customer_id and g.id = s.guest_id
  left join room_guests as r on r.customer_id = g.customer_id and r.id = g.room_guest_id
  ${stayOfGuest('r', 'stay')}`

const isPast = (moment: RawBuilder<unknown>) => sql`${moment} <= app_now()`

/** Another sign-in of the device may have extended the time. */
const isGrantOver = sql`${isPast(sql`s.ends_at`)} and not exists (
  select from radius_authorisations as x where x.customer_id = s.customer_id and x.class_of = s.authorisation_id
    and x.accepted and x.ends_at > app_now())`

export const endings = {
  account_deleted: { cause: 'Account-Deleted', holds: sql`a.deleted_at is not null` },
  account_disabled: { cause: 'Account-Disabled', holds: sql`not a.active or a.draft` },
  account_moved: { cause: 'Moved-Away', holds: sql`a.property_id <> s.property_id` },
  account_expired: { cause: 'Time-Used-Up', holds: isPast(sql`a.expires_at`) },
  device_deleted: { cause: 'Device-Disabled', holds: sql`d.deleted_at is not null` },
  device_disabled: { cause: 'Device-Disabled', holds: sql`not d.active` },
  device_moved: { cause: 'Moved-Away', holds: sql`d.property_id <> s.property_id` },
  // Regardless of its holder.
  device_blocked: {
    cause: 'Device-Blocked',
    holds: sql`exists (
      select from devices as x join mac_categories as k on k.customer_id = x.customer_id and k.id = x.mac_category_id
      where x.customer_id = s.customer_id and x.property_id = s.property_id and x.mac_address = s.mac_address
        and x.deleted_at is null and k.blocks)`,
  },
  guest_checked_out: { cause: 'Stay-Over', holds: sql`r.deleted_at is not null` },
  stay_over: {
    cause: 'Stay-Over',
    holds: isPast(stayEnds('r', 'stay', sql`coalesce(h.time_zone, c.time_zone)`)),
  },
  batch_deleted: { cause: 'Voucher-Disabled', holds: sql`b.deleted_at is not null` },
  batch_disabled: { cause: 'Voucher-Disabled', holds: sql`not b.active` },
  voucher_taken_back: { cause: 'Voucher-Disabled', holds: sql`v.taken_back_at is not null` },
  voucher_elsewhere: {
    cause: 'Moved-Away',
    holds: sql`b.property_id <> s.property_id or b.property_id is null and b.group_id is distinct from h.group_id and b.id is not null`,
  },
  voucher_expired: { cause: 'Time-Used-Up', holds: isPast(sql`least(v.expires_at, b.expires_at)`) },
  package_disabled: { cause: 'Package-Disabled', holds: sql`not p.active or p.deleted_at is not null` },
  in_dispute: {
    cause: 'In-Dispute',
    holds: sql`p.refused_in_dispute and (stay.in_dispute or exists (
      select from rooms as x where x.customer_id = r.customer_id and x.id = r.room_id and x.barred))`,
  },
  // At the portal, before the gateway had reported the session. Whoever signs in again may get the same Class.
  signed_out: {
    cause: 'User-Request',
    holds: sql`exists (
      select from access_passes as x
      where x.customer_id = s.customer_id and x.mac_address = s.mac_address and x.gateway_id = s.gateway_id
        and x.signed_out_at >= s.accepted_at
        and (x.account_id, x.voucher_id, x.device_id, x.guest_id)
          is not distinct from (s.account_id, s.voucher_id, s.device_id, s.guest_id)
        and not exists (
          select from radius_authorisations as y where y.customer_id = s.customer_id and y.class_of = s.authorisation_id
            and y.accepted and y.created_at > x.signed_out_at))`,
  },
  property_disabled: { cause: 'Property-Disabled', holds: sql`not h.active or h.draft` },
  gateway_disabled: { cause: 'Gateway-Disabled', holds: sql`not y.active` },
  time_used_up: { cause: 'Time-Used-Up', holds: sql`${isGrantOver} and ${hasNoTime}` },
  // A day at the latest after it was let in, a device asks again.
  grant_over: { cause: 'Session-Timeout', holds: isGrantOver },
} as const satisfies Record<string, Ending>
export type EndingName = keyof typeof endings

/** Null: there is none. */
export const reasonToEnd = sql<string | null>`case ${sql.join(
  Object.values<Ending>(endings).map(({ cause, holds }) => sql`when ${holds} then ${sql.lit(cause)}`),
  sql` `,
)} end`
