// Way: the interface of a way in, which turns what a guest entered into who they are, or a refusal. Each way is a file in this folder.
import type { AttemptReason } from '#contract/sign-in-attempts.ts'
import type { CodeStep } from '#portal/design.ts'
import type { Language } from '#portal/languages.ts'
import type { Refusal } from '#portal/texts/en.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { recordAttempts } from '#server/admission/attempts.ts'
import { isGoodElsewhere } from '#server/admission/other-properties.ts'
import { Guards, lockTries, type Guard, type Target } from '#server/admission/guesses.ts'
import { lockedFacts, reasonAgainst, type Holder, type RuledHolder } from '#server/admission/holders.ts'
import { placeOf } from '#server/admission/property-checks.ts'
import type { KnownGateway } from '#server/guest/arrivals.ts'
import { refusalFor } from '#server/guest/refusals.ts'
import type { Seal } from '#server/secrets/seal.ts'
import type { Services } from '#server/services.ts'

export interface ArrivingGuest {
  mac_address: string
  language: Language
  ip: string
  user_agent: string | null
}
/** The fields of the form, each once. */
export type Fields = Readonly<Record<string, string | undefined>>

export interface Tried {
  gateway: KnownGateway
  guest: ArrivingGuest
  fields: Fields
  /** Of `authMethods`. */
  method: number
  /** The property's system was asked who is in the room, and has had its time to answer. */
  has_asked?: boolean
}

/** What some ways need in addition. */
export type WayServices = Pick<Services, 'queue' | 'fingerprint' | 'portal_url'>

export type Found =
  | { holder: Holder }
  | { refused: Refusal }
  /** The guest is not known yet, and is asked for a code next. */
  | { waits: CodeStep; guest_id: number }
  /** The property's system is asked who is in the room: whoever it names is found when they are looked for again. */
  | { asked: true }

/** In a scope of the gateway; the attempt is recorded in the same transaction. */
export interface Way {
  /** A field that chooses this way if it is filled in, for browsers without our styles, which show the fields of all ways. */
  chosenBy?: string
  /** Fields whose values are shown again after a refusal; never passwords. */
  shownAgain?: readonly string[]
  /** A password that not everybody has: where one was sent, its field is shown again, empty. */
  askedAgain?: string
  find: (scope: Scope, seal: Seal, tried: Tried, needs: WayServices) => Promise<Found>
  /** Whether the property's system has named them by now. */
  isNamed?: (scope: Scope, tried: Tried) => Promise<boolean>
}

/** Checks what RADIUS would check a second later, so that the page can show the refusal to a guest who is identified. */
export async function allowed(
  scope: Scope,
  tried: Tried,
  { holder, identifier }: { holder: RuledHolder; identifier: string },
): Promise<Found> {
  const { property_id } = tried.gateway
  const { mac_address } = tried.guest
  const [facts] = await lockedFacts(scope, property_id, [{ holder, mac_address }])
  const reason = facts ? reasonAgainst(facts, holder) : 'unknown_user'
  return reason ? refuse(scope, tried, { identifier, reason, holder }) : { holder }
}

/** Whether this device may try a secret now. @param target whose it is; null if nobody's */
export async function guardOf(scope: Scope, { gateway, guest }: Tried, target: Target | null): Promise<Guard> {
  const { mac_address } = guest
  await lockTries(scope, [{ mac_address, target }])
  const place = await placeOf(scope, gateway.property_id, { gateway_id: gateway.id, mac_address })
  const own = { mac_address, place: place ?? { tries: 0, known: false, forgiven: false }, target }
  return (await Guards.read(scope, [own])).of(0)
}

interface RefusedTry {
  /** What the guest entered. */
  identifier: string
  reason: AttemptReason
  /** Whose it was, if that is known. */
  holder?: Holder
  /** For unknown devices. */
  guessed_at?: string | null
  fitted?: boolean
}

/** Records the attempt, which RADIUS never sees, for the desk and for the count of guesses. */
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
  return { refused: refusalFor(reason) }
}
