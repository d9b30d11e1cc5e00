// Bounds: how much a report may claim. A gateway's counters go wrong (a clock that was set makes -1 of a session's time, which is
// 4294967295), so each is held against what we know ourselves: when the device was let in, and how fast a link can be.
import { age_max_ms, slack_ms } from '#server/sessions/box-clock.ts'
import type { SessionRecord } from '#server/sessions/record.ts'
import type { Session } from '#server/sessions/session.ts'

/** 10 Gbit/s: faster than any guest's link. */
const bytes_per_ms_max = 1_250_000
/** A counter is read a little before or after its time. */
const volume_slack_ms = 60_000

type Known = Pick<Session, 'authorisation_id' | 'accepted_at' | 'started_at' | 'last_seen_at'>

/**
 * The earliest moment that the report can reach back to: the Accept that its Class names, where it is known; else seven days, or the
 * beginning of a session that has been reported since.
 * @param known the sessions with its key
 */
export function earliestOf({ at, authorisation_id }: SessionRecord, known: readonly Known[]): number {
  const named = known.find((one) => one.authorisation_id !== null && one.authorisation_id === authorisation_id)
  if (named?.accepted_at != null) return named.accepted_at
  const oldest = at - age_max_ms
  return Math.min(oldest, ...known.flatMap((one) => (one.last_seen_at >= oldest ? [one.started_at] : [])))
}

/**
 * The report as far as it is possible. A time online that reaches further back is cut off there; a volume that no link carries says
 * nothing, so what is known of it stays.
 */
export function bounded(record: SessionRecord, earliest: number): SessionRecord {
  const { received_at, seconds, bytes_up, bytes_down } = record
  const since = Math.min(earliest, received_at)
  const online_ms = (seconds ?? 0) * 1000
  const isPossible = online_ms <= received_at - since + slack_ms
  // Somebody who was online for so long since the Accept cannot have reported it earlier.
  const at = Math.min(received_at, Math.max(record.at, since + (isPossible ? online_ms : 0)))
  const longest_ms = at - since
  const volume_max = (longest_ms + volume_slack_ms) * bytes_per_ms_max
  const possible = (bytes: number | null) => (bytes === null || bytes > volume_max ? null : bytes)
  return {
    ...record,
    at,
    not_before: since,
    seconds: seconds === null || online_ms <= longest_ms + slack_ms ? seconds : Math.floor(longest_ms / 1000),
    bytes_up: possible(bytes_up),
    bytes_down: possible(bytes_down),
  }
}

/** A session whose Accept has only now become known: what it was thought to have before that is not its own. */
export function since(session: Session, dayOf: (at: number) => string): Session {
  const { accepted_at } = session
  if (accepted_at === null || accepted_at <= session.started_at) return session
  const later = (moment: number) => Math.max(moment, accepted_at)
  const last_seen_at = later(session.last_seen_at)
  const seconds_max = Math.floor((last_seen_at - accepted_at + slack_ms) / 1000)
  const first = dayOf(accepted_at)
  const days: Session['days'] = {}
  for (const day of Object.keys(session.days).toSorted()) {
    const [seconds, up, down] = session.days[day] ?? [0, 0, 0]
    const kept = day < first ? first : day
    const [had_s, had_up, had_down] = days[kept] ?? [0, 0, 0]
    const online_s = Math.min(seconds, seconds_max)
    days[kept] = [Math.max(had_s, online_s), Math.max(had_up, up), Math.max(had_down, down)]
  }
  return {
    ...session,
    started_at: accepted_at,
    last_seen_at,
    stopped_at: session.stopped_at === null ? null : later(session.stopped_at),
    seconds: Math.min(session.seconds, seconds_max),
    days,
  }
}
