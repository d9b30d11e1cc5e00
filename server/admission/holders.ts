// Holders: what somebody is online as: an account, a registered device or a guest of a portal; and what each may use.
// Vouchers are holders, too, with rules of their own (server/vouchers).
import { sql, type RawBuilder } from 'kysely'
import type { AttemptReason } from '#contract/sign-in-attempts.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { inOrder } from '#server/db/batched-lookups.ts'
import { allowanceOf } from '#server/admission/allowance.ts'
import { stayEnds, stayOfGuest } from '#server/stays/in-house.ts'
import { period_began } from '#server/vouchers/find.ts'

export type HolderKind = 'account' | 'device' | 'guest' | 'voucher'
export interface Holder<K extends HolderKind = HolderKind> {
  kind: K
  id: number
}
export type RuledHolder = Holder<Exclude<HolderKind, 'voucher'>>

/** The column of sessions, attempts and usage that refers to a holder. */
export const columnOf = ({ kind }: Holder) => `${kind}_id` as const
/** The holder's column of a row, out of the four there are. */
export const holderColumns = (holder: Holder | null) => (holder ? { [columnOf(holder)]: holder.id } : {})

/** Everything that the decision depends on. A limit of 0: there is none. */
export interface HolderFacts {
  now: string
  active: boolean
  /** Its stay was ended at the desk. */
  has_left: boolean
  /** Has given an address that is not confirmed yet: then `ends_at` is when the time to confirm it is over. */
  is_waiting: boolean
  /** When the account expires, or the last day of the stay is over. */
  ends_at: string | null
  package_id: number | null
  package_active: boolean
  /** The property's system says so of the stay or its room, and the package is not for such guests. */
  in_dispute: boolean
  max_users: number
  session_time_hrs: number
  idle_timeout_hrs: number
  volume_gb: number
  speed_mbps: number
  /** In the present period of the package. */
  seconds_used: number
  bytes_used: number
  /** Other devices of the same holder that are online, or about to be. */
  devices: number
}

export interface LockedFacts extends HolderFacts {
  /** What the desk knows the holder by. */
  identifier: string | null
  /** The stay whose guests share so many places; null where each holder has its own. */
  shared_stay_id: number | null
  /** The devices that take up a place, where their number is limited; '' is one whose gateway does not report its address. */
  places: string[]
}

const tables = { account: 'accounts', device: 'devices', guest: 'guests' } as const

/** Whose devices are counted with nobody else's. */
const alone = sql`null::integer as devices_max, null::integer as shared_stay_id, array[t.id] as sharers`

/** The row of the holder `q`, with the same columns for each kind. */
const rowsOf = (scope: Scope, kind: RuledHolder['kind']) =>
  ({
    account: sql`
      select t.customer_id, t.id, coalesce(t.username, t.name) as identifier, t.active and not t.draft as active,
        false as has_left, false as is_waiting, t.expires_at as ends_at, t.room_id, t.package_id, false as stay_in_dispute, ${alone}
      from accounts as t where t.id = q.id and ${scope.inReach('accounts', 't')}`,
    device: sql`
      select t.customer_id, t.id, t.name as identifier, t.active, false as has_left, false as is_waiting,
        null::timestamptz as ends_at, t.room_id, t.package_id, false as stay_in_dispute, ${alone}
      from devices as t where t.id = q.id and ${scope.inReach('devices', 't')}`,
    guest: sql`
      select t.customer_id, t.id, coalesce(t.email, t.mobile_number, t.name) as identifier, true as active,
        s.deleted_at is not null as has_left, t.waiting_mac_address is not null as is_waiting,
        least(case when t.waiting_mac_address is not null then coalesce(t.grace_ends_at, t.created_at) end,
          ${stayEnds('s', 'stay', sql`zone`)}) as ends_at,
        s.room_id, stay.package_id, coalesce(stay.in_dispute, false) as stay_in_dispute,
        stay.devices as devices_max, case when stay.devices is not null then stay.id end as shared_stay_id,
        case when stay.devices is null then array[t.id] else array(
          select o.id from room_guests as m join guests as o on o.customer_id = m.customer_id and o.room_guest_id = m.id
          where m.customer_id = stay.customer_id and m.stay_id = stay.id) end as sharers
      from guests as t left join room_guests as s on s.customer_id = t.customer_id and s.id = t.room_guest_id
      ${stayOfGuest('s', 'stay')}
      where t.id = q.id and ${scope.inReach('guests', 't')}`,
  })[kind]

export interface Sought {
  holder: RuledHolder
  /** The device that asks; the others are counted. */
  mac_address: string | null
  /** Of a session whose package is not to be changed; else the holder's own. */
  package_id?: number | null
}

/**
 * The facts of each, in the same order, at one property. A holder's package is its own (a room guest's that of the stay), else its
 * room's, else its property's, else there is none. The devices of a stay are those of all its guests, where it says how many. Its row
 * is locked until the transaction ends, so that devices which arrive at once are judged one after the other. Undefined: the holder no
 * longer exists.
 */
export async function lockedFacts(
  scope: Scope,
  property_id: number,
  sought: readonly Sought[],
): Promise<(LockedFacts | undefined)[]> {
  const kinds = [...new Set(sought.map(({ holder }) => holder.kind))].toSorted()
  // Sent together: the facts are read after all rows have been locked.
  const locks = kinds.map((kind) => {
    const ids = sought.filter(({ holder }) => holder.kind === kind).map(({ holder }) => holder.id)
    const table = tables[kind]
    return scope.run(sql`
      select from ${sql.table(table)} as t where t.id = any(${ids}) and ${scope.inReach(table, 't')}
      order by t.id for no key update`)
  })
  const [facts] = await Promise.all([
    read(scope, property_id, sought, sql`coalesce(t.devices_max, p.max_users) > 0`),
    ...locks,
    lockSharedStays(scope, sought),
  ])
  return facts
}

/** After the guests themselves: those of one stay who arrive at once are judged one after the other, too. */
async function lockSharedStays(scope: Scope, sought: readonly Sought[]) {
  const ids = sought.filter(({ holder }) => holder.kind === 'guest').map(({ holder }) => holder.id)
  if (ids.length === 0) return
  await scope.run(sql`
    select from stays as t where t.devices is not null and ${scope.inReach('stays', 't')} and t.id in (
      select s.stay_id from guests as g join room_guests as s on s.customer_id = g.customer_id and s.id = g.room_guest_id
      where g.customer_id = ${scope.customer_id} and g.id = any(${ids}))
    order by t.id for no key update`)
}

/** For reading alone: nothing is locked. */
export async function factsOf(scope: Scope, property_id: number, sought: Sought): Promise<HolderFacts | undefined> {
  const [facts] = await read(scope, property_id, [sought], sql`true`)
  return facts
}

/** One statement for each kind of holder. @param counted condition on whose devices are read */
async function read(scope: Scope, property_id: number, sought: readonly Sought[], counted: RawBuilder<unknown>) {
  const all = sought.map(({ holder, mac_address, package_id = null }, n) => ({ n, ...holder, mac_address, package_id }))
  const kinds = Map.groupBy(all, ({ kind }) => kind)
  const found = await Promise.all(
    [...kinds].map(([kind, ones]) =>
      scope.run(sql<Omit<LockedFacts, 'devices'> & { n: number }>`
        select q.n, app_now() as now, t.identifier, t.active, t.has_left, t.is_waiting,
          t.ends_at,
          p.id as package_id, coalesce(p.active, true) as package_active,
          (t.stay_in_dispute or ${kind === 'guest' ? sql`coalesce(r.barred, false)` : sql`false`})
            and coalesce(p.refused_in_dispute, false) as in_dispute,
          coalesce(t.devices_max, p.max_users, 0) as max_users, t.shared_stay_id, coalesce(p.session_time_hrs, 0) as session_time_hrs,
          coalesce(p.idle_timeout_hrs, 0) as idle_timeout_hrs, coalesce(p.volume_gb, 0) as volume_gb,
          coalesce(p.speed_mbps, 0) as speed_mbps, used.seconds as seconds_used, used.bytes as bytes_used,
          ${kind === 'device' ? sql`'{}'::text[]` : sql`case when ${counted} then ${devicesOf(kind)} else '{}' end`} as places
        from ${holdersAsked(ones)}
        join properties as h on h.id = ${property_id} and h.customer_id = ${scope.customer_id}
        join customers as c on c.id = h.customer_id
        cross join lateral (select coalesce(h.time_zone, c.time_zone) as zone) as z
        cross join lateral (${rowsOf(scope, kind)} limit 1) as t
        left join rooms as r on r.customer_id = t.customer_id and r.id = t.room_id
        left join packages as p on p.customer_id = t.customer_id and p.deleted_at is null
          and p.id = coalesce(q.package_id, t.package_id, r.package_id, h.package_id)
        cross join lateral (
          select coalesce(sum(u.seconds_used), 0) as seconds, coalesce(sum(u.bytes_used), 0) as bytes
          from usage_periods as u
          where u.customer_id = t.customer_id and u.${sql.ref(`${kind}_id`)} = t.id
            and (p.recurs is null or p.recurs = 'none' or u.starts_at >= ${period_began})) as used`),
    ),
  )
  return inOrder(all, found.flat()).map(
    (facts, n) => facts && { ...facts, devices: facts.places.filter((mac) => mac !== all[n]?.mac_address).length },
  )
}

/**
 * The rows `q`. Behind a `select`, how many there are is not known to the planner. Where it knows, a plan for just these looks cheaper
 * than the one that is kept, and making it takes longer than all else.
 */
const holdersAsked = (ones: readonly { n: number; id: number; package_id: number | null }[]) => sql`
  unnest((select ${ones.map(({ n }) => n)}::integer[]), (select ${ones.map(({ id }) => id)}::bigint[]),
    (select ${ones.map(({ package_id }) => package_id)}::integer[])) as q(n, id, package_id)`

/** A session that has been asked to end takes up no place, even before its gateway reports the end. A registered device is one device. */
const devicesOf = (kind: 'account' | 'guest') => sql`
  array(
    select coalesce(s.mac_address::text, '') from radius_sessions as s
      where s.customer_id = t.customer_id and s.${sql.ref(`${kind}_id`)} = any(t.sharers) and s.stopped_at is null
        and s.disconnect_asked_at is null
    union select d.mac_address::text from guest_devices as d
      where d.customer_id = t.customer_id and d.${sql.ref(`${kind}_id`)} = any(t.sharers) and d.waits_until > now())`

/** The first reason to refuse the holder. */
export function reasonAgainst(facts: HolderFacts, { kind }: RuledHolder): AttemptReason | null {
  if (!facts.active) return kind === 'device' ? 'device_disabled' : 'account_disabled'
  if (facts.has_left) return 'stay_over'
  if (facts.ends_at !== null && Date.parse(facts.ends_at) <= Date.parse(facts.now))
    return facts.is_waiting ? 'unconfirmed' : kind === 'guest' ? 'stay_over' : 'expired'
  if (!facts.package_active) return 'package_disabled'
  if (facts.in_dispute) return 'in_dispute'
  const { seconds, bytes } = allowanceOf(facts)
  if (seconds !== null && seconds <= 0) return 'time_used_up'
  if (bytes !== null && bytes <= 0) return 'data_used_up'
  if (facts.max_users > 0 && facts.devices >= facts.max_users) return 'device_limit'
  return null
}
