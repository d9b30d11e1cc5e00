// Box clock: when a reported event happened, by our clock. The clocks of gateways are hours off, stay at 1970 or jump; what can be
// learned is how far a clock is behind ours and, from that, how old a report is.
import { day_ms } from '#contract/days.ts'

export interface BoxClock {
  /** In milliseconds; null: unknown. */
  behind_ms: number | null
  /** Since when everything received has been older than this clock explains. */
  doubted_since: number | null
}

/** What a packet says about when it was made; moments are milliseconds since 1970. */
export interface Stamped {
  received_at: number
  /** By the box's own clock; null where it is not given. */
  stamped_at: number | null
  /** How long the packet was delayed, by its own account (Acct-Delay-Time). */
  held_ms: number
}

/** The difference that clocks with whole seconds and the network may make. */
export const slack_ms = 5000
/** Smaller improvements are not stored. */
const resolution_ms = 1000
/** Delayed packets arrive all at once: if this goes on for longer, the clock was set back. */
const doubted_ms = 10 * 60_000
/** No report is older: if one seems to be, the clock was set back. */
export const age_max_ms = 7 * day_ms

export const unknownClock: BoxClock = { behind_ms: null, doubted_since: null }

/** The clock as this packet shows it. The packet with the shortest delay is the best evidence. */
export function learned(clock: BoxClock, { received_at, stamped_at }: Stamped): BoxClock {
  if (stamped_at === null) return clock
  const behind_ms = received_at - stamped_at
  const more_ms = clock.behind_ms === null ? 0 : behind_ms - clock.behind_ms
  const isShown = clock.behind_ms === null || more_ms < -resolution_ms || more_ms > age_max_ms
  if (isShown) return { behind_ms, doubted_since: null }
  if (more_ms <= slack_ms) return clock.doubted_since === null ? clock : { ...clock, doubted_since: null }
  const doubted_since = clock.doubted_since ?? received_at
  return received_at - doubted_since > doubted_ms ? { behind_ms, doubted_since: null } : { ...clock, doubted_since }
}

/** The time of receipt less the age of the packet; never in the future. */
export function happenedAt({ behind_ms }: BoxClock, { received_at, stamped_at, held_ms }: Stamped): number {
  const age_ms = stamped_at === null || behind_ms === null ? 0 : received_at - stamped_at - behind_ms
  return received_at - Math.min(Math.max(age_ms, held_ms, 0), age_max_ms)
}
