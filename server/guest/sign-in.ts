// Sign-in: checks what a guest entered on the page, stores what they agreed to, and makes a pass for the gateway.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CodeStep } from '#portal/design.ts'
import type { Refusal } from '#portal/texts/en.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { networkOf } from '#server/access/network.ts'
import { placeOf, reasonAt } from '#server/admission/property-checks.ts'
import { makePass, type MadePass } from '#server/admission/passes.ts'
import { limitCaller } from '#server/fairness/limits.ts'
import { emit } from '#server/events/emit.ts'
import type { KnownGateway } from '#server/guest/arrivals.ts'
import { storeConsents } from '#server/guest/consents.ts'
import { refuse, type Fields, type ArrivingGuest } from '#server/guest/ways/way.ts'
import { NoMoreMessages } from '#server/guest/refusals.ts'
import type { ChosenWay } from '#server/guest/ways/ways.ts'
import type { Services } from '#server/services.ts'

/** More than the guests who may come through one address at once, even at a conference. */
export const tries = { of_address_max: 3000, of_address_s: 60 }

/** How long a property's system has to name a guest, and how often it is looked whether it has. */
const naming = { answer_ms: 6000, look_ms: 500 }
/** Guests of one node who wait for that at once; one more is refused without. */
const waiting_max = 200
let waiting = 0

export type SignedIn = { pass: MadePass } | { refused: Refusal } | { waits: CodeStep }

interface SignInInput {
  gateway: KnownGateway
  guest: ArrivingGuest
  fields: Fields
  /** Of the ways that the portal offers; null if the form chose none of them. */
  chosen: ChosenWay | null
}

/** Does what waits, without the turn of the request. */
type Apart = (wait: () => Promise<void>) => Promise<void>

/** @throws {Refused} 429 when there are too many tries from one address */
export async function signIn(
  services: Pick<Services, 'seal' | 'fingerprint' | 'metrics' | 'tenancy' | 'queue' | 'portal_url'>,
  asked: SignInInput,
  apart: Apart,
): Promise<SignedIn> {
  const signedIn = await decide(services, asked, apart)
  if (!('waits' in signedIn)) services.metrics.signIn('page', 'refused' in signedIn ? signedIn.refused : 'accepted')
  return signedIn
}

async function decide(
  services: Pick<Services, 'seal' | 'fingerprint' | 'tenancy' | 'queue' | 'portal_url'>,
  asked: SignInInput,
  apart: Apart,
): Promise<SignedIn> {
  const { tenancy, seal, fingerprint, queue } = services
  const { gateway, guest, fields, chosen } = asked
  if (chosen === null) return { refused: 'incomplete' }
  if (gateway.terms !== null && fields['terms'] !== String(gateway.terms_version)) return { refused: 'terms' }
  const { method, way } = chosen
  const caller = callerOfGateway(gateway)
  // The key is a pseudonym of the guest's address, so that nothing of it remains once they are erased.
  const network = fingerprint(`sign-in ${networkOf(guest.ip)}`).toString('hex')
  const limit = { what: `sign-in ${network}`, tries_max: tries.of_address_max, window_s: tries.of_address_s }
  await limitCaller(tenancy, caller, limit)
  const look = async (scope: Scope, has_asked: boolean): Promise<SignedIn | { asked: true }> => {
    const { mac_address } = guest
    const at = { gateway_id: gateway.id, mac_address }
    const reason = reasonAt(await placeOf(scope, gateway.property_id, { ...at, is_by_secret: false }))
    const tried = { ...asked, method, has_asked }
    if (reason) return refuse(scope, tried, { identifier: mac_address, reason })
    const found = await way.find(scope, seal, tried, services)
    if ('refused' in found || 'asked' in found) return found
    await storeConsents(scope, tried, 'waits' in found ? { kind: 'guest', id: found.guest_id } : found.holder)
    if ('waits' in found) return { waits: found.waits }
    const pass = { gateway_id: gateway.id, mac_address, auth_method_id: method, ...found }
    const made = await makePass(scope, seal, pass)
    const { kind: holder, id } = found.holder
    const signedIn = { id, property_id: gateway.property_id, guest_id: holder === 'guest' ? id : null }
    const data = { holder, gateway_id: gateway.id, auth_method_id: method }
    await emit(scope, queue, 'guest.signed_in', [{ ...signedIn, data }], holder)
    return { pass: made }
  }
  try {
    const first = await tenancy.enter(caller, 'write', (scope) => look(scope, false))
    if (!('asked' in first)) return first
    const isNamed = () =>
      tenancy.enter(caller, 'read', async (scope) => (await way.isNamed?.(scope, { ...asked, method })) ?? true)
    await apart(() => untilNamed(isNamed))
    const second = await tenancy.enter(caller, 'write', (scope) => look(scope, true))
    if ('asked' in second) throw new Error('it was asked before')
    return second
  } catch (error) {
    if (!(error instanceof NoMoreMessages)) throw error
    const refusal = { identifier: error.address, reason: 'no_more_messages' } as const
    return tenancy.enter(caller, 'write', (scope) => refuse(scope, { ...asked, method }, refusal))
  }
}

/**
 * Until the property's system has named the guest, or its time is over: the same time whether the room or the name was wrong. Neither a
 * connection nor a turn is held meanwhile.
 */
async function untilNamed(isNamed: () => Promise<boolean>) {
  if (waiting >= waiting_max) return
  waiting++
  try {
    const until = Date.now() + naming.answer_ms
    for (let left_ms = naming.answer_ms; left_ms > 0; left_ms = until - Date.now()) {
      await sleep(Math.min(naming.look_ms, left_ms))
      if (Date.now() < until && (await isNamed())) return
    }
  } finally {
    waiting--
  }
}
