// Admit: who gets online, with which package and how much of it: the one policy behind both RADIUS front ends. Requests that
// arrive at one property at the same time are judged together, as if they came one after the other; each attempt is recorded
// with its reason, in the same transaction.
import type { AttemptReason } from '#contract/sign-in-attempts.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { recordAttempts, type Allowed, type AttemptOutcome } from '#server/admission/attempts.ts'
import { areGoodElsewhere } from '#server/admission/other-properties.ts'
import { allowedBy, grantIn, type Grant } from '#server/admission/grant.ts'
import { lockedFacts, reasonAgainst, type RuledHolder } from '#server/admission/holders.ts'
import { Guards, lockTries, type Target } from '#server/admission/guesses.ts'
import { auth_methods, identify, isBySecret, type SignInRequest, type Identified } from '#server/admission/identify.ts'
import { takePasses } from '#server/admission/passes.ts'
import { isGuess, placesOf, reasonAt } from '#server/admission/property-checks.ts'
import { allowanceOfVoucher, reasonOf } from '#server/admission/voucher-allowance.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { redeem } from '#server/vouchers/redeem.ts'
import { nameBy } from '#server/vouchers/sign-in-names.ts'

export type Verdict = { reason: AttemptReason } & (
  | {
      accepted: true
      grant: Grant
      /** The attempt that the Class identifies the session by: the first of several that let a device in for the same holder. */
      class_of: number
    }
  /** `sent_on`: the guest may sign in on the portal; nobody was refused, and nothing is recorded. */
  | { accepted: false; sent_on?: true }
)

interface SignIn {
  asked: SignInRequest
  who: Identified
  /** Undefined until it is decided. */
  outcome?: AttemptOutcome
  /** What a wrong password is recorded under, where the password is checked later. */
  guessed_at?: string | null
  /** The same pass of the same device, asked before: it gets that answer. */
  again?: SignIn
  /** Where the place is open to the device: it is sent to the portal if it is not let in. */
  sends_on?: true
}

/** In a scope of a gateway of the property. Verdicts are in the order of the requests. */
export async function admit(
  scope: Scope,
  seal: Seal,
  property_id: number,
  asked: readonly SignInRequest[],
): Promise<Verdict[]> {
  const signIns = await recognised(scope, seal, property_id, asked)
  await takePassesOf(scope, signIns.filter(isOpen))
  await Promise.all([
    judgeHolders(scope, property_id, signIns.filter(isOpen)),
    judgeVouchers(scope, seal, property_id, signIns.filter(isOpen)),
    markGoodElsewhere(scope, property_id, signIns),
  ])
  const judged = signIns.filter((signIn) => !signIn.again && !stays(signIn) && !sentOn(signIn))
  const attempts = judged.map((signIn) => {
    if (!signIn.outcome) throw new Error('a sign-in was not decided')
    return { ...signIn.asked, ...signIn.outcome }
  })
  const kept = await recordAttempts(scope, property_id, attempts)
  const verdicts = new Map(kept.map((one, n) => [judged[n], verdictOf(one)]))
  return signIns.map((signIn) => {
    const verdict = stays(signIn) ?? sentOn(signIn) ?? verdicts.get(signIn.again ?? signIn)
    if (!verdict) throw new Error('a sign-in got no verdict')
    return verdict
  })
}

const isOpen = ({ outcome, again }: SignIn) => outcome === undefined && again === undefined

/** Whether somebody may stay is asked every minute, and no sign-in that is recorded. Why they may not stands with their session. */
function stays({ who: { renews }, outcome }: SignIn): Verdict | null {
  if (renews === undefined || !outcome) return null
  const { reason, allowed } = outcome
  return verdictOf({ class_of: renews, reason, ...(allowed && { allowed }) })
}

/** A device that joins asks for nothing, so it is no attempt. */
const sentOn = ({ sends_on, outcome }: SignIn): Verdict | null =>
  sends_on && outcome && !outcome.allowed ? { reason: outcome.reason, accepted: false, sent_on: true } : null

interface Kept {
  class_of: number
  reason: AttemptReason
  allowed?: Allowed
}
function verdictOf({ class_of, reason, allowed }: Kept): Verdict {
  if (!allowed) return { reason, accepted: false }
  return { class_of, reason, accepted: true, grant: grantIn(allowed) }
}

/** Identifies each sign-in; already refused where the place or the credentials rule it out, or where a device is guessing. */
async function recognised(
  scope: Scope,
  seal: Seal,
  property_id: number,
  asked: readonly SignInRequest[],
): Promise<SignIn[]> {
  const at = asked.map((one) => ({ ...one, is_by_secret: isBySecret(one) }))
  const [before, known] = await Promise.all([
    placesOf(scope, property_id, at),
    identify(scope, seal, property_id, asked),
  ])
  const tries = asked.map(({ mac_address }, n) => ({
    mac_address: mac_address ?? '00:00:00:00:00:00',
    target: targetOf(known[n]),
  }))
  const wrong = tries.filter((_, n) => asked[n]?.mac_address != null && isWrong(known[n]))
  // Other nodes judge tries of the same device, or at the same secret, at the same moment. The password of a voucher is checked later:
  // wrong ones of one batch are counted from the next one on.
  if (wrong.length > 0) await lockTries(scope, wrong)
  const places = wrong.length > 0 ? await placesOf(scope, property_id, at) : before
  const guards = await Guards.read(
    scope,
    tries.map((one, n) => ({ ...one, place: places[n] ?? { tries: 0, known: false, forgiven: false } })),
  )
  return known.map((who, n): SignIn => {
    const one = asked[n]
    if (!one) throw new Error('more were identified than asked')
    if (one.is_offered === false)
      return { asked: one, who, outcome: { reason: 'not_offered', identifier: one.user_name, auth_method_id: null } }
    if (one.mac_address === null) return { asked: one, who, outcome: { reason: 'device_unnamed' } }
    const against = reasonAt(places[n])
    if (against) return { asked: one, who, outcome: { reason: against } }
    const here = { asked: one, who, ...(one.sends_on && ({ sends_on: true } as const)) }
    const { reason } = who
    // A pass or a known device presents no secret here, so it guesses at none.
    if (!isWrong(who) && targetOf(who) === null) return { ...here, ...(reason && { outcome: { ...who, reason } }) }
    const { waits, guessed_at } = guards.of(n)
    if (isWrong(who)) guards.wasWrong(n)
    if (waits) return { ...here, outcome: { ...waiting(who), guessed_at, fitted: !isWrong(who) } }
    return reason ? { ...here, outcome: { ...who, reason, guessed_at } } : { ...here, guessed_at }
  })
}

const isWrong = (who: Identified | undefined) => who?.reason !== undefined && isGuess(who.reason)

/** Leaves out the holder, since nobody was let in. */
const waiting = ({ identifier, auth_method_id }: Identified) =>
  ({ ...(identifier !== undefined && { identifier }), auth_method_id, reason: 'too_many_tries' }) as const

/** Whose secret was shown, right or wrong. */
function targetOf(who: Identified | undefined): Target | null {
  if (!who || who.pass_id !== undefined || who.auth_method_id === auth_methods.device) return null
  if (who.holder?.kind === 'account' && who.isBySecret) return { account_id: who.holder.id }
  return who.holder?.kind === 'voucher' && who.credentials ? { voucher_id: who.holder.id } : null
}

async function takePassesOf(scope: Scope, signIns: SignIn[]) {
  const shown = signIns.flatMap((signIn) => {
    const { pass_id } = signIn.who
    return pass_id === undefined ? [] : [{ signIn, pass_id }]
  })
  const first = new Map<number, SignIn>()
  for (const { signIn, pass_id } of shown) if (!first.has(pass_id)) first.set(pass_id, signIn)
  const taken = await takePasses(scope, new Map([...first].map(([id, { asked }]) => [id, asked.mac_address])))
  for (const { signIn, pass_id } of shown) {
    const one = first.get(pass_id)
    if (!taken.has(pass_id) || one?.asked.mac_address !== signIn.asked.mac_address)
      signIn.outcome = { reason: 'pass_over' }
    else if (one !== signIn) signIn.again = one
  }
}

async function judgeHolders(scope: Scope, property_id: number, signIns: SignIn[]) {
  const ruled = signIns.flatMap((signIn) => {
    const { holder } = signIn.who
    if (holder === null || holder.kind === 'voucher') return []
    return [{ signIn, holder, mac_address: signIn.asked.mac_address }]
  })
  if (ruled.length === 0) return
  const found = await lockedFacts(scope, property_id, ruled)
  const newcomers = new Map<string, Set<string>>()
  for (const [n, { signIn, holder, mac_address }] of ruled.entries()) {
    const facts = found[n]
    const name = `${holder.kind} ${holder.id}`
    const sharing = facts?.shared_stay_id == null ? name : `stay ${facts.shared_stay_id}`
    const others = newcomers.get(sharing) ?? new Set()
    newcomers.set(sharing, others)
    const identifier = signIn.who.identifier ?? facts?.identifier ?? name
    const known = { ...signIn.who, identifier }
    if (!facts || mac_address === null) {
      signIn.outcome = { ...known, reason: 'unknown_user' }
      continue
    }
    const otherDevices = new Set([...facts.places, ...others])
    otherDevices.delete(mac_address)
    const reason = reasonAgainst({ ...facts, devices: otherDevices.size }, holder)
    signIn.outcome = reason
      ? { ...known, reason }
      : { ...known, reason: 'accepted', allowed: allowedBy(facts), place: placeOf(holder, mac_address) }
    if (!reason) others.add(mac_address)
  }
}
/** A registered device takes up no place of a holder's devices. */
const placeOf = (holder: RuledHolder, mac_address: string) =>
  holder.kind === 'device' ? undefined : { kind: holder.kind, id: holder.id, mac_address }

async function judgeVouchers(scope: Scope, seal: Seal, property_id: number, signIns: SignIn[]) {
  const tries = signIns.flatMap((signIn) => {
    const { holder, credentials = null } = signIn.who
    const { mac_address, user_name: typed } = signIn.asked
    return holder?.kind === 'voucher' && mac_address !== null
      ? [{ signIn, voucher_id: holder.id, mac_address, typed, credentials }]
      : []
  })
  const outcomes = await redeem(scope, seal, property_id, tries)
  for (const [n, { signIn }] of tries.entries()) {
    const outcome = outcomes[n]
    const known = outcome?.voucher ? { ...signIn.who, identifier: nameBy(scope, outcome.voucher) } : signIn.who
    signIn.outcome = outcome?.admitted
      ? { ...known, reason: 'accepted', allowed: allowanceOfVoucher(outcome.voucher) }
      : { ...known, reason: outcome ? reasonOf(outcome.reason) : 'unknown_user', ...guessedAt(signIn, outcome) }
  }
}

const guessedAt = ({ guessed_at = null }: SignIn, outcome: { admitted: boolean; reason?: string } | undefined) =>
  outcome?.reason === 'password' ? { guessed_at } : {}

/** Guests read the same; the desk sees the difference. */
async function markGoodElsewhere(scope: Scope, property_id: number, signIns: SignIn[]) {
  const unknown = signIns.filter(({ outcome }) => outcome?.reason === 'unknown_user')
  const elsewhere = await areGoodElsewhere(
    scope,
    unknown.map(({ asked }) => asked.user_name),
    property_id,
  )
  for (const [n, { outcome }] of unknown.entries()) if (outcome && elsewhere[n]) outcome.reason = 'wrong_property'
}
