// Keep records: stores what a gateway reports, and with it the sums that allowances and reports are read from, all in one
// transaction. Records of one gateway come here one batch after the other, on whichever node.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { columnsOf } from '#server/admission/holders.ts'
import { holderIn } from '#server/admission/passes.ts'
import type { SessionRecord, AccountingRecord } from '#server/radius/accounting-record.ts'
import type { Gateway } from '#server/radius/gateways.ts'
import { rollUp } from '#server/radius/roll-ups.ts'
import { afterRestart, beganAt, localDay, newSession, withRecord } from '#server/radius/session-counters.ts'
import type { Change, Session } from '#server/radius/session.ts'
import { holdersOf } from '#server/radius/session-holders.ts'

/** In a scope of the gateway. Answers what became of the sessions that the records are about. */
export async function keepRecords(scope: Scope, gateway: Gateway, records: AccountingRecord[]): Promise<Change[]> {
  const reports = records.filter((record) => record.kind !== 'restart')
  const restarts = records.filter(({ kind }) => kind === 'restart').map(({ at }) => at)
  const [restarted_at, kept] = await lockedSessions(scope, gateway, reports)
  const dayOf = localDay(gateway.time_zone)
  const began_anew = restarts.length > 0 ? Math.max(...restarts, restarted_at ?? 0) : restarted_at
  const circumstances = { dayOf, restarted_at: began_anew }

  const unknown = reports.filter(({ session_key }) => !kept.has(session_key))
  const holders = unknown.length > 0 ? await holdersOf(scope, gateway, unknown) : null
  const changes = new Map<string, Change>()
  for (const report of reports) {
    const generations = kept.get(report.session_key) ?? []
    const known = generationOf(generations, report)
    const session: Session = known
      ? { ...known, ...withRecord(known, report, circumstances), ip: report.ip ?? known.ip }
      : {
          ...newSession(report, circumstances),
          ...(holders ?? (await holdersOf(scope, gateway, [report])))(report),
          id: null,
          generation: generations.length + 1,
          session_key: report.session_key,
          acct_session_id: report.acct_session_id,
          username: report.username,
          mac_address: report.mac_address,
          ip: report.ip,
        }
    kept.set(report.session_key, [...generations.filter((one) => one !== known), session])
    const key = `${session.session_key} ${session.generation}`
    const before = changes.has(key) ? changes.get(key)?.before : known
    changes.set(key, { before: before ?? null, after: session })
  }
  if (began_anew !== restarted_at && began_anew !== null)
    for (const open of await openSince(scope, gateway, began_anew)) {
      const key = `${open.session_key} ${open.generation}`
      if (!changes.has(key)) changes.set(key, { before: open, after: { ...open, ...afterRestart(open, began_anew) } })
    }
  const all = [...changes.values()]
  await Promise.all([
    ...(began_anew === restarted_at
      ? []
      : [scope.change('gateways', [gateway.id], { restarted_at: moment(began_anew) })]),
    insertNew(
      scope,
      gateway,
      all.map(({ after }) => after),
    ),
    updateKnown(
      scope,
      all.map(({ after }) => after),
    ),
    rollUp(scope, gateway, all),
  ])
  return all
}

const milliseconds = (name: string) =>
  sql`(extract(epoch from ${sql.ref(`t.${name}`)}) * 1000)::float8 as ${sql.ref(name)}`
const moment = (at: number | null) =>
  at === null ? null : sql`timestamptz 'epoch' + ${at}::float8 * interval '1 millisecond'`

const columns = sql`
  t.id, t.session_key, t.generation, t.acct_session_id, t.username, t.mac_address::text, host(t.ip) as ip,
  t.authorisation_id, t.auth_method_id, t.package_id, t.account_id, t.voucher_id, t.device_id, t.guest_id, t.identifier,
  t.group_id, t.mac_category_id, t.stop_inferred, t.termination_cause, t.disconnect_for, t.days,
  t.seconds, t.bytes_up, t.bytes_down, ${milliseconds('started_at')}, ${milliseconds('last_seen_at')},
  ${milliseconds('stopped_at')}, ${milliseconds('ends_at')}`

/** Holds the gateway until the transaction ends; the sessions are read when it is held. */
async function lockedSessions(scope: Scope, gateway: Gateway, reports: SessionRecord[]) {
  const keys = [...new Set(reports.map(({ session_key }) => session_key))]
  const [[held], sessions] = await Promise.all([
    scope.run(sql<{ restarted_at: number | null }>`
      select ${milliseconds('restarted_at')} from gateways as t
      where t.id = ${gateway.id} and ${scope.inReach('gateways', 't')} for no key update`),
    scope.run(sql<Session>`
      select ${columns} from radius_sessions as t
      where t.gateway_id = ${gateway.id} and t.session_key = any(${keys}) and ${scope.inReach('radius_sessions', 't')}
      order by t.generation for no key update`),
  ])
  return [held?.restarted_at ?? null, Map.groupBy(sessions, ({ session_key }) => session_key)] as const
}

const openSince = (scope: Scope, gateway: Gateway, restarted_at: number) =>
  scope.run(sql<Session>`
    select ${columns} from radius_sessions as t
    where t.property_id = ${gateway.property_id} and t.gateway_id = ${gateway.id} and t.stopped_at is null
      and t.last_seen_at <= ${moment(restarted_at)} and ${scope.inReach('radius_sessions', 't')} for no key update`)

/** Two beginnings that are further apart are two sessions: a gateway may count its ids from 1 again. */
const same_beginning_ms = 5 * 60_000

/** Where the gateway repeats our own number, there is only one of each key. */
function generationOf(generations: Session[], report: SessionRecord): Session | undefined {
  if (report.authorisation_id !== null) return generations[0]
  const began_at = beganAt(report)
  const byDistance = generations.toSorted(
    (one, other) => Math.abs(one.started_at - began_at) - Math.abs(other.started_at - began_at),
  )
  if (report.seconds === null && report.kind !== 'start')
    return byDistance.find(({ started_at }) => started_at <= report.at + same_beginning_ms)
  return byDistance.find(({ started_at }) => Math.abs(started_at - began_at) <= same_beginning_ms)
}

async function insertNew(scope: Scope, gateway: Gateway, sessions: Session[]) {
  const rows = sessions.filter(({ id }) => id === null)
  await scope.insertMany(
    'radius_sessions',
    rows.map(({ id: _id, ...session }) => ({
      ...session,
      ...columnsOf(holderIn(session)),
      gateway_id: gateway.id,
      property_id: gateway.property_id,
      days: JSON.stringify(session.days),
      started_at: moment(session.started_at),
      last_seen_at: moment(session.last_seen_at),
      stopped_at: moment(session.stopped_at),
      ends_at: moment(session.ends_at),
    })),
  )
}

async function updateKnown(scope: Scope, sessions: Session[]) {
  const rows = sessions.filter(({ id }) => id !== null)
  if (rows.length === 0) return
  const time = (name: string) => sql`timestamptz 'epoch' + ${sql.ref(`d.${name}`)} * interval '1 millisecond'`
  await scope.run(sql`
    update radius_sessions as t set started_at = ${time('started_at')}, last_seen_at = ${time('last_seen_at')},
      stopped_at = ${time('stopped_at')}, stop_inferred = d.stop_inferred, termination_cause = d.termination_cause,
      seconds = d.seconds, bytes_up = d.bytes_up, bytes_down = d.bytes_down, days = d.days, ip = d.ip::inet
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d(id bigint, started_at float8, last_seen_at float8,
      stopped_at float8, stop_inferred boolean, termination_cause text, seconds bigint, bytes_up bigint, bytes_down bigint,
      days jsonb, ip text)
    where t.id = d.id and ${scope.inReach('radius_sessions', 't')}`)
}
