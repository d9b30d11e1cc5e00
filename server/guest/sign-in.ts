// Sign-in: what a guest gave on the page is looked at, what they agreed to is kept, and a pass is made for the gateway.
import { sql } from 'kysely'
import { authMethods } from '#contract/portals.ts'
import { normalised } from '#contract/vouchers.ts'
import type { Language } from '#portal/languages.ts'
import type { Refusal } from '#portal/texts/en.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { makePass, type NewPass } from '#server/admission/passes.ts'
import { limitCaller } from '#server/fairness/limits.ts'
import type { Credential } from '#server/gateways/kind.ts'
import type { KnownGateway } from '#server/guest/arrivals.ts'
import type { Seal } from '#server/secrets/seal.ts'
import type { Services } from '#server/services.ts'
import { redeem } from '#server/vouchers/redeem.ts'

/** More often nobody mistypes a code. */
const tries = { of_device_max: 15, of_device_s: 600, of_gateway_max: 600, of_gateway_s: 60 }

export interface Guest {
  mac_address: string
  language: Language
  ip: string
  user_agent: string | null
}
/** What the form brought, each field once. */
export type Fields = Readonly<Record<string, string | undefined>>

export type SignedIn = { credential: Credential } | { refused: Refusal }

type Holder = NewPass['holder']
interface Tried {
  gateway: KnownGateway
  guest: Guest
  fields: Fields
}

/** @throws {Refused} 429 when a device, or all of a gateway's, tried too often */
export async function signIn({ tenancy, seal }: Services, tried: Tried): Promise<SignedIn> {
  const { gateway, guest, fields } = tried
  const method = methodOf(gateway.auth_method_ids, fields)
  if (method === null) return { refused: 'incomplete' }
  if (gateway.terms !== null && fields['terms'] !== String(gateway.terms_version)) return { refused: 'terms' }
  const caller = callerOfGateway(gateway)
  await limitCaller(tenancy, caller, `sign-in ${guest.mac_address}`, tries.of_device_max, tries.of_device_s)
  await limitCaller(tenancy, caller, 'sign-in', tries.of_gateway_max, tries.of_gateway_s)
  return tenancy.enter(caller, 'write', async (scope) => {
    const found = await ways[method](scope, seal, tried)
    if ('refused' in found) return found
    await keepConsents(scope, tried, { method, holder: found.holder })
    const pass = { gateway_id: gateway.id, mac_address: guest.mac_address, auth_method_id: method, ...found }
    return { credential: await makePass(scope, seal, pass) }
  })
}

type Way = (scope: Scope, seal: Seal, tried: Tried) => Promise<{ holder: Holder } | { refused: Refusal }>
const ways = { [authMethods.free]: free, [authMethods.voucher]: byVoucher } satisfies Record<number, Way>
export type Method = keyof typeof ways
export const isServed = (method: number): method is Method => Object.hasOwn(ways, method)

/** The one that was chosen; where only one has been filled in, a browser without the styles showed all of them. */
function methodOf(offered: readonly number[], fields: Fields): Method | null {
  const chosen = Number(fields['method'])
  if (fields['voucher_code']?.trim() && offered.includes(authMethods.voucher)) return authMethods.voucher
  return offered.includes(chosen) && isServed(chosen) ? chosen : null
}

/** Whoever only agrees is nobody by name; the same device is the same guest. */
async function free(scope: Scope, _seal: Seal, { gateway, guest }: Tried): Promise<{ holder: Holder }> {
  const [known] = await scope.run(sql<{ id: number }>`
    select g.id from access_passes as t join guests as g on g.customer_id = t.customer_id and g.id = t.guest_id
    where t.mac_address = ${guest.mac_address}::macaddr and t.auth_method_id = ${authMethods.free}
      and t.guest_id is not null and g.deleted_at is null
      and ${scope.inReach('access_passes', 't')} and ${scope.inReach('guests', 'g')}
    order by t.id desc limit 1`)
  const seen = { language: guest.language, last_seen_at: sql`now()` }
  if (known) {
    await scope.change('guests', [known.id], { ...seen, visits: sql`visits + 1` })
    return { holder: { kind: 'guest', id: known.id } }
  }
  const { property_id } = gateway
  const id = await scope.insert('guests', { ...seen, property_id, auth_method_id: authMethods.free })
  return { holder: { kind: 'guest', id } }
}

async function byVoucher(scope: Scope, seal: Seal, { gateway, guest, fields }: Tried): ReturnType<Way> {
  const code = normalised(fields['voucher_code'] ?? '')
  if (code === '') return { refused: 'incomplete' }
  const { property_id } = gateway
  const credentials = { kind: 'password', password: fields['voucher_password'] ?? '' } as const
  const outcome = await redeem(scope, seal, { code, property_id, mac_address: guest.mac_address, credentials })
  if (outcome.admitted) return { holder: { kind: 'voucher', id: outcome.voucher.id } }
  const reason = reasons[outcome.reason] ?? outcome.reason
  await scope.insert('radius_authorisations', {
    gateway_id: gateway.id,
    property_id,
    mac_address: guest.mac_address,
    auth_method_id: authMethods.voucher,
    identifier: code.slice(0, 100),
    accepted: false,
    reason,
  })
  return { refused: told[reason] ?? 'failed' }
}

/** The words that were agreed to, once for each device; marketing only where it was ticked. */
async function keepConsents(
  scope: Scope,
  { gateway, guest, fields }: Tried,
  { method, holder }: { method: Method; holder: Holder },
) {
  const agreed = [
    { purpose: 'terms', wording: gateway.terms },
    { purpose: 'marketing_email', wording: fields['marketing'] === '1' ? gateway.marketing_text : null },
  ]
  for (const { purpose, wording } of agreed) {
    if (wording === null) continue
    const [before] = await scope.run(sql`
      select from consent_records as t where t.mac_address = ${guest.mac_address}::macaddr and t.purpose = ${purpose}
        and t.portal_id = ${gateway.portal_id} and t.wording = ${wording} and t.withdrawn_at is null
        and ${scope.inReach('consent_records', 't')} limit 1`)
    if (before) continue
    await scope.insert('consent_records', {
      purpose,
      wording,
      guest_id: holder.kind === 'guest' ? holder.id : null,
      portal_id: gateway.portal_id,
      property_id: gateway.property_id,
      gateway_id: gateway.id,
      auth_method_id: method,
      language: guest.language,
      method: 'checkbox',
      ip: guest.ip,
      mac_address: guest.mac_address,
      user_agent: guest.user_agent?.slice(0, 500) ?? null,
    })
  }
}

/** What attempts call otherwise than vouchers do. */
const reasons: Record<string, string> = { unknown: 'unknown_user', password: 'wrong_password' }
/** The words of an attempt, as RADIUS keeps them, in those of the page. What is somebody else's and what never was read alike. */
const told: Record<string, Refusal> = {
  batch_disabled: 'disabled',
  package_disabled: 'disabled',
  account_disabled: 'disabled',
  device_disabled: 'disabled',
  device_blocked: 'disabled',
  gateway_disabled: 'disabled',
  property_disabled: 'disabled',
  not_yet_valid: 'not_yet_valid',
  expired: 'expired',
  stay_over: 'expired',
  time_used_up: 'used_up',
  data_used_up: 'used_up',
  device_limit: 'too_many_devices',
  too_many_tries: 'too_often',
  unknown_user: 'unknown',
  wrong_password: 'unknown',
}

/** Why the gateway that sent a guest back did not let them in: what was last answered for their device. */
export async function lastRefusal(
  { tenancy }: Services,
  gateway: KnownGateway,
  mac_address: string | null,
): Promise<Refusal> {
  const [last] = await tenancy.enter(callerOfGateway(gateway), 'read', (scope) =>
    scope.read(sql<{ reason: string }>`
      select t.reason from radius_authorisations as t
      where t.mac_address = ${mac_address}::macaddr and t.gateway_id = ${gateway.id} and not t.accepted
        and t.created_at > now() - interval '2 minutes' and ${scope.inReach('radius_authorisations', 't')}
      order by t.created_at desc limit 1`),
  )
  return (last && told[last.reason]) ?? 'failed'
}
