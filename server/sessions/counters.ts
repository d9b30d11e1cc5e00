// Counters: the totals of one session's reports. Counters are absolute and only grow, so that reports may come twice, late or in
// any order: whatever the order, the same reports give the same session and the same part for each day.
import type { SessionRecord } from '#server/sessions/record.ts'

/** Online time in seconds, bytes up, bytes down. */
export type Counters = [seconds: number, up: number, down: number]

export interface SessionState {
  /** Moments are milliseconds since 1970. */
  started_at: number
  last_seen_at: number
  stopped_at: number | null
  termination_cause: string | null
  /** Its end was not reported: it fell silent, or its gateway restarted. */
  stop_inferred: boolean
  /** Why we asked for its end, if we did. */
  disconnect_for: string | null
  seconds: number
  bytes_up: number
  bytes_down: number
  /** The highest counters reported on each local day. */
  days: Record<string, Counters>
}

/** Where a counter without an upper half wraps. */
const wraps_at = 2 ** 32

interface Circumstances {
  /** The local day of a moment. */
  dayOf: (at: number) => string
  /** When the gateway last restarted: its sessions of that time have ended. */
  restarted_at: number | null
}

/** With Acct-Session-Time the beginning is known, whichever report comes first. */
export const beganAt = ({
  at,
  seconds,
  not_before = -Infinity,
}: Pick<SessionRecord, 'at' | 'seconds' | 'not_before'>) => Math.max(at - (seconds ?? 0) * 1000, not_before)

export function newSession(record: SessionRecord, circumstances: Circumstances): SessionState {
  const began_at = beganAt(record)
  const empty: SessionState = {
    started_at: began_at,
    last_seen_at: began_at,
    stopped_at: null,
    termination_cause: null,
    stop_inferred: false,
    disconnect_for: null,
    seconds: 0,
    bytes_up: 0,
    bytes_down: 0,
    days: {},
  }
  return withRecord(empty, record, circumstances)
}

export function withRecord(
  session: SessionState,
  record: SessionRecord,
  { dayOf, restarted_at }: Circumstances,
): SessionState {
  const isNews = record.at > session.last_seen_at
  const isNewest = (record.seconds ?? 0) > session.seconds
  const counters: Counters = [
    record.seconds ?? 0,
    counted(session.bytes_up, record.bytes_up, record.up_is_whole || !isNewest),
    counted(session.bytes_down, record.bytes_down, record.down_is_whole || !isNewest),
  ]
  const [seconds, bytes_up, bytes_down] = highest([session.seconds, session.bytes_up, session.bytes_down], counters)
  const day = dayOf(record.at)
  const seen: SessionState = {
    ...session,
    started_at: Math.min(session.started_at, beganAt(record)),
    last_seen_at: Math.max(session.last_seen_at, record.at),
    seconds,
    bytes_up,
    bytes_down,
    days: { ...session.days, [day]: highest(session.days[day] ?? [0, 0, 0], counters) },
  }
  if (record.kind === 'stop') return stopped(seen, record)
  const isStopped = seen.stopped_at !== null && !seen.stop_inferred
  if (isStopped || (seen.stop_inferred && !isNews)) return inferredAtLastReport(seen)
  return afterRestart({ ...seen, stopped_at: null, stop_inferred: false, termination_cause: null }, restarted_at)
}

/** Ends a session whose gateway restarted after its last report. */
export function afterRestart(session: SessionState, restarted_at: number | null): SessionState {
  if (session.stopped_at !== null || restarted_at === null || session.last_seen_at > restarted_at) return session
  return inferredEnd(session, 'NAS-Reboot')
}

/** An end that was not reported for this session, but follows from another report. */
export const inferredEnd = (session: SessionState, termination_cause: string): SessionState =>
  inferredAtLastReport({ ...session, stopped_at: 0, stop_inferred: true, termination_cause })

const inferredAtLastReport = (session: SessionState): SessionState =>
  session.stop_inferred ? { ...session, stopped_at: session.last_seen_at } : session

/** If several ends are reported, the first one counts. */
function stopped(session: SessionState, { at, cause: reported }: SessionRecord): SessionState {
  const cause = session.disconnect_for !== null && causes_when_asked.has(reported) ? session.disconnect_for : reported
  const isFirst = session.stopped_at === null || session.stop_inferred || at < session.stopped_at
  const isAccepted = isFirst || (at === session.stopped_at && cause < (session.termination_cause ?? cause))
  return isAccepted ? { ...session, stopped_at: at, stop_inferred: false, termination_cause: cause } : session
}

/** Causes that gateways report when they have ended a session because we asked. */
const causes_when_asked = new Set(['Admin-Reset', 'NAS-Request', 'Session-Timeout', 'Unknown'])

const highest = (one: Counters, other: Counters): Counters => [
  Math.max(one[0], other[0]),
  Math.max(one[1], other[1]),
  Math.max(one[2], other[2]),
]

/**
 * A counter without its upper half wraps at 4 GiB on simple gateways, which shows when a later report has a far smaller value. A
 * counter that falls by less was read anew or set back, and one that is not given says nothing.
 * @param isExact it is whole, or no later report than those before
 */
function counted(kept: number, reported: number | null, isExact: boolean): number {
  if (reported === null) return 0
  if (isExact) return reported
  const rounds = Math.floor(kept / wraps_at) * wraps_at
  const total = rounds + reported
  return kept - total > wraps_at / 2 ? total + wraps_at : Math.max(reported, total)
}

/** What a session adds to the sums of one day. */
export interface DayPart {
  sessions: number
  seconds: number
  bytes_up: number
  bytes_down: number
}

/** A day's part is how much the counters grew on it, beyond their values of the day before. */
export function partsOf(session: SessionState, dayOf: (at: number) => string): Map<string, DayPart> {
  const parts = new Map<string, DayPart>()
  let before: Counters = [0, 0, 0]
  for (const day of Object.keys(session.days).toSorted()) {
    const until = highest(before, session.days[day] ?? before)
    const [seconds, bytes_up, bytes_down] = [until[0] - before[0], until[1] - before[1], until[2] - before[2]]
    parts.set(day, { sessions: 0, seconds, bytes_up, bytes_down })
    before = until
  }
  const first = dayOf(session.started_at)
  parts.set(first, { ...(parts.get(first) ?? nothing), sessions: 1 })
  return parts
}
const nothing: DayPart = { sessions: 0, seconds: 0, bytes_up: 0, bytes_down: 0 }
