// MikroTik RouterOS: a redirect from its replaced login page, a form to the router, RADIUS with changes while online.
import type { GatewayKind } from '#server/gateways/kind.ts'
import { changeBy } from '#server/gateways/session-names.ts'
import { wisprRadius } from '#server/gateways/wispr-radius.ts'
import { accept, mikrotik } from './accept.ts'
import { arrival } from './arrival.ts'
import { definition } from './definition.ts'
import { portal } from './let-in.ts'

export const mikroTik: GatewayKind = {
  definition,
  arrival,
  portal,
  radius: { ...wisprRadius, dictionary: mikrotik, accept, change: changeBy(accept) },
}
