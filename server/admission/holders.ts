// Holders: on whose account somebody is online: an account, a registered device or a guest of a portal; and what each may
// have. Vouchers are holders, too, with rules of their own (server/vouchers).
import { sql } from 'kysely'
import type { AttemptReason } from '#contract/sign-in-attempts.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { allowanceOf } from '#server/admission/allowance.ts'
import { period_began } from '#server/vouchers/find.ts'

export type HolderKind = 'account' | 'device' | 'guest' | 'voucher'
export interface Holder<K extends HolderKind = HolderKind> {
  kind: K
  id: number
}
export type RuledHolder = Holder<Exclude<HolderKind, 'voucher'>>

/** The column of sessions, attempts and usage in which a holder stands. */
export const columnOf = ({ kind }: Holder) => `${kind}_id` as const
/** The four columns of a row that is about a holder. */
export const columnsOf = (holder: Holder | null) => (holder ? { [columnOf(holder)]: holder.id } : {})

/** Everything that decides. 0 in a limit: there is none. */
export interface HolderFacts {
  now: string
  active: boolean
  /** Its stay was ended at the desk. */
  has_left: boolean
  /** Has typed an address that nobody has confirmed: then `ends_at` is when the minutes are over in which that can be done. */
  is_waiting: boolean
  /** When the account, or the last day of the stay, is over. */
  ends_at: string | null
  package_id: number | null
  package_active: boolean
  max_users: number
  session_time_hrs: number
  idle_timeout_hrs: number
  volume_gb: number
  speed_mbps: number
  /** In the present period of the package. */
  seconds_used: number
  bytes_used: number
  /** Other devices that are online on the same account, or on their way there. */
  devices: number
}

const tables = { account: 'accounts', device: 'devices', guest: 'guests' } as const

/** Each kind's row in the same columns. */
const rowsOf = (scope: Scope, { kind, id }: RuledHolder) =>
  ({
    account: sql`
      select t.customer_id, t.id, t.active and not t.draft as active, false as has_left, false as is_waiting, t.expires_at as ends_at,
        null::date as departs_on, t.room_id, t.package_id
      from accounts as t where t.id = ${id} and ${scope.inReach('accounts', 't')}`,
    device: sql`
      select t.customer_id, t.id, t.active, false as has_left, false as is_waiting, null::timestamptz as ends_at, null::date as departs_on,
        t.room_id, t.package_id
      from devices as t where t.id = ${id} and ${scope.inReach('devices', 't')}`,
    guest: sql`
      select t.customer_id, t.id, true as active, s.deleted_at is not null as has_left,
        t.waiting_mac_address is not null as is_waiting,
        case when t.waiting_mac_address is not null then coalesce(t.grace_ends_at, t.created_at) end as ends_at,
        s.departs_on, s.room_id, null::integer as package_id
      from guests as t left join room_guests as s on s.customer_id = t.customer_id and s.id = t.room_guest_id
      where t.id = ${id} and ${scope.inReach('guests', 't')}`,
  })[kind]

export interface Sought {
  holder: RuledHolder
  property_id: number
  /** Those that ask: how many others there are is counted. */
  mac_address: string | null
  /** What a portal gave instead of the holder's own. */
  package_id: number | null
}

/**
 * The holder's package is its own, else its room's, else its property's, else there is none. Its row is held until the
 * transaction ends, so that devices which come at once are judged one after the other. Undefined: there is none any more.
 */
export async function lockedFacts(scope: Scope, sought: Sought): Promise<HolderFacts | undefined> {
  const { holder } = sought
  const table = tables[holder.kind]
  // Sent together: the second is read when the first has the row.
  const [, [facts]] = await Promise.all([
    scope.run(sql`
      select from ${sql.table(table)} as t where t.id = ${holder.id} and ${scope.inReach(table, 't')} for no key update`),
    scope.run(read(scope, sought)),
  ])
  return facts
}

/** For whoever only looks. */
export async function factsOf(scope: Scope, sought: Sought): Promise<HolderFacts | undefined> {
  const [facts] = await scope.run(read(scope, sought))
  return facts
}

const read = (scope: Scope, { holder, property_id, mac_address, package_id }: Sought) => sql<HolderFacts>`
  select now() as now, t.active, t.has_left, t.is_waiting,
    least(t.ends_at, (t.departs_on + 1)::timestamp at time zone zone) as ends_at,
    p.id as package_id, coalesce(p.active, true) as package_active,
    coalesce(p.max_users, 0) as max_users, coalesce(p.session_time_hrs, 0) as session_time_hrs,
    coalesce(p.idle_timeout_hrs, 0) as idle_timeout_hrs, coalesce(p.volume_gb, 0) as volume_gb,
    coalesce(p.speed_mbps, 0) as speed_mbps, used.seconds as seconds_used, used.bytes as bytes_used, places.devices
  from (${rowsOf(scope, holder)}) as t
  join customers as c on c.id = t.customer_id
  join properties as h on h.customer_id = t.customer_id and h.id = ${property_id}
  left join rooms as r on r.customer_id = t.customer_id and r.id = t.room_id
  left join packages as p on p.customer_id = t.customer_id and p.deleted_at is null
    and p.id = coalesce(${package_id}::integer, t.package_id, r.package_id, h.package_id)
  cross join lateral (select coalesce(h.time_zone, c.time_zone) as zone) as z
  cross join lateral (
    select coalesce(sum(u.seconds_used), 0) as seconds, coalesce(sum(u.bytes_used), 0) as bytes from usage_periods as u
    where u.customer_id = t.customer_id and u.${sql.ref(columnOf(holder))} = t.id
      and (p.recurs is null or p.recurs = 'none' or u.starts_at >= ${period_began})) as used
  cross join lateral (${places(holder, mac_address)}) as places`

/** A registered device is one device. What has been asked to leave holds no place, whenever its gateway says so. */
const places = (holder: RuledHolder, mac_address: string | null) =>
  holder.kind === 'device'
    ? sql`select 0 as devices`
    : sql`select count(*)::integer as devices from (
        select s.mac_address from radius_sessions as s
          where s.customer_id = t.customer_id and s.${sql.ref(columnOf(holder))} = t.id and s.stopped_at is null and s.disconnect_asked_at is null
        union select d.mac_address from guest_devices as d
          where d.customer_id = t.customer_id and d.${sql.ref(columnOf(holder))} = t.id and d.waits_until > now()
      ) as m where m.mac_address is distinct from ${mac_address}::macaddr`

/** The first thing that stands against the holder. */
export function reasonAgainst(facts: HolderFacts, { kind }: RuledHolder): AttemptReason | null {
  if (!facts.active) return kind === 'device' ? 'device_disabled' : 'account_disabled'
  if (facts.has_left) return 'stay_over'
  if (facts.ends_at !== null && Date.parse(facts.ends_at) <= Date.parse(facts.now))
    return facts.is_waiting ? 'unconfirmed' : kind === 'guest' ? 'stay_over' : 'expired'
  if (!facts.package_active) return 'package_disabled'
  const { seconds, bytes } = allowanceOf(facts)
  if (seconds !== null && seconds <= 0) return 'time_used_up'
  if (bytes !== null && bytes <= 0) return 'data_used_up'
  if (facts.max_users > 0 && facts.devices >= facts.max_users) return 'device_limit'
  return null
}
