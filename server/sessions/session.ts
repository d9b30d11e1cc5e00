// Session: one stay online of one device, as it is stored.
import type { SessionState } from '#server/sessions/counters.ts'
import type { SessionHolder } from '#server/sessions/session-holders.ts'

/** Those it has now, or had last. */
export interface Addresses {
  ip: string | null
  /** Addresses and prefixes. */
  ipv6: string[]
  /** Of the box that has its guest: where its reports come from. */
  reported_from: string | null
}

export interface Session extends SessionHolder, SessionState, Addresses {
  /** Null where it is not stored yet. */
  id: number | null
  gateway_id: number
  session_key: string
  /** Counts the sessions with the same key, from 1. */
  generation: number
  acct_session_id: string
  username: string | null
  mac_address: string | null
  /** As its gateway writes it. */
  calling_station: string | null
  box_session: string | null
}

/** How reports changed a session. */
export interface SessionChange {
  before: Session | null
  after: Session
}
