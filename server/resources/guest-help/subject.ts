// Guest help subject: one guest as the desk needs to see them: the reason, its fixes, their devices and their last attempts.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { HelpSubject } from '#contract/guest-help.ts'
import { isRandomised } from '#contract/mac-address.ts'
import { SignInAttemptRow } from '#contract/sign-in-attempts.ts'
import { helpIn, type SayHelp } from '#catalogue/spoken.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { columnOf } from '#server/admission/holders.ts'
import { columnsOf } from '#server/entities/entity.ts'
import { fixesFor } from './fixes.ts'
import { guestRecordOf, roomIn, type GuestRecord, type Subject } from './guest-record.ts'
import { propertyStateOf, type PropertyState } from './property-state.ts'
import { guestLeft, standingOf } from './reasons.ts'
import { candidates } from './search.ts'
import { instructionsOf } from './instructions.ts'
import { usedBy, usedInStay } from './used.ts'
import { attempts } from '#server/resources/sign-in-attempts/sign-in-attempts.ts'
import { withShownCodes } from '#server/vouchers/shown-codes.ts'
import { shownStay } from '#server/stays/stay-record.ts'
import { sourcesOf } from '#server/stays/stay-source.ts'

const attempts_max = 10
const devices_max = 20
const seen_max = 5

/** Whether a guest can get online, and what would help: all that a list of refusals shows of each. `at`: the property's state, if known. */
export async function verdictOn(scope: Scope, subject: Subject, at?: PropertyState) {
  const known = await guestRecordOf(scope, subject)
  const devices = await devicesOf(scope, known)
  const [tried, propertyState] = await Promise.all([
    attemptsOf(
      scope,
      known,
      devices.map(({ mac_address }) => mac_address),
    ),
    known.property === null ? null : (at ?? propertyStateOf(scope, known.property.id)),
  ])
  const online = devices.some(({ session_id }) => session_id !== null)
  const { against, facts } = await standingOf(scope, known, propertyState, { attempts: tried, online })
  const say = helpIn(scope.language)
  const reasons = against.map(({ reason }) => reason)
  const fixes = await fixesFor({ scope, say, known, propertyState, facts, devices, attempts: tried }, reasons)
  return { known, devices, attempts: tried, propertyState, facts, against, fixes }
}

/** `portal_url`: the base URL of guests' pages. */
export async function subjectOf(
  scope: Scope,
  subject: Subject,
  { portal_url }: { portal_url: string },
): Promise<HelpSubject> {
  const { known, propertyState, facts, ...verdict } = await verdictOn(scope, subject)
  const { kind, id, name, detail, property, room, voucher } = known
  const isUnknown = verdict.against.some(({ reason }) => reason === 'unknown_user')
  return {
    ...verdict,
    kind,
    id,
    name,
    detail,
    property,
    room,
    package: voucher?.package_name ?? (await packageOf(scope, facts?.package_id ?? null)),
    sentence: verdict.against[0]?.message ?? presentState(helpIn(scope.language), kind, verdict.devices),
    meant: isUnknown ? await meantBy(scope, known) : [],
    left: guestLeft(known, facts),
    used: known.stay?.stay_id == null ? await usedBy(scope, known.holder) : await usedInStay(scope, known.stay.stay_id),
    others: propertyState?.others ?? null,
    stay: known.stay && { ...shownStay(known.stay), ...(await sourcesOf(scope, [known.stay.id]))(known.stay.id) },
    tell: await instructionsOf(scope, known, portal_url),
    seen: kind === 'device' && property !== null ? await seenLately(scope, property.id) : [],
  }
}

/** Addresses that belong to no known device there, the latest first. */
const seenLately = (scope: Scope, property_id: number) =>
  scope.run(sql<HelpSubject['seen'][number]>`
    select t.mac_address::text as mac_address, max(t.created_at) as tried_at from radius_authorisations as t
    where t.property_id = ${property_id} and not t.accepted and t.created_at > now() - interval '1 hour'
      and t.mac_address is not null and num_nonnulls(t.account_id, t.voucher_id, t.device_id, t.guest_id) = 0
      and not exists (select from devices as d where d.customer_id = t.customer_id and d.property_id = t.property_id
        and d.mac_address = t.mac_address and d.deleted_at is null)
      and ${scope.inReach('radius_authorisations', 't')}
    group by t.mac_address order by max(t.created_at) desc limit ${seen_max}`)

function presentState(say: SayHelp, kind: GuestRecord['kind'], devices: HelpSubject['devices']) {
  const online = devices.filter(({ session_id }) => session_id !== null).length
  // A television is not the guest.
  if (kind === 'device') return say(online === 0 ? 'now.device-offline' : 'now.device-online')
  return online === 0 ? say('now.offline') : say('now.online', { count: online })
}

/** People at that property with a similarly spelt name. */
async function meantBy(scope: Scope, { name, property, kind }: GuestRecord) {
  if (kind !== 'attempt') return []
  const found = await candidates(scope, { typed: name, property_id: property?.id ?? null })
  return found.candidates.filter((one) => one.kind !== 'attempt')
}

async function packageOf(scope: Scope, id: number | null): Promise<string | null> {
  const [found] = await scope.run(sql<ColumnsOf<'packages', 'name'>>`
    select t.name from packages as t where t.id = ${id} and ${scope.inReach('packages', 't')}`)
  return found?.name ?? null
}

/** Devices online first, then remembered ones, the last seen first. */
async function devicesOf(scope: Scope, { holder }: GuestRecord): Promise<HelpSubject['devices']> {
  if (holder === null) return []
  const mine = sql`t.${sql.ref(columnOf(holder))} = ${holder.id}`
  const remembered =
    holder.kind === 'device'
      ? sql``
      : sql`union all select t.mac_address, null, t.last_seen_at from guest_devices as t
          where ${mine} and ${scope.inReach('guest_devices', 't')}`
  const rows = await scope.run(sql<Omit<HelpSubject['devices'][number], 'randomised'>>`
    select d.mac_address::text as mac_address, max(d.session_id) as session_id, max(d.seen_at) as seen_at from (
      select t.mac_address, t.id as session_id, t.last_seen_at as seen_at from radius_sessions as t
      where ${mine} and t.stopped_at is null and t.mac_address is not null and ${scope.inReach('radius_sessions', 't')}
      ${remembered}) as d
    group by d.mac_address order by max(d.session_id) is null, max(d.seen_at) desc limit ${devices_max}`)
  return rows.map((row) => ({ ...row, randomised: isRandomised(row.mac_address) }))
}

/** Their attempts, and unmatched ones that typed their identifier or came from their device. */
async function attemptsOf(scope: Scope, known: GuestRecord, theirs: string[]): Promise<HelpSubject['attempts']> {
  const { holder, typed, mac_address } = known
  const macs = [...theirs, ...(mac_address === null ? [] : [mac_address])]
  const ofRoom = known.kind === 'stay' ? roomIn(known) : null
  const needles = ofRoom === null ? typed : [ofRoom]
  const searched = await Promise.all(needles.map((text) => scope.search('radius_authorisations', text, 50)))
  const reach = sql`${scope.inReach('radius_authorisations', 't')}`
  const nobodys = sql`num_nonnulls(t.account_id, t.voucher_id, t.device_id, t.guest_id) = 0`
  const mine = holder === null ? sql`false` : sql`t.${sql.ref(columnOf(holder))} = ${holder.id}`
  const id = known.kind === 'attempt' ? known.id : null
  const tries = await scope.run(sql<HelpSubject['attempts'][number]>`
    with found as (
      (select t.id from radius_authorisations as t where ${mine} and not t.accepted and ${reach}
        order by t.id desc limit ${attempts_max})
      union (select t.id from radius_authorisations as t where t.mac_address = any(${macs}::macaddr[])
        and (${mine} or ${nobodys}) and ${reach} order by t.created_at desc limit ${attempts_max})
      union (select t.id from radius_authorisations as t where t.id = any(${searched.flat()})
        and (lower(btrim(t.identifier)) = any(${typed.map((text) => text.trim().toLowerCase())})
          or starts_with(lower(t.identifier), ${ofRoom}))
        and ${nobodys} and ${reach}
        order by t.id desc limit ${attempts_max})
      union (select t.id from radius_authorisations as t where t.id = ${id} and ${reach}))
    select ${columnsOf(scope, attempts, SignInAttemptRow)} from radius_authorisations as t
    where t.id in (select f.id from found as f) and ${reach} order by t.created_at desc, t.id desc limit ${attempts_max}`)
  const say = helpIn(scope.language)
  return (await withShownCodes(scope, 'radius_authorisations', tries)).map((one) => ({
    ...one,
    message: say(`try.${one.reason}`),
  }))
}
