// RADIUS limits: a guest's time, idle time, speed and volume as attributes; the first two are the same for all makes.
import { interim_s } from '#contract/gateway-kinds.ts'
import { attribute } from '#server/radius-codec/dictionary.ts'
import { numberAttribute, type Attribute } from '#server/radius-codec/packet.ts'
import type { Limits } from './kind.ts'

/** How a make takes the others. */
interface Units {
  speed(kbits: number): Attribute[]
  /** Where it has no such limit, its reports show when the volume is used up. */
  volume(bytes: number): Attribute[]
}

export const limitsBy =
  ({ speed, volume }: Units) =>
  ({ seconds, idle_seconds, speed_mbps, bytes }: Limits): Attribute[] => [
    numberAttribute(attribute.session_timeout, Math.max(1, Math.floor(seconds))),
    ...(idle_seconds === null ? [] : [numberAttribute(attribute.idle_timeout, Math.max(60, idle_seconds))]),
    numberAttribute(attribute.acct_interim_interval, interim_s),
    ...(speed_mbps === null ? [] : speed(Math.max(1, Math.round(speed_mbps * 1000)))),
    ...(bytes === null ? [] : volume(Math.max(1, Math.floor(bytes)))),
  ]
