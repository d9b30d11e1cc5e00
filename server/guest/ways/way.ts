// Way: what one way in makes of what a guest gave: who they are, or why not. Each way is a file beside this one.
import type { AttemptReason } from '#contract/sign-in-attempts.ts'
import type { CodeStep } from '#portal/design.ts'
import type { Language } from '#portal/languages.ts'
import type { Refusal } from '#portal/texts/en.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { recordAttempts } from '#server/admission/attempts.ts'
import { isGoodElsewhere } from '#server/admission/elsewhere.ts'
import { Guards, type Guard, type Target } from '#server/admission/guesses.ts'
import { lockedFacts, reasonAgainst, type Holder, type RuledHolder } from '#server/admission/holders.ts'
import type { Place } from '#server/admission/place.ts'
import type { KnownGateway } from '#server/guest/arrivals.ts'
import { toldOf } from '#server/guest/refusals.ts'
import type { Seal } from '#server/secrets/seal.ts'
import type { Services } from '#server/services.ts'

export interface Guest {
  mac_address: string
  language: Language
  ip: string
  user_agent: string | null
}
/** What the form brought, each field once. */
export type Fields = Readonly<Record<string, string | undefined>>

export interface Tried {
  gateway: KnownGateway
  guest: Guest
  fields: Fields
  /** Of `authMethods`. */
  method: number
  /** How the device stands there. */
  place?: Place | undefined
}

/** What some ways need besides. */
export type Means = Pick<Services, 'queue' | 'fingerprint' | 'portal_url'>

export type Found =
  | { holder: Holder }
  | { refused: Refusal }
  /** A code is asked for next of a guest who is not known yet. */
  | { waits: CodeStep; guest_id: number }

/** In a scope of the gateway, whose transaction keeps the attempt too. */
export interface Way {
  /** A field whose being filled in chooses this way, where a browser without our styles shows all of them. */
  chosenBy?: string
  /** What may stand in the form again after a refusal. Passwords are not among them. */
  shownAgain?: readonly string[]
  find: (scope: Scope, seal: Seal, tried: Tried, means: Means) => Promise<Found>
}

/** What RADIUS would answer a second later is said on the page, to whoever has shown who they are. */
export async function allowed(
  scope: Scope,
  tried: Tried,
  { holder, identifier }: { holder: RuledHolder; identifier: string },
): Promise<Found> {
  const { property_id } = tried.gateway
  const { mac_address } = tried.guest
  const [facts] = await lockedFacts(scope, property_id, [{ holder, mac_address, package_id: null }])
  const reason = facts ? reasonAgainst(facts, holder) : 'unknown_user'
  return reason ? refuse(scope, tried, { identifier, reason, holder }) : { holder }
}

/** Whether this device may try at somebody's secret now, or at what is nobody's. */
export async function guardOf(scope: Scope, { guest, place }: Tried, target: Target | null): Promise<Guard> {
  const { mac_address } = guest
  const own = { mac_address, place: place ?? { tries: 0, known: false, forgiven: false }, target }
  return (await Guards.read(scope, [own])).of(0)
}

interface RefusedTry {
  /** What the guest gave. */
  identifier: string
  reason: AttemptReason
  /** Whose it was, where that is known. */
  holder?: Holder
  /** Of a device that is not known. */
  guessed_at?: string | null
  fitted?: boolean
}

/** Keeps the attempt, which RADIUS never sees, for the desk and for the count of guesses. */
export async function refuse(
  scope: Scope,
  { gateway, guest, method }: Tried,
  { identifier, reason: known, ...more }: RefusedTry,
): Promise<{ refused: Refusal }> {
  const { id: gateway_id, property_id } = gateway
  const isElsewhere = known === 'unknown_user' && (await isGoodElsewhere(scope, identifier, property_id))
  const reason = isElsewhere ? 'wrong_property' : known
  const asked = { gateway_id, mac_address: guest.mac_address, user_name: identifier }
  await recordAttempts(scope, property_id, [{ ...asked, ...more, auth_method_id: method, reason }])
  return { refused: toldOf(reason) }
}
