// Passes: what a gateway is given instead of the guest's own secret. The portal page makes one when it has checked the
// guest's credentials; RADIUS accepts it once, within 90 seconds, from that gateway and for that device, which may
// ask again at once where the answer was lost.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { hashOf } from '#server/access/authenticate.ts'
import { matches, type Credentials } from '#server/access/guest-credentials.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { holderColumns, type Holder } from '#server/admission/holders.ts'
import { inOrder, numbersOf } from '#server/db/batched-lookups.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'

const life_s = 90
/** A gateway that got no answer asks again under a new number, and of another node, too. */
const asked_again_s = 10
export const isPass = ({ user_name }: { user_name: string }) => /^pass-[\w-]{22}$/.test(user_name)
const random = () => randomBytes(16).toString('base64url')

export interface NewPass {
  gateway_id: number
  mac_address: string | null
  auth_method_id: number
  holder: Holder
}

export interface MadePass {
  /** The credentials for the gateway. */
  username: string
  password: string
  /** With this an admitted guest asks for their status. */
  status_key: string
}

/** In a scope that reaches the gateway. */
export async function makePass(scope: Scope, seal: Seal, { holder, ...values }: NewPass): Promise<MadePass> {
  const [username, password, status_key] = [`pass-${random()}`, random(), random()]
  await scope.insert('access_passes', {
    ...values,
    ...holderColumns(holder),
    username,
    sealed_password: seal.close(password, placeIn('access_passes.sealed_password', scope, username)),
    status_key_hash: hashOf(status_key),
    expires_at: sql`now() + make_interval(secs => ${life_s})`,
  })
  return { username, password, status_key }
}

export interface AccessPass {
  id: number
  holder: Holder
  auth_method_id: number
  /** The guest is online by it. By the Class. */
  renews: number | null
  /** They are to be ended. */
  is_to_end: boolean
}
export interface StoredPass extends HolderColumns {
  id: number
  sealed_password: Buffer
  auth_method_id: number
  renews: number | null
  is_to_end: boolean
}
interface Shown {
  gateway_id: number
  mac_address: string | null
  user_name: string
  credentials: Credentials
  asks_again?: boolean
}

/** New, or taken so lately that whoever took it may ask again; or a controller is being called with it, which is to ask. */
const isGood = sql`
  case when t.used_at is null then t.expires_at > now()
    else t.signed_out_at is null and (t.used_at > now() - make_interval(secs => ${asked_again_s}) or exists (
      select from controller_grants as o
      where o.customer_id = t.customer_id and o.access_pass_id = t.id and o.state = 'waiting'
        and o.created_at > now() - interval '15 minutes')) end`

/** The guest is online by it. */
const isInUse = sql`
  t.used_at is not null and t.signed_out_at is null and exists (
    select from radius_sessions as s
    where s.customer_id = t.customer_id and s.mac_address = t.mac_address and s.gateway_id = t.gateway_id and s.username = t.username
      and s.stopped_at is null)`

/** For each that is presented, the pass that may be taken by that gateway, for that device, now. */
export async function passesShown(scope: Scope, shown: readonly Shown[]): Promise<(StoredPass | undefined)[]> {
  if (!shown.some(isPass)) return []
  const found = await scope.run(sql<StoredPass & { n: number }>`
    select q.n, t.id, t.sealed_password, t.auth_method_id, t.account_id, t.voucher_id, t.device_id, t.guest_id,
      case when not t.is_good then (
        select coalesce(a.class_of, a.id)::float8 from radius_authorisations as a
        where a.gateway_id = q.gateway_id and a.mac_address = q.mac_address and a.accepted
          and ${scope.inReach('radius_authorisations', 'a')}
        order by a.created_at desc limit 1) end as renews,
      exists (select from radius_sessions as s where s.customer_id = t.customer_id and s.mac_address = t.mac_address
        and s.gateway_id = t.gateway_id and s.username = t.username and s.stopped_at is null and s.disconnect_for is not null) as is_to_end
    from unnest(${numbersOf(shown)}::integer[], ${shown.map(({ user_name }) => user_name)}::text[],
      ${shown.map(({ gateway_id }) => gateway_id)}::integer[], ${shown.map(({ mac_address }) => mac_address)}::macaddr[],
      ${shown.map(({ asks_again = false }) => asks_again)}::boolean[]) as q(n, username, gateway_id, mac_address, asks_again)
    cross join lateral (
      select t.*, ${isGood} as is_good from access_passes as t
      where t.username = q.username and t.gateway_id = q.gateway_id
        and (t.mac_address is null or t.mac_address = q.mac_address)
        and (${isGood} or q.asks_again and ${isInUse}) and ${scope.inReach('access_passes', 't')} limit 1) as t`)
  return inOrder(shown, found)
}

/** Null: not a valid pass: unknown, expired, or another gateway's or device's. Undefined: the name is not that of a pass. */
export function passIn(
  scope: Scope,
  seal: Seal,
  shown: Shown,
  stored: StoredPass | undefined,
): AccessPass | null | undefined {
  if (!isPass(shown)) return undefined
  if (!stored) return null
  const place = placeIn('access_passes.sealed_password', scope, shown.user_name)
  const holder = matches(shown.credentials, seal.open(stored.sealed_password, place)) ? holderIn(stored) : null
  const { id, auth_method_id, renews, is_to_end } = stored
  return holder && { id, holder, auth_method_id, renews, is_to_end }
}

/** Each is taken by one device, the first that asks. @param devices by pass. Returns the passes that are their device's now. */
export async function takePasses(scope: Scope, devices: ReadonlyMap<number, string | null>): Promise<Set<number>> {
  if (devices.size === 0) return new Set()
  const taken = await scope.run(sql<ColumnsOf<'access_passes', 'id'>>`
    update access_passes as t
    set used_at = coalesce(t.used_at, now()), mac_address = coalesce(t.mac_address, free.device)
    from (
      select t.id, q.device from unnest(${[...devices.keys()]}::bigint[], ${[...devices.values()]}::macaddr[]) as q(id, device)
      join access_passes as t on t.id = q.id and (t.mac_address is null or t.mac_address = q.device) and ${isGood}
        and ${scope.inReach('access_passes', 't')}
      order by t.id for no key update of t) as free
    where t.id = free.id and ${scope.inReach('access_passes', 't')} returning t.id`)
  return new Set(taken.map(({ id }) => id))
}

interface HolderColumns {
  account_id: number | null
  voucher_id: number | null
  device_id: number | null
  guest_id: number | null
}
export function holderIn({ account_id, voucher_id, device_id, guest_id }: HolderColumns): Holder | null {
  if (account_id !== null) return { kind: 'account', id: account_id }
  if (voucher_id !== null) return { kind: 'voucher', id: voucher_id }
  if (device_id !== null) return { kind: 'device', id: device_id }
  return guest_id === null ? null : { kind: 'guest', id: guest_id }
}
