// Keep records: stores what the gateways of a property report, together with the sums that allowances and reports are read from, in
// one transaction. Records of one gateway are processed one batch after the other, whichever node receives them.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { bounded, earliestOf, since } from '#server/sessions/bounds.ts'
import { AddressLog, addressesAfter } from '#server/sessions/addresses.ts'
import { boxOf, type Place, type Reported, type SessionRecord } from '#server/sessions/record.ts'
import { readBoxes, type Boxes } from '#server/sessions/boxes.ts'
import { endedWith, generationOf, goesOn } from '#server/sessions/generations.ts'
import { rollUp } from '#server/sessions/roll-ups.ts'
import { afterRestart, inferredEnd, newSession, withRecord } from '#server/sessions/counters.ts'
import {
  counted,
  held,
  insertSessions,
  lockSessions,
  updateSessions,
  type SessionName,
} from '#server/sessions/session-rows.ts'
import type { SessionChange, Session } from '#server/sessions/session.ts'
import { hasNoHolder, holdersOf, maySignInByCode, type SessionHolder } from '#server/sessions/session-holders.ts'
import { usedUp, type StoredReports } from '#server/sessions/used-up.ts'
import { keptUserName } from '#server/vouchers/sign-in-names.ts'
import { localDays } from '#server/time/zones.ts'

/** In a scope of a gateway of the property. */
export async function storeReports(scope: Scope, place: Place, received: readonly Reported[]): Promise<StoredReports> {
  const [stored, kept] = await lockedSessions(scope, received)
  const { reported, boxes, changed, restarts } = readBoxes(stored, received)
  const reports = reported.filter(isReport).filter((report) => isOfGuest(report, kept))
  const dayOf = localDays(place.time_zone)
  await followNames(scope, reports, kept)

  const unknown = new Set(reports.filter((report) => !kept.has(keyOf(report))))
  const holders = unknown.size > 0 ? await holdersOf(scope, place, [...unknown]) : null
  /** Gateways rarely reuse an id, so its present holder is looked up separately. */
  const holderOf = async (report: Reported<SessionRecord>) =>
    (holders && unknown.has(report) ? holders : await holdersOf(scope, place, [report]))(report)
  const changes = new Map<string, SessionChange>()
  const addresses = new AddressLog(generationKeyOf)
  const note = (after: Session, before: Session | undefined) => {
    const key = generationKeyOf(after)
    changes.set(key, { before: changes.get(key) ? (changes.get(key)?.before ?? null) : (before ?? null), after })
  }
  for (const report of reports) {
    const { gateway_id } = report
    const generations = kept.get(keyOf(report)) ?? []
    const restarted_at = boxes.get(gateway_id)?.[report.record.box]?.restarted_at ?? null
    const earliest = earliestOf(report.record, generations)
    const found = generationOf(generations, bounded(report.record, earliest), restarted_at)
    const known = found && since({ ...found, ...(await detailsFrom(scope, found, report, holderOf)) }, dayOf)
    const holder = known ?? (await holderOf(report))
    const record = bounded(report.record, holder.accepted_at ?? earliest)
    const circumstances = { dayOf, restarted_at }
    const session: Session = known
      ? {
          ...known,
          ...withRecord(known, record, circumstances),
          ...addressesAfter(known, record),
        }
      : {
          ...newSession(record, circumstances),
          ...holder,
          id: null,
          gateway_id,
          generation: Math.max(0, ...generations.map(({ generation }) => generation)) + 1,
          session_key: record.session_key,
          acct_session_id: record.acct_session_id,
          username: userNameOf(scope, record, holder),
          mac_address: record.mac_address,
          calling_station: record.calling_station,
          box_session: record.box_session,
          reported_from: record.reported_from ?? null,
          ip: record.ip,
          ipv6: record.ipv6,
        }
    const others = record.kind === 'stop' ? endedWith(generations, found ?? session, record) : []
    const ended = others.map((one): Session => ({ ...one, ...inferredEnd(one, record.cause) }))
    const same = generations.filter((one) => one !== found && !others.includes(one))
    kept.set(keyOf(report), [...same, ...ended, session])
    note(session, found)
    addresses.note(found, session, record.at)
    for (const [n, one] of ended.entries()) note(one, others[n])
  }
  for (const { gateway_id, box, at } of restarts)
    for (const open of await openSince(scope, place, gateway_id, at)) {
      const key = generationKeyOf(open)
      if (!changes.has(key) && boxOf(open.session_key) === box)
        changes.set(key, { before: open, after: { ...open, ...afterRestart(open, at) } })
    }
  const all = [...changes.values()]
  const sessions = all.map(({ after }) => after)
  // Sent in this order, in one go: what is used up is read once the others are written.
  const [made, , , , spent] = await Promise.all([
    insertSessions(scope, place, sessions),
    updateSessions(scope, sessions, counted),
    updateSessions(
      scope,
      all.filter(isHolderChanged).map(({ after }) => after),
      held,
    ),
    rollUp(scope, place, all, dayOf),
    usedUp(scope, all),
    ...changed.map((id) => scope.change('gateways', [id], { boxes: JSON.stringify(boxes.get(id) ?? {}) })),
  ])
  const ids = new Map([...sessions, ...made].map((one) => [generationKeyOf(one), one.id ?? undefined]))
  await addresses.write(scope, place, (key) => ids.get(key))
  return { changes: all, spent }
}

/** What a later report adds to a session that began without it. */
async function detailsFrom(
  scope: Scope,
  known: Session,
  report: Reported<SessionRecord>,
  holderOf: (report: Reported<SessionRecord>) => Promise<SessionHolder>,
): Promise<Partial<Session>> {
  const { mac_address, authorisation_id, calling_station, box_session } = report.record
  const isNamed = authorisation_id !== null || (known.mac_address === null && mac_address !== null)
  const holder = hasNoHolder(known) && isNamed ? await holderOf(report) : {}
  return {
    ...holder,
    mac_address: known.mac_address ?? mac_address,
    calling_station: known.calling_station ?? calling_station,
    box_session: known.box_session ?? box_session,
    username: known.username ?? userNameOf(scope, report.record, { ...known, ...holder }),
  }
}

const userNameOf = (scope: Scope, { username, mac_address }: SessionRecord, holder: SessionHolder) =>
  username !== null && maySignInByCode(holder) ? keptUserName(scope, username, mac_address) : username

/** A device that may open the portal alone has no session here; but the end of one that was a guest's is an end, however it is told. */
const isOfGuest = (report: Reported<SessionRecord>, kept: ReadonlyMap<string, unknown>) =>
  !report.record.is_limited || (report.record.kind === 'stop' && kept.has(keyOf(report)))

const isReport = (one: Reported): one is Reported<SessionRecord> => one.record.kind !== 'restart'
const nameOf = ({ gateway_id, session_key }: Pick<Session, 'gateway_id' | 'session_key'>) =>
  `${gateway_id} ${session_key}`
const keyOf = ({ gateway_id, record: { session_key } }: Reported<SessionRecord>) => nameOf({ gateway_id, session_key })
const generationKeyOf = ({ gateway_id, session_key, generation }: SessionName) =>
  `${gateway_id} ${session_key} ${generation}`

/**
 * Locks the gateways until the transaction ends, then reads and locks the sessions. Returns both, the sessions by their key.
 * Sessions that a restart ends are locked together with them, in one order.
 */
async function lockedSessions(scope: Scope, reported: readonly Reported[]) {
  const gateway_ids = [...new Set(reported.map(({ gateway_id }) => gateway_id))]
  const keys = [...new Set(reported.filter(isReport).map(({ record }) => record.session_key))]
  const restarted = reported.filter(({ record }) => record.kind === 'restart').map(({ gateway_id }) => gateway_id)
  const [locked, , sessions] = await Promise.all([
    scope.run(sql<{ id: number; boxes: Boxes }>`
      select t.id, t.boxes from gateways as t
      where t.id = any(${gateway_ids}) and ${scope.inReach('gateways', 't')} order by t.id for no key update`),
    restarted.length === 0
      ? []
      : scope.lock(
          'radius_sessions',
          sql`t.gateway_id = any(${gateway_ids})
            and (t.session_key = any(${keys}) or t.gateway_id = any(${restarted}) and t.stopped_at is null)`,
        ),
    lockSessions(scope, sql`t.gateway_id = any(${gateway_ids}) and t.session_key = any(${keys})`),
  ])
  const boxes = new Map(locked.map((one) => [one.id, one.boxes]))
  return [boxes, Map.groupBy(sessions, nameOf)] as const
}

/** A box that gets another name goes on with the sessions that it has: they are kept by the name by which it reports them now. */
async function followNames(scope: Scope, reports: readonly Reported<SessionRecord>[], kept: Map<string, Session[]>) {
  const unknown = reports.filter((report) => !kept.has(keyOf(report)) && report.record.kind !== 'start')
  if (unknown.length === 0) return
  const open = await lockSessions(
    scope,
    sql`t.gateway_id = any(${unknown.map(({ gateway_id }) => gateway_id)}) and t.stopped_at is null
      and t.mac_address = any(${unknown.map(({ record }) => record.mac_address)}::macaddr[])
      and t.acct_session_id = any(${unknown.map(({ record }) => record.acct_session_id)})`,
  )
  for (const report of unknown) {
    const { gateway_id, record } = report
    const session = open.find(
      (one) =>
        one.gateway_id === gateway_id &&
        one.acct_session_id === record.acct_session_id &&
        (record.authorisation_id === null || record.authorisation_id === one.authorisation_id) &&
        !kept.has(nameOf(one)) &&
        goesOn(one, record),
    )
    if (!session || session.id === null) continue
    const renamed = { session_key: record.session_key, generation: 1 }
    await scope.change('radius_sessions', [session.id], renamed)
    Object.assign(session, renamed)
    kept.set(keyOf(report), [session])
  }
}

const openSince = (scope: Scope, place: Place, gateway_id: number, restarted_at: number) =>
  lockSessions(
    scope,
    sql`t.property_id = ${place.property_id} and t.gateway_id = ${gateway_id} and t.stopped_at is null
      and t.last_seen_at <= timestamptz 'epoch' + ${restarted_at}::float8 * interval '1 millisecond'`,
  )

const isHolderChanged = ({ before, after }: SessionChange) =>
  before !== null &&
  (before.mac_address !== after.mac_address ||
    before.calling_station !== after.calling_station ||
    before.box_session !== after.box_session ||
    before.username !== after.username ||
    (hasNoHolder(before) && !hasNoHolder(after)))

/** All of the session counts for that package from now on, as where the holder becomes known late. Its gateway must be locked. */
export async function moveToPackage(scope: Scope, place: Place, id: number, package_id: number | null) {
  const [before] = await lockSessions(scope, sql`t.id = ${id}`)
  if (!before) return
  const moved = { before, after: { ...before, package_id } }
  await Promise.all([
    scope.change('radius_sessions', [id], { package_id }),
    rollUp(scope, place, [moved], localDays(place.time_zone)),
  ])
}
