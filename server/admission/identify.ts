// Identify: whose sign-in this is: by a pass of the portal, a known device, an account or a voucher's code, always within
// the property of the gateway that asks.
import { sql } from 'kysely'
import { constants } from '#contract/constants.ts'
import { sameFold } from '#contract/folded.ts'
import { macAddress } from '#contract/mac-address.ts'
import type { AttemptReason } from '#contract/sign-in-attempts.ts'
import { normalised, shown } from '#contract/vouchers.ts'
import { matches, repeatName, type Credentials } from '#server/access/guest-credentials.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Holder, RuledHolder } from '#server/admission/holders.ts'
import { holderIn, isPass, passesShown, passIn, type StoredPass } from '#server/admission/passes.ts'
import { inOrder, numbersOf } from '#server/db/batched-lookups.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import { vouchersOf } from '#server/vouchers/find.ts'

/** By `auth_methods`. */
export const auth_methods = { voucher: 2, password: 3, conference: 7, device: 8 } as const

export interface SignInRequest {
  gateway_id: number
  user_name: string
  credentials: Credentials
  /** Null: the gateway did not say. */
  mac_address: string | null
  /** False: by a method that is not offered, whatever the credentials are. Absent: it is offered. */
  is_offered?: boolean
  /** It is a gateway that asks every minute whether the guest may stay. */
  asks_again?: boolean
  /** A gateway asks about a device that has just joined, and sends it to the portal rather than away. */
  sends_on?: boolean
}

/** Who it is. With a `reason`: identified, but not to be let in. */
export type Identified = {
  auth_method_id: number | null
  /** What the desk knows the holder by, where that is known already. */
  identifier?: string
  /** Taken if the sign-in is allowed. */
  pass_id?: number
  /** The guest is online by this pass, and the gateway asks whether they may stay. By its Class. */
  renews?: number
  /** A password was checked, right or wrong. */
  isBySecret?: true
} & (
  | { holder: RuledHolder; reason?: AttemptReason; credentials?: never }
  /** Null: the credentials were checked before. */
  | { holder: Holder<'voucher'>; credentials: Credentials | null; reason?: never }
  | { holder: null; reason: AttemptReason; credentials?: never }
)

/** What a sign-in could refer to in the database. */
interface Candidates {
  pass: StoredPass | undefined
  device: { id: number; name: string } | undefined
  remembered: Remembered | undefined
  account: IdentifiedAccount | undefined
  voucher: { id: number } | undefined
}

/** All requests are at one property; the results are in the same order. */
export async function identify(
  scope: Scope,
  seal: Seal,
  property_id: number,
  asked: readonly SignInRequest[],
): Promise<Identified[]> {
  const [passes, devices, remembered, accounts, vouchers] = await Promise.all([
    passesShown(scope, asked),
    knownDevices(scope, property_id, asked),
    rememberedDevices(scope, asked),
    findAccounts(scope, property_id, asked),
    // A voucher's state is checked when it is redeemed; here only its existence is.
    vouchersOf(
      scope,
      asked.map(({ user_name }) => normalised(user_name)),
    ),
  ])
  return asked.map((one, n) =>
    identified(scope, seal, one, {
      pass: passes[n],
      device: devices[n],
      remembered: remembered[n],
      account: accounts[n],
      voucher: vouchers[n],
    }),
  )
}

function identified(scope: Scope, seal: Seal, asked: SignInRequest, found: Candidates): Identified {
  const pass = passIn(scope, seal, asked, found.pass)
  if (pass === null) return { holder: null, reason: 'pass_over', auth_method_id: null }
  if (pass) {
    const { id, renews, is_to_end } = pass
    if (renews !== null && is_to_end)
      return { holder: null, reason: 'pass_over', auth_method_id: pass.auth_method_id, renews }
    return { ...proven(pass.holder, pass.auth_method_id), ...(renews === null ? { pass_id: id } : { renews }) }
  }
  if (isItsDevice(asked)) return deviceOf(asked, found)
  if (found.account) return accountOf(scope, seal, found.account, asked)
  if (!found.voucher) return { holder: null, reason: 'unknown_user', auth_method_id: null }
  return {
    holder: { kind: 'voucher', id: found.voucher.id },
    credentials: asked.credentials,
    identifier: shown(normalised(asked.user_name)),
    auth_method_id: auth_methods.voucher,
  }
}

/** Names rarely look like an address, and what a schema refuses takes it longest. */
const like_address = /^[\s0-9a-f:.\-‐-―]+$/i
/** Normalised; undefined if the text is not a MAC address. */
export const normalisedMac = (text: string): string | undefined =>
  like_address.test(text) ? macAddress.safeParse(text).data : undefined
const isItsDevice = ({ user_name, mac_address }: SignInRequest) => normalisedMac(user_name) === mac_address

/** Rather than by a pass, or as the device itself. */
export const isBySecret = (asked: SignInRequest) => !isPass(asked) && !isItsDevice(asked)

/** The portal, or an earlier sign-in of the same device, vouches for it. */
function proven({ kind, id }: Holder, auth_method_id: number): Identified {
  if (kind === 'voucher') return { holder: { kind, id }, credentials: null, auth_method_id }
  return { holder: { kind, id }, auth_method_id }
}

async function knownDevices(scope: Scope, property_id: number, asked: readonly SignInRequest[]) {
  if (!asked.some(isItsDevice)) return []
  const found = await scope.run(sql<{ n: number; id: number; name: string }>`
    select q.n, t.id, t.name
    from unnest(${numbersOf(asked)}::integer[], ${asked.map(({ mac_address }) => mac_address)}::macaddr[]) as q(n, mac_address)
    cross join lateral (
      select t.* from devices as t
      where t.property_id = ${property_id} and t.mac_address = q.mac_address and ${scope.inReach('devices', 't')} limit 1) as t`)
  return inOrder(asked, found)
}

interface Remembered {
  account_id: number | null
  voucher_id: number | null
  guest_id: number | null
  auth_method_id: number | null
}

/** How long a guest who only clicked through is recognised. */
const remembered_days = 30

async function rememberedDevices(scope: Scope, asked: readonly SignInRequest[]) {
  if (!asked.some(isItsDevice)) return []
  const found = await scope.run(sql<Remembered & { n: number }>`
    select q.n, t.account_id, t.voucher_id, t.guest_id, t.auth_method_id
    from unnest(${numbersOf(asked)}::integer[], ${asked.map(({ mac_address }) => mac_address)}::macaddr[]) as q(n, mac_address)
    cross join lateral (
      select t.* from guest_devices as t
      where t.mac_address = q.mac_address and ${scope.inReach('guest_devices', 't')} and t.signed_out_at is null
        and (t.guest_id is null or t.last_seen_at > now() - make_interval(days => ${remembered_days}))
      order by t.last_seen_at desc, t.id desc limit 1) as t`)
  return inOrder(asked, found)
}

function deviceOf({ user_name }: SignInRequest, { device, remembered }: Candidates): Identified {
  if (device)
    return { holder: { kind: 'device', id: device.id }, identifier: device.name, auth_method_id: auth_methods.device }
  const holder = remembered && holderIn({ ...remembered, device_id: null })
  if (!holder)
    return {
      holder: null,
      reason: 'unknown_device',
      identifier: normalisedMac(user_name) ?? user_name,
      auth_method_id: auth_methods.device,
    }
  const usual = holder.kind === 'voucher' ? auth_methods.voucher : auth_methods.password
  return proven(holder, remembered.auth_method_id ?? usual)
}

export interface IdentifiedAccount {
  id: number
  username: string
  account_type_id: number
  sealed_password: Buffer | null
}
export const isConference = ({ account_type_id }: IdentifiedAccount) =>
  account_type_id === constants.account_types.conference

/** By the names that guests typed, compared in their folded form; in the same order. */
export async function findAccounts(
  scope: Scope,
  property_id: number,
  typed: readonly { user_name: string }[],
): Promise<(IdentifiedAccount | undefined)[]> {
  const found = await scope.run(sql<IdentifiedAccount & { n: number }>`
    select q.n, t.id, t.username, t.account_type_id, s.sealed_password
    from unnest(${numbersOf(typed)}::integer[], ${typed.map(({ user_name }) => user_name)}::text[]) as q(n, user_name)
    cross join lateral (
      select t.* from accounts as t
      where t.property_id = ${property_id} and t.username_key = same_fold(q.user_name)
        and ${scope.inReach('accounts', 't')}
      order by lower(btrim(t.username)) = lower(btrim(q.user_name)) desc, t.id limit 1) as t
    left join account_passwords as s on s.customer_id = t.customer_id and s.account_id = t.id`)
  return inOrder(typed, found)
}

export async function findAccount(
  scope: Scope,
  property_id: number,
  user_name: string,
): Promise<IdentifiedAccount | null> {
  const [account] = await findAccounts(scope, property_id, [{ user_name }])
  return account ?? null
}

function accountOf(
  scope: Scope,
  seal: Seal,
  account: IdentifiedAccount,
  { user_name, credentials }: SignInRequest,
): Identified {
  const auth_method_id = isConference(account) ? auth_methods.conference : auth_methods.password
  const holder = { kind: 'account', id: account.id } as const
  const known = { holder, identifier: account.username, auth_method_id, isBySecret: true } as const
  const fits = isTheirPassword(scope, seal, account, { typed: user_name, credentials })
  return fits ? known : { ...known, reason: 'wrong_password' }
}

interface Shown {
  /** The user name as the guest gave it. */
  typed: string
  credentials: Credentials
}
/** Takes as long without an account as with one, so that timing does not reveal which names exist. */
export function isTheirPassword(
  scope: Scope,
  seal: Seal,
  account: IdentifiedAccount | null,
  { typed, credentials }: Shown,
): boolean {
  const place = placeIn('account_passwords.sealed_password', scope, account?.id ?? 0)
  const expected = seal.open(account?.sealed_password ?? seal.close('', place), place)
  const fits = matches(credentials, expected)
  if (account?.sealed_password) return fits
  // A conference's code needs no password.
  if (account === null || !isConference(account)) return false
  return fits || repeatName(credentials, { name: account.username, typed, fold: sameFold })
}
