// Reply attributes: what a gateway gets with an Accept: time, volume and speed limits, in its vendor's attributes.
import { attribute, chilli, mikrotik, wispr } from '#server/radius/dictionary.ts'
import { number, number_max, ofVendor, text, type Attribute } from '#server/radius/packet.ts'
import { interim_s } from '#server/sessions/record.ts'

/** A guest's limits. Null: none. */
export interface Limits {
  seconds: number
  idle_seconds: number | null
  bytes: number | null
  /** Down, and as much up. */
  speed_mbps: number | null
}

/** Ids of `gateway_types`; all others get WISPr attributes, which most gateways understand. */
const gateway_types = { mikrotik: 1, chilli: 2 } as const

export const replyAttributes = (gateway_type_id: number, limits: Limits, class_value: string): Attribute[] => [
  text(attribute.class, class_value),
  ...limitsOf(gateway_type_id, limits),
]

export function limitsOf(gateway_type_id: number, limits: Limits): Attribute[] {
  const { seconds, idle_seconds } = limits
  return [
    number(attribute.session_timeout, Math.max(1, Math.floor(seconds))),
    ...(idle_seconds === null ? [] : [number(attribute.idle_timeout, Math.max(60, idle_seconds))]),
    number(attribute.acct_interim_interval, interim_s),
    ...(limits.speed_mbps === null ? [] : speedOf(gateway_type_id, limits.speed_mbps)),
    ...(limits.bytes === null ? [] : volumeOf(gateway_type_id, Math.max(1, Math.floor(limits.bytes)))),
  ]
}

function speedOf(gateway_type_id: number, mbps: number): Attribute[] {
  const kbits = Math.max(1, Math.round(mbps * 1000))
  const common = [
    ofVendor(wispr.vendor, number(wispr.max_up, kbits * 1000)),
    ofVendor(wispr.vendor, number(wispr.max_down, kbits * 1000)),
  ]
  switch (gateway_type_id) {
    case gateway_types.mikrotik:
      // What the router receives comes first: the guest's upload.
      return [ofVendor(mikrotik.vendor, text(mikrotik.rate_limit, `${kbits}k/${kbits}k`))]
    case gateway_types.chilli:
      return [
        ...common,
        ofVendor(chilli.vendor, number(chilli.bandwidth_max_up, kbits)),
        ofVendor(chilli.vendor, number(chilli.bandwidth_max_down, kbits)),
      ]
    default:
      return common
  }
}

/** For gateways that do not support a volume limit, their reports show when it is used up. */
function volumeOf(gateway_type_id: number, bytes: number): Attribute[] {
  const { low, gigawords } = gigawordsOf(bytes)
  switch (gateway_type_id) {
    case gateway_types.mikrotik:
      return [
        ofVendor(mikrotik.vendor, number(mikrotik.total_limit, low)),
        ofVendor(mikrotik.vendor, number(mikrotik.total_limit_gigawords, gigawords)),
      ]
    case gateway_types.chilli:
      return [
        ofVendor(chilli.vendor, number(chilli.max_total_octets, low)),
        ofVendor(chilli.vendor, number(chilli.max_total_gigawords, gigawords)),
      ]
    default:
      return []
  }
}

/** A number of more than 32 bits is sent as two. */
export const gigawordsOf = (bytes: number) => ({
  low: bytes % (number_max + 1),
  gigawords: Math.floor(bytes / (number_max + 1)),
})
