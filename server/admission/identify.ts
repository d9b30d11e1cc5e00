// Identify: whose sign-in this is: a pass of the portal, a device that is known, an account or a voucher's code, always
// within the property of the gateway that asks.
import { sql } from 'kysely'
import { constants } from '#contract/constants.ts'
import { macAddress } from '#contract/mac-address.ts'
import { code_length, normalised, shown } from '#contract/vouchers.ts'
import { fit, type Credentials } from '#server/access/guest-credentials.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { AttemptReason } from '#contract/sign-in-attempts.ts'
import type { Holder, RuledHolder } from '#server/admission/holders.ts'
import { holderIn, takePass } from '#server/admission/passes.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'

/** By `auth_methods`. */
export const auth_methods = { voucher: 2, password: 3, conference: 7, device: 8 } as const

export interface Asked {
  gateway_id: number
  property_id: number
  user_name: string
  credentials: Credentials
  mac_address: string
}

/** Null: its sign-in was looked at before. */
export interface TypedVoucher {
  code: string
  credentials: Credentials | null
}

/** Whoever it is. `reason`: known, and not to be let in. */
export type Identified = {
  auth_method_id: number | null
  /** What the desk knows the holder by. */
  identifier: string
  package_id?: number | null
} & (
  | { holder: RuledHolder; reason?: AttemptReason; voucher?: never }
  | { holder: Holder<'voucher'>; voucher: TypedVoucher; reason?: never }
  | { holder: null; reason: AttemptReason; voucher?: never }
)

export async function identify(scope: Scope, seal: Seal, asked: Asked): Promise<Identified> {
  const pass = await takePass(scope, seal, asked)
  if (pass === null) return { holder: null, reason: 'pass_over', identifier: asked.user_name, auth_method_id: null }
  if (pass) return proven(scope, pass.holder, pass)
  if (macIn(asked.user_name) === asked.mac_address) return deviceOf(scope, asked)
  return (await accountOf(scope, seal, asked)) ?? (await voucherOf(scope, asked)) ?? unknown(asked)
}

const unknown = ({ user_name }: Asked): Identified => ({
  holder: null,
  reason: 'unknown_user',
  identifier: user_name,
  auth_method_id: null,
})

/** In the one notation; undefined where it is none. */
export const macIn = (text: string): string | undefined => macAddress.safeParse(text).data

const identifiers = {
  account: (scope: Scope) => sql<{ text: string }>`
    select coalesce(t.username, t.name) as text from accounts as t where ${scope.inReach('accounts', 't')}`,
  device: (scope: Scope) => sql<{ text: string }>`
    select t.name as text from devices as t where ${scope.inReach('devices', 't')}`,
  guest: (scope: Scope) => sql<{ text: string }>`
    select coalesce(t.email, t.mobile_number, t.name) as text from guests as t where ${scope.inReach('guests', 't')}`,
  voucher: (scope: Scope) => sql<{ text: string }>`
    select t.code as text from vouchers as t where ${scope.inReach('vouchers', 't')}`,
}

/** The portal, or an earlier sign-in of the same device, vouches for it. */
async function proven(
  scope: Scope,
  { kind, id }: Holder,
  { auth_method_id, package_id }: { auth_method_id: number; package_id: number | null },
): Promise<Identified> {
  const [known] = await scope.run(sql<{ text: string | null }>`${identifiers[kind](scope)} and t.id = ${id}`)
  if (kind === 'voucher') {
    const code = known?.text ?? ''
    return { holder: { kind, id }, voucher: { code, credentials: null }, identifier: shown(code), auth_method_id }
  }
  return { holder: { kind, id }, identifier: known?.text ?? `${kind} ${id}`, auth_method_id, package_id }
}

interface Remembered {
  account_id: number | null
  voucher_id: number | null
  guest_id: number | null
  auth_method_id: number | null
  package_id: number | null
}

/** A guest who only clicked through is known again for so long. */
const remembered_days = 30

async function deviceOf(scope: Scope, { mac_address, property_id }: Asked): Promise<Identified> {
  const [[device], [remembered]] = await Promise.all([
    scope.run(sql<{ id: number; name: string }>`
      select t.id, t.name from devices as t
      where t.property_id = ${property_id} and t.mac_address = ${mac_address}::macaddr and ${scope.inReach('devices', 't')}`),
    scope.run(sql<Remembered>`
      select t.account_id, t.voucher_id, t.guest_id, t.auth_method_id, t.package_id from guest_devices as t
      where t.mac_address = ${mac_address}::macaddr and ${scope.inReach('guest_devices', 't')}
        and t.signed_out_at is null and (t.guest_id is null or t.last_seen_at > now() - make_interval(days => ${remembered_days}))
      order by t.last_seen_at desc, t.id desc limit 1`),
  ])
  if (device)
    return { holder: { kind: 'device', id: device.id }, identifier: device.name, auth_method_id: auth_methods.device }
  const holder = remembered && holderIn({ ...remembered, device_id: null })
  if (!holder)
    return { holder: null, reason: 'unknown_device', identifier: mac_address, auth_method_id: auth_methods.device }
  const usual = holder.kind === 'voucher' ? auth_methods.voucher : auth_methods.password
  return proven(scope, holder, { ...remembered, auth_method_id: remembered.auth_method_id ?? usual })
}

export interface Account {
  id: number
  username: string
  account_type_id: number
  sealed_password: Buffer | null
}
export const isConference = ({ account_type_id }: Account) => account_type_id === constants.account_types.conference

/** By the name that a guest types, whatever its case. */
export async function findAccount(
  scope: Scope,
  { property_id, user_name }: Pick<Asked, 'property_id' | 'user_name'>,
): Promise<Account | null> {
  const [account] = await scope.run(sql<Account>`
    select t.id, t.username, t.account_type_id, s.sealed_password
    from accounts as t left join account_passwords as s on s.customer_id = t.customer_id and s.account_id = t.id
    where t.property_id = ${property_id} and t.username_key = lower(btrim(${user_name}))
      and ${scope.inReach('accounts', 't')}`)
  return account ?? null
}

async function accountOf(scope: Scope, seal: Seal, asked: Asked): Promise<Identified | null> {
  const account = await findAccount(scope, asked)
  if (!account) return null
  const auth_method_id = isConference(account) ? auth_methods.conference : auth_methods.password
  const known = { holder: { kind: 'account', id: account.id }, identifier: account.username, auth_method_id } as const
  return isTheirPassword(scope, seal, account, asked.credentials) ? known : { ...known, reason: 'wrong_password' }
}

/** Nobody's is looked at like anybody's, so that the time it takes does not tell which names there are. */
export function isTheirPassword(scope: Scope, seal: Seal, account: Account | null, credentials: Credentials): boolean {
  const place = placeIn('account_passwords.sealed_password', scope, account?.id ?? 0)
  const expected = seal.open(account?.sealed_password ?? seal.close('', place), place)
  const fits = fit(credentials, expected)
  if (account?.sealed_password) return fits
  // A conference's code needs no password beside it.
  return account !== null && isConference(account) && (fits || fit(credentials, account.username))
}

/** A voucher's state is looked at where it is redeemed; here only whether there is one. */
async function voucherOf(scope: Scope, { user_name, credentials }: Asked): Promise<Identified | null> {
  const code = normalised(user_name)
  if (code.length !== code_length) return null
  const [voucher] = await scope.run(
    sql<{ id: number }>`select t.id from vouchers as t where t.code = ${code} and ${scope.inReach('vouchers', 't')}`,
  )
  if (!voucher) return null
  return {
    holder: { kind: 'voucher', id: voucher.id },
    voucher: { code, credentials },
    identifier: shown(code),
    auth_method_id: auth_methods.voucher,
  }
}
