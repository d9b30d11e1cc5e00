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
import type { Change, Session } from '#server/sessions/session.ts'
import { hasNoHolder, holdersOf, maySignInByCode, type SessionHolder } from '#server/sessions/session-holders.ts'
import { keptUserName } from '#server/vouchers/sign-in-names.ts'
import { localDay } from '#server/time/zones.ts'

/** In a scope of a gateway of the property. Returns the changes of the sessions that the records are about. */
export async function storeReports(scope: Scope, place: Place, received: readonly Reported[]): Promise<Change[]> {
  const [stored, kept] = await lockedSessions(scope, received)
  const { reported, boxes, changed, restarts } = readBoxes(stored, received)
  const reports = reported.filter(isReport).filter((report) => isOfGuest(report, kept))
  const dayOf = (at: number) => localDay(at, place.time_zone)
  await followNames(scope, reports, kept)

  const unknown = new Set(reports.filter((report) => !kept.has(keyOf(report))))
  const holders = unknown.size > 0 ? await holdersOf(scope, place, [...unknown]) : null
  /** Gateways rarely reuse an id, so its present holder is looked up separately. */
  const holderOf = async (report: Reported<SessionRecord>) =>
    (holders && unknown.has(report) ? holders : await holdersOf(scope, place, [report]))(report)
  const changes = new Map<string, Change>()
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
  const [made] = await Promise.all([
    insertNew(scope, place, sessions),
    ...changed.map((id) => scope.change('gateways', [id], { boxes: JSON.stringify(boxes.get(id) ?? {}) })),
    updateKnown(scope, sessions),
    updateHolders(scope, all),
    rollUp(scope, place, all),
  ])
  const ids = new Map([...sessions, ...made].map((one) => [generationKeyOf(one), one.id ?? undefined]))
  await addresses.write(scope, place, (key) => ids.get(key))
  return all
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
type SessionName = Pick<Session, 'id' | 'gateway_id' | 'session_key' | 'generation'>
const generationKeyOf = ({ gateway_id, session_key, generation }: SessionName) =>
  `${gateway_id} ${session_key} ${generation}`

const milliseconds = (name: string) =>
  sql`(extract(epoch from ${sql.ref(`t.${name}`)}) * 1000)::float8 as ${sql.ref(name)}`
const moment = (at: number | null) =>
  at === null ? null : sql`timestamptz 'epoch' + ${at}::float8 * interval '1 millisecond'`

const columns = sql`
  t.id, t.gateway_id, t.session_key, t.generation, t.acct_session_id, t.username, t.mac_address::text, t.calling_station,
  t.box_session, host(t.reported_from) as reported_from, host(t.ip) as ip, t.ipv6,
  t.authorisation_id, t.auth_method_id, t.package_id, t.account_id, t.voucher_id, t.device_id, t.guest_id, t.identifier,
  t.group_id, t.mac_category_id, t.stop_inferred, t.termination_cause, t.disconnect_for, t.days,
  t.seconds, t.bytes_up, t.bytes_down, ${milliseconds('started_at')}, ${milliseconds('last_seen_at')},
  ${milliseconds('stopped_at')}, ${milliseconds('ends_at')},
  ${milliseconds('accepted_at')}`

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
    scope.run(sql<Session>`
      select ${columns} from radius_sessions as t
      where t.gateway_id = any(${gateway_ids}) and t.session_key = any(${keys}) and ${scope.inReach('radius_sessions', 't')}
      order by t.id for no key update`),
  ])
  const boxes = new Map(locked.map((one) => [one.id, one.boxes]))
  return [boxes, Map.groupBy(sessions, nameOf)] as const
}

/** A box that gets another name goes on with the sessions that it has: they are kept by the name by which it reports them now. */
async function followNames(scope: Scope, reports: readonly Reported<SessionRecord>[], kept: Map<string, Session[]>) {
  const unknown = reports.filter((report) => !kept.has(keyOf(report)) && report.record.kind !== 'start')
  if (unknown.length === 0) return
  const open = await scope.run(sql<Session>`
    select ${columns} from radius_sessions as t
    where t.gateway_id = any(${unknown.map(({ gateway_id }) => gateway_id)}) and t.stopped_at is null
      and t.mac_address = any(${unknown.map(({ record }) => record.mac_address)}::macaddr[])
      and t.acct_session_id = any(${unknown.map(({ record }) => record.acct_session_id)})
      and ${scope.inReach('radius_sessions', 't')}
    order by t.id for no key update`)
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
  scope.run(sql<Session>`
    select ${columns} from radius_sessions as t
    where t.property_id = ${place.property_id} and t.gateway_id = ${gateway_id} and t.stopped_at is null
      and t.last_seen_at <= ${moment(restarted_at)} and ${scope.inReach('radius_sessions', 't')}
      order by t.id for no key update`)

const time = (name: string) => sql`timestamptz 'epoch' + ${sql.ref(`d.${name}`)} * interval '1 millisecond'`
/** Kept as long as its gateway may be asked something about it. */
const reported_from = sql`case when d.stopped_at is null then d.reported_from::inet end`

async function insertNew(scope: Scope, { property_id }: Place, sessions: Session[]): Promise<SessionName[]> {
  const rows = sessions.filter(({ id }) => id === null)
  if (rows.length === 0) return []
  return scope.run(sql<SessionName>`
    insert into radius_sessions (customer_id, property_id, started_at, last_seen_at, stopped_at, ends_at, accepted_at, ip, ipv6,
      reported_from, gateway_id, session_key, generation, acct_session_id, username, mac_address, calling_station, box_session,
      authorisation_id,
      auth_method_id, package_id, account_id, voucher_id, device_id, guest_id, identifier, group_id, mac_category_id, stop_inferred,
      termination_cause, disconnect_for, seconds, bytes_up, bytes_down, days)
    select ${scope.customer_id}, ${property_id}, ${time('started_at')}, ${time('last_seen_at')}, ${time('stopped_at')},
      ${time('ends_at')}, ${time('accepted_at')}, d.ip::inet, d.ipv6,
      ${reported_from}, d.gateway_id, d.session_key, d.generation, d.acct_session_id, d.username, d.mac_address, d.calling_station,
       d.box_session, d.authorisation_id, d.auth_method_id,
      d.package_id, d.account_id, d.voucher_id, d.device_id, d.guest_id, d.identifier, d.group_id, d.mac_category_id, d.stop_inferred,
      d.termination_cause, d.disconnect_for, d.seconds, d.bytes_up, d.bytes_down, d.days
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d(started_at float8, last_seen_at float8, stopped_at float8,
      ends_at float8, accepted_at float8, ip text, ipv6 text[], reported_from text, gateway_id integer, session_key text,
        generation integer,
        acct_session_id text, username text,
      mac_address macaddr, calling_station text, box_session text, authorisation_id bigint, auth_method_id integer,
      package_id integer, account_id integer,
      voucher_id bigint, device_id integer, guest_id bigint, identifier text, group_id integer, mac_category_id integer,
      stop_inferred boolean, termination_cause text, disconnect_for text, seconds bigint, bytes_up bigint, bytes_down bigint,
      days jsonb)
    returning id, gateway_id, session_key, generation`)
}

/** Selected by id: with the join alone, all sessions of a small customer would be read. */
async function updateKnown(scope: Scope, sessions: Session[]) {
  const rows = sessions.filter(({ id }) => id !== null)
  if (rows.length === 0) return
  await scope.run(sql`
    update radius_sessions as t set started_at = ${time('started_at')}, last_seen_at = ${time('last_seen_at')},
      stopped_at = ${time('stopped_at')}, stop_inferred = d.stop_inferred, termination_cause = d.termination_cause,
      seconds = d.seconds, bytes_up = d.bytes_up, bytes_down = d.bytes_down, days = d.days, ip = d.ip::inet, ipv6 = d.ipv6,
      reported_from = ${reported_from}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d(id bigint, started_at float8, last_seen_at float8,
      stopped_at float8, stop_inferred boolean, termination_cause text, seconds bigint, bytes_up bigint, bytes_down bigint,
      days jsonb, ip text, ipv6 text[], reported_from text)
    where t.id = any(${rows.map(({ id }) => id)}) and t.id = d.id and ${scope.inReach('radius_sessions', 't')}`)
}

/** Separate from the counters: these columns have indexes, and change once at most. */
async function updateHolders(scope: Scope, changes: Change[]) {
  const rows = changes
    .filter(({ before, after }) => before !== null && after.id !== null && isHolderChanged(before, after))
    .map(({ after }) => after)
  if (rows.length === 0) return
  await scope.run(sql`
    update radius_sessions as t set mac_address = d.mac_address, calling_station = d.calling_station,
      box_session = d.box_session, username = d.username, authorisation_id = d.authorisation_id,
      auth_method_id = d.auth_method_id, package_id = d.package_id, account_id = d.account_id, voucher_id = d.voucher_id,
      device_id = d.device_id, guest_id = d.guest_id, identifier = d.identifier, group_id = d.group_id,
      mac_category_id = d.mac_category_id, ends_at = ${time('ends_at')}, accepted_at = ${time('accepted_at')}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d(id bigint, mac_address macaddr, calling_station text, box_session text,
      username text,
      authorisation_id bigint, auth_method_id integer, package_id integer, account_id integer, voucher_id bigint,
      device_id integer, guest_id bigint, identifier text, group_id integer, mac_category_id integer, ends_at float8,
      accepted_at float8)
    where t.id = any(${rows.map(({ id }) => id)}) and t.id = d.id and ${scope.inReach('radius_sessions', 't')}`)
}

const isHolderChanged = (before: Session, after: Session) =>
  before.mac_address !== after.mac_address ||
  before.calling_station !== after.calling_station ||
  before.box_session !== after.box_session ||
  before.username !== after.username ||
  (hasNoHolder(before) && !hasNoHolder(after))

/** All of the session counts for that package from now on, as where the holder becomes known late. Its gateway must be locked. */
export async function moveToPackage(scope: Scope, place: Place, id: number, package_id: number | null) {
  const [before] = await scope.run(sql<Session>`
    select ${columns} from radius_sessions as t where t.id = ${id} and ${scope.inReach('radius_sessions', 't')}
    for no key update`)
  if (!before) return
  const moved = { before, after: { ...before, package_id } }
  await Promise.all([scope.change('radius_sessions', [id], { package_id }), rollUp(scope, place, [moved])])
}
