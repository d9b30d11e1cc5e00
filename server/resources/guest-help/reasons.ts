// Guest help reasons: why a guest would be refused now, by the rules of admission, and why their last attempt was refused if those
// rules find nothing; each as a sentence for the desk.
import { sql } from 'kysely'
import type { Against, HelpSubject } from '#contract/guest-help.ts'
import { attemptReasons, type AttemptReason } from '#contract/sign-in-attempts.ts'
import { helpIn, type SayHelp } from '#catalogue/spoken.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { allowanceOf } from '#server/admission/allowance.ts'
import { columnOf, factsOf, reasonAgainst, type HolderFacts, type RuledHolder } from '#server/admission/holders.ts'
import { notBelow0 } from '#server/admission/remaining.ts'
import { isGuessing } from '#server/admission/guesses.ts'
import { placeOf, reasonAt } from '#server/admission/property-checks.ts'
import { prompt_s } from '#server/gateways/controller-state.ts'
import { isValid, voucherState } from '#server/vouchers/state.ts'
import { slipMoment } from '#server/vouchers/slip.ts'
import { toldOfEnd } from '#server/stays/acts.ts'
import { reasonAgainstStay, sayNotArrived, sayOver } from '#server/stays/stay-record.ts'
import { nameGiven, type GuestRecord } from './guest-record.ts'
import { linkWarning, type PropertyState } from './property-state.ts'

type Attempt = HelpSubject['attempts'][number]
type Left = NonNullable<HelpSubject['left']>

export interface HolderStanding {
  against: Against[]
  /** Null: it has not been used to sign in yet, or is unknown. */
  facts: HolderFacts | null
}

/** Of a guest whom the property's own system may have told of meanwhile. */
const ofAStay: readonly string[] = [
  'no_such_guest',
  'wrong_name',
  'checked_out',
  'stay_over',
  'not_arrived',
  'unknown_user',
]
/** What is said of the whole property, but is nothing against one who can sign in. */
const ofOthers: readonly string[] = ['many_fail', 'link_down']

/** How long the reason of a refused attempt is taken to be the guest's present problem. */
const meant_ms = 30 * 60_000
/** Reasons that only the attempt itself shows; all others are judged by the present state. */
const onlyTried: readonly string[] = [
  'no_more_messages', 'unknown_user', 'wrong_password', 'wrong_property', 'unknown_device', 'pass_over', 'device_unnamed',
] // prettier-ignore

export async function standingOf(
  scope: Scope,
  known: GuestRecord,
  propertyState: PropertyState | null,
  { attempts, online }: { attempts: Attempt[]; online: boolean },
): Promise<HolderStanding> {
  const [latest] = attempts
  const tried = latest && isMeant(known, latest) ? latest : undefined
  const facts = await factsNow(scope, known)
  const reasons = [
    tried?.reason === 'wrong_property' || known.voucher?.good_here === false ? 'wrong_property' : null,
    await atTheProperty(scope, known, propertyState, latest),
    known.stay && reasonAgainstStay(known.stay),
    ofTheHolder(known, facts),
    tried && tried.reason !== 'wrong_property' ? reasonOfTry(known, tried) : null,
  ]
  const own = reasons.filter((reason) => reason !== null)
  // By whom and when, for the other receptionist.
  const left = known.stay?.checked_out ? (await toldOfEnd(scope, [known.stay.id]))?.message : undefined
  // Trouble of the network matters only to guests who have not just got through it.
  const refused = online ? null : await controllerAgainst(scope, known)
  const isThrough = online || (latest?.accepted === true && isLately(latest) && refused === null)
  const network = isThrough
    ? []
    : (propertyState?.others.warnings ?? []).filter(({ reason }) => !ofOthers.includes(reason))
  const links = propertyState?.links ?? []
  const behind = own.some((reason) => ofAStay.includes(reason)) ? links.flatMap(linkWarning(scope)) : []
  return {
    facts,
    against: [
      ...[...new Set(own)].map((reason) => ({
        reason,
        message:
          (reason === 'checked_out' && left) || wordsFor(scope, reason, { known, tried, system: links[0]?.name }),
      })),
      ...behind,
      ...(refused === null ? [] : [{ reason: 'controller_refused', message: refused }]),
      ...network,
    ],
  }
}

/** What a controller said that was called to let the guest in: the policy let them pass, so no attempt was refused. */
async function controllerAgainst(scope: Scope, { holder, mac_address }: GuestRecord): Promise<string | null> {
  const its = holder ? sql`p.${sql.ref(columnOf(holder))} = ${holder.id}` : sql`t.mac_address = ${mac_address}::macaddr`
  const [latest] = await scope.run(sql<{ name: string; state: string; problem: string | null; is_unfetched: boolean }>`
    select coalesce(g.name, g.nas_identifier) as name, t.state, t.problem,
      t.state = 'waiting' and t.sent ? 'asks_as' and t.created_at < now() - make_interval(secs => ${prompt_s}) as is_unfetched
    from controller_grants as t
    join access_passes as p on p.customer_id = t.customer_id and p.id = t.access_pass_id
    join gateways as g on g.customer_id = t.customer_id and g.id = t.gateway_id
    where ${its} and t.created_at > now() - make_interval(secs => ${meant_ms / 1000}) and ${scope.inReach('controller_grants', 't')}
    order by t.id desc limit 1`)
  if (latest?.is_unfetched) return helpIn(scope.language)('against.not_fetched', { gateway: latest.name })
  return latest?.problem != null && ['waiting', 'refused'].includes(latest.state)
    ? helpIn(scope.language)('against.controller_refused', { gateway: latest.name, why: latest.problem })
    : null
}

function isMeant({ kind, password_set_at }: GuestRecord, { accepted, reason, created_at }: Attempt) {
  if (accepted || !onlyTried.includes(reason)) return false
  if (kind === 'attempt') return true
  if (reason === 'wrong_password' && password_set_at !== null && password_set_at > created_at) return false
  return isLately({ created_at })
}

const isLately = ({ created_at }: Pick<Attempt, 'created_at'>) => Date.now() - Date.parse(created_at) < meant_ms

/** A room and a last name that do not match are recorded as a wrong password. */
function reasonOfTry(known: GuestRecord, { reason, identifier }: Attempt) {
  if (reason !== 'wrong_password') return reason
  if (known.kind === 'stay') return nameGiven(known, identifier) && 'wrong_name'
  return known.kind === 'attempt' && known.holder === null && isRoomAndName(identifier) ? 'no_such_guest' : reason
}
const isRoomAndName = (identifier: string | null) => identifier !== null && /, ./.test(identifier)

/** Judged at the gateway of the last attempt, or else at the one that is most likely in use. */
async function atTheProperty(
  scope: Scope,
  known: GuestRecord,
  propertyState: PropertyState | null,
  latest: Attempt | undefined,
) {
  if (known.property === null || propertyState === null) return null
  const there = latest?.property?.id === known.property.id ? latest : undefined
  const gateway_id = there?.gateway?.id ?? propertyState.gateways[0]?.id
  if (gateway_id === undefined || !propertyState.gateways.some(({ id }) => id === gateway_id)) return null
  const mac_address = known.mac_address ?? there?.mac_address ?? null
  const here = await placeOf(scope, known.property.id, { gateway_id, mac_address })
  return reasonAt(here) ?? (here && isGuessing(here) ? 'too_many_tries' : null)
}

async function factsNow(scope: Scope, { holder, property }: GuestRecord): Promise<HolderFacts | null> {
  if (holder === null || holder.kind === 'voucher' || property === null) return null
  const ruled: RuledHolder = { kind: holder.kind, id: holder.id }
  const sought = { holder: ruled, mac_address: null }
  return (await factsOf(scope, property.id, sought)) ?? null
}

function ofTheHolder({ holder, voucher, stay }: GuestRecord, facts: HolderFacts | null) {
  if (voucher !== null) {
    const state = voucherState(voucher)
    return isValid(state) ? null : state
  }
  if (holder === null || holder.kind === 'voucher' || facts === null) return null
  const reason = reasonAgainst(facts, { kind: holder.kind, id: holder.id })
  return reason === 'stay_over' && stay !== null ? null : reason
}

interface ToSay {
  known: GuestRecord
  tried: Attempt | undefined
  /** The name of the property's own system. */
  system: string | undefined
}

/** The sentence for a reason, with names and times if they are known. */
function wordsFor(scope: Scope, reason: string, { known, tried, system }: ToSay): string {
  const say = helpIn(scope.language)
  const { name, stay, voucher, time_zone } = known
  const at = (time: string | null | undefined) => (time == null ? '' : slipMoment(time, time_zone, scope.language))
  const ends_at = known.expires_at ?? voucher?.ends_at
  const property = known.property?.name ?? say('against.this-property')
  switch (reason) {
    case 'expired':
      return ends_at == null ? say('try.expired') : say('against.expired', { name, time: at(ends_at) })
    case 'not_yet_valid':
      return say('against.not_yet_valid', { name, time: at(voucher?.valid_from) })
    case 'checked_out':
    case 'taken_back':
    case 'package_disabled':
    case 'in_dispute':
    case 'account_disabled':
    case 'device_disabled':
    case 'time_used_up':
    case 'data_used_up':
    case 'device_limit':
    case 'unknown_user':
    case 'unconfirmed':
      return say(`against.${reason}`, { name })
    case 'device_blocked':
    case 'too_many_tries':
    case 'unknown_device':
    case 'pass_over':
      return say(`against.${reason}`)
    case 'property_disabled':
    case 'gateway_disabled':
      return say(`against.${reason}`, { property })
    case 'stay_over':
      return sayOver(scope, name, stay)
    case 'not_arrived':
      return sayNotArrived(scope, name, stay)
    case 'batch_disabled':
      return say('against.batch_disabled', { number: voucher?.batch_number ?? '' })
    case 'wrong_property':
      return elsewhere(say, known, tried)
    case 'wrong_password':
      return say('against.wrong_password', { time: at(tried?.created_at) })
    case 'wrong_name': {
      const given = nameGiven(known, tried?.identifier) ?? ''
      return say('against.wrong_name', { given, room: known.room ?? '', name: stay?.last_name ?? name })
    }
    case 'no_such_guest': {
      const [room = '', given = ''] = splitAtLast(tried?.identifier ?? name)
      return system === undefined
        ? say('against.no_such_guest', { given, room })
        : say('against.no_such_guest-system', { system, given, room })
    }
    default:
      return isAttemptReason(reason) ? say(`try.${reason}`) : say('against.other')
  }
}

const isAttemptReason = (reason: string): reason is AttemptReason => Object.hasOwn(attemptReasons, reason)

/** `12, Annexe, Hart`: the room before, the name behind the last comma. */
const splitAtLast = (identifier: string) => [
  identifier.slice(0, identifier.lastIndexOf(', ')),
  identifier.slice(identifier.lastIndexOf(', ') + 2),
]

function elsewhere(say: SayHelp, { kind, name, property, voucher }: GuestRecord, attempt: Attempt | undefined) {
  const tried = attempt?.property?.name
  if (kind === 'attempt' || property === null)
    return say('against.wrong_property-other', { name, tried: tried ?? say('against.this-one') })
  const place = voucher?.place ?? property.name
  return tried === undefined || tried === property.name
    ? say('against.wrong_property', { name, property: place })
    : say('against.wrong_property-tried', { name, property: place, tried })
}

/** What is left in the present period; null if nothing is counted. */
export function guestLeft({ voucher }: GuestRecord, facts: HolderFacts | null): Left | null {
  const counted = voucher ?? facts
  if (counted === null) return null
  const { seconds, bytes } = notBelow0(allowanceOf(counted))
  return {
    // Once a voucher's clock runs, that is the limit to show, not the time online.
    seconds: voucher !== null && voucher.clock_ends_at !== null ? null : seconds,
    bytes: bytes === null ? null : Math.round(bytes),
    ends_at: voucher?.clock_ends_at ?? counted.ends_at,
    devices: counted.devices,
    devices_max: counted.max_users,
  }
}
