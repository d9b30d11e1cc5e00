// Property checks: reasons to refuse everybody at a property, or a device, independent of who uses it.
import { sql } from 'kysely'
import type { AttemptReason } from '#contract/sign-in-attempts.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { inOrder, numbersOf } from '#server/db/batched-lookups.ts'

/** How far back a device's wrong tries count. */
const tries_minutes = 10
const counted_max = 100
const guesses: readonly AttemptReason[] = ['unknown_user', 'wrong_password', 'wrong_property']
export const isGuess = (reason: AttemptReason) => guesses.includes(reason)

export interface At {
  gateway_id: number
  /** Null: no particular device. */
  mac_address: string | null
  /** False: by a pass, or as a known device. What it proved before makes no difference then, and `known` is false. Absent: by a secret. */
  is_by_secret?: boolean
}
export interface PlaceChecks {
  gateway: boolean
  property: boolean
  blocked: boolean
  /** Recent wrong tries of the device. */
  tries: number
  /** The device has signed in at the property before, by what proves whose it is. */
  known: boolean
  /** The desk lets it try again. */
  forgiven: boolean
}

/** For each request, in the same order. Undefined: the property has no such gateway. */
export async function placesOf(
  scope: Scope,
  property_id: number,
  asked: readonly At[],
): Promise<(PlaceChecks | undefined)[]> {
  const found = await scope.run(sql<PlaceChecks & { n: number }>`
    select q.n, g.active as gateway, h.active and not h.draft as property,
      exists (select from devices as d join mac_categories as k on k.customer_id = d.customer_id and k.id = d.mac_category_id
        where d.customer_id = g.customer_id and d.property_id = g.property_id and d.mac_address = q.mac_address
          and d.deleted_at is null and k.blocks) as blocked,
      (select count(*)::integer from (select from radius_authorisations as a
        where ${ofDevice(scope)} and ${recent} and not a.accepted and a.reason = any(${[...guesses]}) and a.id > coalesce(f.id, 0)
        limit ${counted_max}) as guess) as tries,
      q.is_by_secret and (
        -- The few holders that its device had are asked first, and its attempts and sessions last, which grow with each sign-in.
        exists (select from guest_devices as d
          left join accounts as a on a.customer_id = d.customer_id and a.id = d.account_id
          left join guests as u on u.customer_id = d.customer_id and u.id = d.guest_id
          left join vouchers as v on v.customer_id = d.customer_id and v.id = d.voucher_id
          left join voucher_batches as b on b.customer_id = v.customer_id and b.id = v.voucher_batch_id
          where d.customer_id = g.customer_id and d.mac_address = q.mac_address and d.waits_until is null
            and ${property_id} in (a.property_id, u.property_id, b.property_id) and ${isProven('d')})
        or exists (select from radius_authorisations as a
          where ${ofDevice(scope)} and a.property_id = ${property_id} and a.accepted and ${isProven('a')})
        or exists (select from radius_sessions as s
          where s.customer_id = g.customer_id and s.mac_address = q.mac_address and s.property_id = ${property_id}
            and num_nonnulls(s.account_id, s.voucher_id, s.device_id, s.guest_id) > 0 and ${isProven('s')})) as known,
      f.id is not null as forgiven
    from unnest(${numbersOf(asked)}::integer[], ${asked.map(({ gateway_id }) => gateway_id)}::integer[],
      ${asked.map(({ mac_address }) => mac_address)}::macaddr[],
      ${asked.map(({ is_by_secret = true }) => is_by_secret)}::boolean[]) as q(n, gateway_id, mac_address, is_by_secret)
    join gateways as g on g.id = q.gateway_id and g.property_id = ${property_id} and ${scope.inReach('gateways', 'g')}
    join properties as h on h.customer_id = g.customer_id and h.id = g.property_id
    left join lateral (
      select max(a.id) as id from radius_authorisations as a
      where ${ofDevice(scope)} and ${recent} and a.reason = 'let_again' and not a.accepted) as f on true`)
  return inOrder(asked, found)
}

/** Whoever clicks through, or types an address, proves nothing: it can be done under any number of made-up addresses. */
const isProven = (alias: string) => sql`(${sql.ref(`${alias}.guest_id`)} is null or exists (
  select from guests as o where o.customer_id = ${sql.ref(`${alias}.customer_id`)} and o.id = ${sql.ref(`${alias}.guest_id`)}
    and (o.confirmed_at is not null or o.room_guest_id is not null)))`

/** Independent of who signs in. */
export function reasonAt(place: PlaceChecks | undefined): AttemptReason | null {
  if (!place?.gateway) return 'gateway_disabled'
  if (!place.property) return 'property_disabled'
  return place.blocked ? 'device_blocked' : null
}

export async function placeOf(scope: Scope, property_id: number, at: At): Promise<PlaceChecks | undefined> {
  const [place] = await placesOf(scope, property_id, [at])
  return place
}

const recent = sql`a.created_at > now() - make_interval(mins => ${tries_minutes})`
const ofDevice = (scope: Scope) => sql`a.customer_id = ${scope.customer_id} and a.mac_address = q.mac_address`
