// Accounting record: what a gateway reports of a session, in our own words.
import { createHash } from 'node:crypto'
import { attribute, causeOf, status_type } from '#server/radius/dictionary.ts'
import { callingStation } from '#server/radius/access.ts'
import type { Gateway } from '#server/radius/gateways.ts'
import { numberOf, number_max, textOf, valueOf, type Attributes } from '#server/radius/packet.ts'

export interface SessionRecord {
  kind: 'start' | 'interim' | 'stop'
  /** What the gateway tells its sessions apart by. */
  session_key: string
  acct_session_id: string
  /** Of the attempt by which the guest was let in; null where the gateway does not say. */
  authorisation_id: number | null
  username: string | null
  mac_address: string | null
  ip: string | null
  /** When it happened, in milliseconds since 1970. */
  at: number
  /** Online so far; null where it is not said. */
  seconds: number | null
  /** As the guest sees it. */
  bytes_up: number
  bytes_down: number
  /** The upper half of the counters came, too: they do not begin anew at 4 GiB. */
  counts_whole: boolean
  cause: string
}
export interface RestartRecord {
  kind: 'restart'
  at: number
}
export type AccountingRecord = SessionRecord | RestartRecord

/** What one gateway of a property reports. */
export interface Reported<R extends AccountingRecord = AccountingRecord> {
  gateway_id: number
  record: R
}
/** Where its gateways are. */
export type Place = Pick<Gateway, 'property_id' | 'time_zone'>

const day_ms = 24 * 3600 * 1000
const kinds = {
  [status_type.start]: 'start',
  [status_type.stop]: 'stop',
  [status_type.interim]: 'interim',
} as const

/** Null: nothing that is kept. `received_at` in milliseconds. */
export function recordIn(
  packet: Attributes,
  received_at: number,
  counts_from_gateway_side: boolean,
): AccountingRecord | null {
  const status = numberOf(packet, attribute.acct_status_type)
  const at = momentOf(packet, received_at)
  if (status === status_type.accounting_on || status === status_type.accounting_off) return { kind: 'restart', at }
  const kind = kinds[status as keyof typeof kinds]
  const acct_session_id = textOf(packet, attribute.acct_session_id)
  if (!kind || acct_session_id === undefined) return null
  const [received, sent] = [
    counterOf(packet, attribute.acct_input_octets, attribute.acct_input_gigawords),
    counterOf(packet, attribute.acct_output_octets, attribute.acct_output_gigawords),
  ]
  const username = textOf(packet, attribute.user_name) ?? null
  const mac_address = callingStation(packet)
  const authorisation_id = authorisationIn(packet)
  return {
    kind,
    session_key: keyOf([acct_session_id, username, mac_address, authorisation_id]),
    acct_session_id,
    authorisation_id,
    username,
    mac_address,
    ip: addressIn(valueOf(packet, attribute.framed_ip_address)),
    at,
    seconds: numberOf(packet, attribute.acct_session_time) ?? null,
    bytes_up: counts_from_gateway_side ? sent : received,
    bytes_down: counts_from_gateway_side ? received : sent,
    counts_whole: valueOf(packet, attribute.acct_input_gigawords) !== undefined,
    cause: causeOf(numberOf(packet, attribute.acct_terminate_cause)),
  }
}

/** A gateway's own clock counts where it is about right; else when its packet came, less the time it was held back. */
function momentOf(packet: Attributes, received_at: number): number {
  const stamp = numberOf(packet, attribute.event_timestamp)
  if (stamp !== undefined && Math.abs(stamp * 1000 - received_at) < day_ms) return stamp * 1000
  const delay_ms = (numberOf(packet, attribute.acct_delay_time) ?? 0) * 1000
  return received_at - Math.min(delay_ms, day_ms)
}

const counterOf = (packet: Attributes, low: number, gigawords: number) =>
  (numberOf(packet, gigawords) ?? 0) * (number_max + 1) + (numberOf(packet, low) ?? 0)

const authorisationIn = (packet: Attributes): number | null => {
  const [, id] = /^foyer-(\d{1,15})$/.exec(textOf(packet, attribute.class) ?? '') ?? []
  return id === undefined ? null : Number(id)
}

const keyOf = (parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 24)

const addressIn = (value: Buffer | undefined) => (value?.length === 4 ? value.join('.') : null)
