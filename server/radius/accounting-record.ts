// Accounting record: an accounting packet, read into the record that is stored.
import { attribute, causeOf, status_type } from '#server/radius-codec/dictionary.ts'
import type { RadiusDialect } from '#server/gateways/kind.ts'
import { callingStation, limited_class } from '#server/radius/access.ts'
import { addressOf, prefixOf } from '#server/radius-codec/ipv6.ts'
import {
  numberOfAttribute,
  number_max,
  textOfAttribute,
  valueOf,
  valuesOf,
  type Attributes,
} from '#server/radius-codec/packet.ts'
import { sessionKey, type AccountingRecord, type FromBox } from '#server/sessions/record.ts'

const kinds = {
  [status_type.start]: 'start',
  [status_type.stop]: 'stop',
  [status_type.interim]: 'interim',
} as const

interface Received {
  /** In milliseconds since 1970. */
  received_at: number
  /** Where it came from. */
  address: string
  dialect: Pick<RadiusDialect, 'boxSessionIn'>
}

/** Null: nothing to store. `at` is only the time of receipt, until the box's clock is known. */
export function recordIn(packet: Attributes, { received_at, address, dialect }: Received): AccountingRecord | null {
  const status = numberOfAttribute(packet, attribute.acct_status_type)
  const from: FromBox = {
    box: boxIn(packet) ?? address,
    at: received_at,
    received_at,
    stamped_at: momentOf(numberOfAttribute(packet, attribute.event_timestamp)),
    held_ms: (numberOfAttribute(packet, attribute.acct_delay_time) ?? 0) * 1000,
  }
  if (status === status_type.accounting_on || status === status_type.accounting_off) return { kind: 'restart', ...from }
  const kind = kinds[status as keyof typeof kinds]
  const acct_session_id = textOfAttribute(packet, attribute.acct_session_id)
  if (!kind || acct_session_id === undefined) return null
  // What the gateway has received is the guest's upload (RFC 2866).
  const up = counterOf(packet, attribute.acct_input_octets, attribute.acct_input_gigawords)
  const down = counterOf(packet, attribute.acct_output_octets, attribute.acct_output_gigawords)
  return {
    kind,
    ...from,
    session_key: sessionKey(acct_session_id, from.box),
    acct_session_id,
    authorisation_id: authorisationIn(packet),
    username: textOfAttribute(packet, attribute.user_name) ?? null,
    mac_address: callingStation(packet),
    calling_station: textOfAttribute(packet, attribute.calling_station_id) ?? null,
    box_session: dialect.boxSessionIn?.(packet) ?? null,
    reported_from: address,
    ...(textOfAttribute(packet, attribute.class) === limited_class && { is_limited: true as const }),
    ip: addressIn(packet, attribute.framed_ip_address),
    ipv6: ipv6In(packet),
    seconds: numberOfAttribute(packet, attribute.acct_session_time) ?? null,
    bytes_up: up.bytes,
    bytes_down: down.bytes,
    up_is_whole: up.isWhole,
    down_is_whole: down.isWhole,
    cause: causeOf(numberOfAttribute(packet, attribute.acct_terminate_cause)),
  }
}

const boxIn = (packet: Attributes) =>
  textOfAttribute(packet, attribute.nas_identifier) ?? addressIn(packet, attribute.nas_ip_address) ?? undefined

const momentOf = (stamp: number | undefined) => (stamp === undefined ? null : stamp * 1000)

const counterOf = (packet: Attributes, low: number, gigawords: number) => {
  const [upper, lower] = [numberOfAttribute(packet, gigawords), numberOfAttribute(packet, low)]
  const isGiven = upper !== undefined || lower !== undefined
  return { bytes: isGiven ? (upper ?? 0) * (number_max + 1) + (lower ?? 0) : null, isWhole: upper !== undefined }
}

const authorisationIn = (packet: Attributes): number | null => {
  const [, id] = /^foyer-(\d{1,15})$/.exec(textOfAttribute(packet, attribute.class) ?? '') ?? []
  return id === undefined ? null : Number(id)
}

const addressIn = (packet: Attributes, type: number) => {
  const value = valueOf(packet, type)
  return value?.length === 4 ? value.join('.') : null
}

/** More addresses of one session are not plausible. */
const ipv6_max = 16

function ipv6In(packet: Attributes): string[] {
  const found = [
    ...valuesOf(packet, attribute.framed_ipv6_address).map(addressOf),
    ...[attribute.framed_ipv6_prefix, attribute.delegated_ipv6_prefix].flatMap((type) =>
      valuesOf(packet, type).map(prefixOf),
    ),
  ]
  return [...new Set(found.filter((one) => one !== null))].slice(0, ipv6_max)
}
