// Box clock: when what a box reports happened, by our clock. Clocks of gateways are hours off, stand still at 1970 and jump; what
// can be learned is how far behind ours one is, and from that, how old a report is.

export interface BoxClock {
  /** In milliseconds; null: nothing is known of it. */
  behind_ms: number | null
  /** Since when all that comes is older than this clock would have it. */
  doubted_since: number | null
}

/** What a packet says of when it was made; moments are milliseconds since 1970. */
export interface Stamped {
  received_at: number
  /** By the box's own clock; null where it does not say. */
  stamped_at: number | null
  /** For so long it was held back, as it says itself. */
  held_ms: number
}

/** A clock that counts whole seconds, and a network, make so much difference. */
const slack_ms = 5000
/** Less than this is not written down. */
const finer_ms = 1000
/** What was held back comes all at once: what goes on for longer is a clock that was set back. */
const doubted_ms = 10 * 60_000
/** No report is older: what seems so comes from a clock that was set back. */
const age_max_ms = 7 * 24 * 3600 * 1000

export const unknownClock: BoxClock = { behind_ms: null, doubted_since: null }

/** The clock as this packet shows it. The packet that was on its way for the shortest time says most. */
export function learned(clock: BoxClock, { received_at, stamped_at }: Stamped): BoxClock {
  if (stamped_at === null) return clock
  const behind_ms = received_at - stamped_at
  const more_ms = clock.behind_ms === null ? 0 : behind_ms - clock.behind_ms
  const isShown = clock.behind_ms === null || more_ms < -finer_ms || more_ms > age_max_ms
  if (isShown) return { behind_ms, doubted_since: null }
  if (more_ms <= slack_ms) return clock.doubted_since === null ? clock : { ...clock, doubted_since: null }
  const doubted_since = clock.doubted_since ?? received_at
  return received_at - doubted_since > doubted_ms ? { behind_ms, doubted_since: null } : { ...clock, doubted_since }
}

/** Never in the future: when it came, less how old it was by then. */
export function happenedAt({ behind_ms }: BoxClock, { received_at, stamped_at, held_ms }: Stamped): number {
  const age_ms = stamped_at === null || behind_ms === null ? 0 : received_at - stamped_at - behind_ms
  return received_at - Math.min(Math.max(age_ms, held_ms, 0), age_max_ms)
}
