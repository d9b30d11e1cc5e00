// Generations: which session a report belongs to. Gateways count their session ids from 1 again after a restart, some for each
// device, and leave out or change any other attribute; reports come late, twice and in any order.
import type { SessionRecord } from '#server/sessions/record.ts'
import { beganAt } from '#server/sessions/counters.ts'
import type { Session } from '#server/sessions/session.ts'

/** Beginnings this close are the same one: the delays of reports vary. */
const same_beginning_ms = 5 * 60_000

type Report = Pick<SessionRecord, 'kind' | 'at' | 'seconds' | 'not_before' | 'stamped_at' | 'mac_address'>
type Known = Pick<Session, 'started_at' | 'last_seen_at' | 'stopped_at' | 'stop_inferred' | 'seconds' | 'mac_address'>

/** Chosen from the sessions with the report's key; undefined: it belongs to none of them, so a new one has begun. */
export function generationOf<S extends Known>(
  generations: readonly S[],
  record: Report,
  restarted_at: number | null,
): S | undefined {
  const began_at = beganAt(record)
  const distance = ({ started_at }: S) => Math.abs(started_at - began_at)
  return generations
    .filter((one) => isOfDevice(one, record) && isOf(one, record, began_at, restarted_at))
    .toSorted((one, other) => distance(one) - distance(other))[0]
}

/** A report without a MAC may be of any device; a different MAC means a session of another device. */
const isOfDevice = ({ mac_address }: Known, record: Report) =>
  mac_address === null || record.mac_address === null || mac_address === record.mac_address

function isOf(session: Known, record: Report, began_at: number, restarted_at: number | null): boolean {
  const { started_at, last_seen_at, stopped_at, stop_inferred } = session
  const hasEnded = stopped_at !== null && !stop_inferred && record.at > stopped_at
  const isRestartBetween = restarted_at !== null && last_seen_at <= restarted_at && restarted_at < record.at
  if (record.kind === 'start' && (hasEnded || isRestartBetween)) return false
  if (Math.abs(started_at - began_at) <= same_beginning_ms) return true
  if (record.seconds === null && record.kind !== 'start') return started_at <= record.at
  const isAnotherStart = record.kind === 'start' && record.seconds !== null
  if (isAnotherStart || isRestartBetween || record.at < started_at) return false
  if (record.at <= last_seen_at) return (record.seconds ?? 0) <= session.seconds
  // A session's time only grows: a report with a smaller one belongs to another session, and so does one that began after this
  // session was last seen. A report without a timestamp may have been delayed, and only seem to have begun later.
  const isDated = record.stamped_at !== null
  const hasBegunSince = (hasEnded || isDated) && began_at > last_seen_at + same_beginning_ms
  return !hasBegunSince && (record.seconds === null || record.seconds >= session.seconds)
}

/**
 * Whether a report under a name that its box had not before goes on with the session. Only a report that says since when the device is
 * online can tell, and one of a session that begins goes on with none.
 */
export const goesOn = (session: Known, record: Report) =>
  record.kind !== 'start' &&
  record.seconds !== null &&
  record.mac_address !== null &&
  record.mac_address === session.mac_address &&
  Math.abs(session.started_at - beganAt(record)) <= same_beginning_ms

/** An id has one session at a time: when a gateway reports the end of one, those that are still open have ended, too. */
export const endedWith = <S extends Known>(generations: readonly S[], ended: S, record: Report): S[] =>
  generations.filter(
    (one) =>
      one !== ended &&
      one.stopped_at === null &&
      one.started_at <= record.at &&
      (one.mac_address === null || one.mac_address === ended.mac_address),
  )
