// Record: what a gateway reports of a session, in our own words, whichever front it came by.
import type { Stamped } from '#server/sessions/box-clock.ts'

/** So often a gateway reports what a guest has used. */
export const interim_s = 300

export interface FromBox extends Stamped {
  /** What the box calls itself: several may stand behind one gateway. */
  box: string
  /** When it happened, in milliseconds since 1970. */
  at: number
}

export interface SessionRecord extends FromBox {
  kind: 'start' | 'interim' | 'stop'
  /** What the gateway tells its sessions apart by. */
  session_key: string
  acct_session_id: string
  /** Of the attempt by which the guest was let in; null where the gateway does not say. */
  authorisation_id: number | null
  username: string | null
  mac_address: string | null
  /** The device, as its gateway writes it: what a Disconnect repeats. */
  calling_station: string | null
  ip: string | null
  /** Addresses and prefixes. */
  ipv6: string[]
  /** Online so far; null where it is not said. */
  seconds: number | null
  /** As the guest sees it. */
  bytes_up: number
  bytes_down: number
  /** The upper half of the counter came, too: it does not begin anew at 4 GiB. Many send it only where it is not 0. */
  up_is_whole: boolean
  down_is_whole: boolean
  cause: string
}
interface RestartRecord extends FromBox {
  kind: 'restart'
}
export type AccountingRecord = SessionRecord | RestartRecord

/** What one gateway of a property reports. */
export interface Reported<R extends AccountingRecord = AccountingRecord> {
  gateway_id: number
  record: R
}
/** Where its gateways are. */
export interface Place {
  property_id: number
  time_zone: string
}

/** Between the two stands what neither has. */
const key_separator = '\u001f'
export const sessionKey = (acct_session_id: string, box: string) => `${acct_session_id}${key_separator}${box}`
export const boxOf = (session_key: string) => session_key.slice(session_key.indexOf(key_separator) + 1)
