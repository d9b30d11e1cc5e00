// Record: what a gateway reports about a session, in our own terms, whichever protocol it came by.
import type { Stamped } from '#server/sessions/box-clock.ts'

export interface FromBox extends Stamped {
  /** The box's name for itself: several boxes may be behind one gateway. */
  box: string
  /** When it happened, in milliseconds since 1970. */
  at: number
}

export interface SessionRecord extends FromBox {
  kind: 'start' | 'interim' | 'stop'
  /** By which the gateway tells its sessions apart. */
  session_key: string
  acct_session_id: string
  /** Of the attempt by which the guest signed in; null where the gateway does not send it. */
  authorisation_id: number | null
  username: string | null
  mac_address: string | null
  /** The device, as its gateway writes it: what a Disconnect repeats. */
  calling_station: string | null
  /** The box's own name of the session, beside Acct-Session-Id. */
  box_session: string | null
  /** The address that the report came from; absent where its controller was asked. */
  reported_from?: string
  /** Of a device that may open the portal and nothing else: nobody is online. */
  is_limited?: true
  ip: string | null
  /** Addresses and prefixes. */
  ipv6: string[]
  /** Online so far; null where it is not given. */
  seconds: number | null
  /** The session cannot have begun earlier. Absent until that is known. */
  not_before?: number
  /** As the guest sees it; null where it is not given. */
  bytes_up: number | null
  bytes_down: number | null
  /** The upper half of the counter was sent, too, so it does not wrap at 4 GiB. Many gateways send it only where it is not 0. */
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

/** A character that occurs in neither part. */
const key_separator = '\u001f'
export const sessionKey = (acct_session_id: string, box: string) => `${acct_session_id}${key_separator}${box}`
export const boxOf = (session_key: string) => session_key.slice(session_key.indexOf(key_separator) + 1)
