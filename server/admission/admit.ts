// Admit: who gets online, with which package and how much of it: the one policy behind every front of RADIUS. Each
// attempt is kept with its reason, in the same transaction.
import { sql, type RawBuilder } from 'kysely'
import type { AttemptReason } from '#contract/sign-in-attempts.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { allowanceOf, secondsUntil, shortest } from '#server/admission/allowance.ts'
import {
  lockedFacts,
  reasonAgainst,
  type Holder,
  type HolderKind,
  type RuledHolder,
} from '#server/admission/holders.ts'
import { reasonOfUnknown } from '#server/admission/elsewhere.ts'
import { identify, type Asked, type Identified } from '#server/admission/identify.ts'
import { reasonAtThePlace } from '#server/admission/place.ts'
import { redeemed } from '#server/admission/redeemed.ts'
import type { Seal } from '#server/secrets/seal.ts'

/** What a guest who is let in may have. Null: no limit. */
export interface Grant {
  package_id: number | null
  seconds: number
  idle_seconds: number | null
  bytes: number | null
  speed_mbps: number | null
}
export type Verdict = {
  /** Of the attempt, by which the session is known later. */
  id: number
  reason: AttemptReason
} & ({ accepted: true; grant: Grant } | { accepted: false })

/** A device's place is kept for it until its gateway reports the session. */
const place_kept_s = 120

export interface Question extends Omit<Asked, 'mac_address'> {
  /** Null: the gateway did not say. */
  mac_address: string | null
}

/** In a scope of the gateway that asks. */
export async function admit(scope: Scope, seal: Seal, asked: Question): Promise<Verdict> {
  const { mac_address } = asked
  if (mac_address === null) return refused(scope, asked, { reason: 'device_unnamed' })
  const question = { ...asked, mac_address }
  const reason = await reasonAtThePlace(scope, question)
  if (reason) return refused(scope, asked, { reason })
  const who = await identify(scope, seal, question)
  if (who.reason) return refused(scope, asked, { ...who, reason: who.reason })
  if (who.voucher) {
    const outcome = await redeemed(scope, seal, question, who.voucher)
    return outcome.admitted
      ? accepted(scope, asked, who, outcome.allowed)
      : refused(scope, asked, { ...who, reason: outcome.reason })
  }
  const sought = { ...question, holder: who.holder, package_id: who.package_id ?? null }
  const facts = await lockedFacts(scope, sought)
  const against = facts ? reasonAgainst(facts, who.holder) : 'unknown_user'
  if (!facts || against) return refused(scope, asked, { ...who, reason: against ?? 'unknown_user' })
  const { seconds, bytes } = allowanceOf(facts)
  const until_end = secondsUntil(facts.ends_at, facts.now)
  const place = placeKept(scope, who.holder, { ...sought, auth_method_id: who.auth_method_id })
  return accepted(scope, asked, who, { ...facts, bytes, seconds: shortest(seconds, until_end) }, place)
}

/** A device that is let in counts from now on, and is known again when it comes back. Written with the attempt. */
function placeKept(
  scope: Scope,
  holder: RuledHolder,
  values: { mac_address: string; auth_method_id: number | null; package_id: number | null },
): RawBuilder<unknown> | null {
  if (holder.kind === 'device') return null
  const { mac_address, auth_method_id, package_id } = values
  const [account_id, guest_id] = holder.kind === 'account' ? [holder.id, null] : [null, holder.id]
  const place = sql`place as (
    insert into guest_devices (customer_id, account_id, guest_id, mac_address, auth_method_id, package_id, waits_until)
    values (${scope.customer_id}, ${account_id}, ${guest_id}, ${mac_address}, ${auth_method_id}, ${package_id},
      now() + make_interval(secs => ${place_kept_s}))
    on conflict (customer_id, account_id, voucher_id, guest_id, mac_address) do update set last_seen_at = now(),
      auth_method_id = excluded.auth_method_id, package_id = excluded.package_id, waits_until = excluded.waits_until,
      signed_out_at = null)`
  if (holder.kind === 'guest') return place
  return sql`${place}, logged_in as (
    update accounts as t set logged_in_at = now() where t.id = ${account_id} and ${scope.inReach('accounts', 't')})`
}

interface Allowed {
  package_id: number | null
  seconds: number
  bytes: number | null
  idle_timeout_hrs: number
  speed_mbps: number
}
async function accepted(
  scope: Scope,
  asked: Question,
  who: Identified,
  allowed: Allowed,
  beside: RawBuilder<unknown> | null = null,
): Promise<Verdict> {
  const { package_id, seconds, bytes, idle_timeout_hrs, speed_mbps } = allowed
  const outcome = { ...who, package_id, seconds, accepted: true, reason: 'accepted' } as const
  const id = await keepAttempt(scope, asked, outcome, beside)
  const idle_seconds = idle_timeout_hrs > 0 ? Math.round(idle_timeout_hrs * 3600) : null
  const grant = { package_id, seconds, bytes, idle_seconds, speed_mbps: speed_mbps > 0 ? speed_mbps : null }
  return { id, reason: 'accepted', accepted: true, grant }
}

interface Outcome {
  reason: AttemptReason
  holder?: Holder | null
  auth_method_id?: number | null
  identifier?: string
  package_id?: number | null
  /** How long whoever is let in may stay. */
  seconds?: number
}
async function refused(scope: Scope, asked: Question, outcome: Outcome): Promise<Verdict> {
  const reason = outcome.reason === 'unknown_user' ? await reasonOfUnknown(scope, asked) : outcome.reason
  const id = await keepAttempt(scope, asked, { ...outcome, reason, accepted: false })
  return { id, reason, accepted: false }
}

const identifier_length_max = 100
/** One statement, with what is written `beside` it. */
async function keepAttempt(
  scope: Scope,
  { gateway_id, property_id, mac_address, user_name }: Question,
  { holder, auth_method_id, identifier, package_id, seconds, accepted, reason }: Outcome & { accepted: boolean },
  beside: RawBuilder<unknown> | null = null,
): Promise<number> {
  const id = (kind: HolderKind) => (holder?.kind === kind ? holder.id : null)
  const known_as = (identifier ?? user_name).slice(0, identifier_length_max).toWellFormed()
  const [kept] = await scope.run(sql<{ id: number }>`
    ${beside ? sql`with ${beside}` : sql``}
    insert into radius_authorisations (customer_id, gateway_id, property_id, mac_address, auth_method_id, package_id,
      account_id, voucher_id, device_id, guest_id, ends_at, identifier, accepted, reason)
    values (${scope.customer_id}, ${gateway_id}, ${property_id}, ${mac_address}, ${auth_method_id ?? null}, ${package_id ?? null},
      ${id('account')}, ${id('voucher')}, ${id('device')}, ${id('guest')},
      now() + make_interval(secs => ${seconds ?? null}::float), ${known_as}, ${accepted}, ${reason})
    returning id`)
  if (!kept) throw new Error('the attempt was not kept')
  return kept.id
}
