// Passes: what a gateway is given instead of the guest's own secret. The page of a portal makes one when it has looked at
// what the guest gave; RADIUS takes it once, within 90 seconds, from that gateway and for that device.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { hashOf } from '#server/access/authenticate.ts'
import { fit, type Credentials } from '#server/access/guest-credentials.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { columnsOf, type Holder } from '#server/admission/holders.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'

const life_s = 90
const isPass = /^pass-[\w-]{22}$/
const random = () => randomBytes(16).toString('base64url')

export interface NewPass {
  gateway_id: number
  mac_address: string | null
  auth_method_id: number
  /** Instead of the holder's own. */
  package_id?: number | null
  holder: Holder
}

export interface MadePass {
  /** What the gateway is to be given. */
  username: string
  password: string
  /** What the guest who was let in asks after it by. */
  status_key: string
}

/** In a scope that reaches the gateway. */
export async function makePass(scope: Scope, seal: Seal, { holder, ...values }: NewPass): Promise<MadePass> {
  const [username, password, status_key] = [`pass-${random()}`, random(), random()]
  await scope.insert('access_passes', {
    ...values,
    ...columnsOf(holder),
    username,
    sealed_password: seal.close(password, placeIn('access_passes.sealed_password', scope, username)),
    status_key_hash: hashOf(status_key),
    expires_at: sql`now() + make_interval(secs => ${life_s})`,
  })
  return { username, password, status_key }
}

export interface Pass {
  holder: Holder
  auth_method_id: number
  package_id: number | null
}
interface Stored {
  id: number
  sealed_password: Buffer
  auth_method_id: number
  package_id: number | null
  account_id: number | null
  voucher_id: number | null
  device_id: number | null
  guest_id: number | null
}
interface Shown {
  gateway_id: number
  mac_address: string
  user_name: string
  credentials: Credentials
}

/** Takes a pass, once. Null: it is none, or over, or another gateway's or device's. Undefined: the name is not that of a pass. */
export async function takePass(scope: Scope, seal: Seal, shown: Shown): Promise<Pass | null | undefined> {
  const { gateway_id, mac_address, user_name, credentials } = shown
  if (!isPass.test(user_name)) return undefined
  const [pass] = await scope.run(sql<Stored>`
    select t.id, t.sealed_password, t.auth_method_id, t.package_id, t.account_id, t.voucher_id, t.device_id, t.guest_id
    from access_passes as t
    where t.username = ${user_name} and t.gateway_id = ${gateway_id} and ${scope.inReach('access_passes', 't')}
      and (t.mac_address is null or t.mac_address = ${mac_address}::macaddr) and t.used_at is null and t.expires_at > now()
    for no key update`)
  if (!pass) return null
  const password = seal.open(pass.sealed_password, placeIn('access_passes.sealed_password', scope, user_name))
  if (!fit(credentials, password)) return null
  await scope.run(sql`
    update access_passes as t set used_at = now() where t.id = ${pass.id} and ${scope.inReach('access_passes', 't')}`)
  const holder = holderIn(pass)
  return holder && { holder, auth_method_id: pass.auth_method_id, package_id: pass.package_id }
}

type HolderColumns = Pick<Stored, 'account_id' | 'voucher_id' | 'device_id' | 'guest_id'>
export function holderIn({ account_id, voucher_id, device_id, guest_id }: HolderColumns): Holder | null {
  if (account_id !== null) return { kind: 'account', id: account_id }
  if (voucher_id !== null) return { kind: 'voucher', id: voucher_id }
  if (device_id !== null) return { kind: 'device', id: device_id }
  return guest_id === null ? null : { kind: 'guest', id: guest_id }
}
