// Generic RADIUS (WISPr): gateways of any make that redirect with a login URL and understand WISPr's attributes.
import type { GatewayKind } from '#server/gateways/kind.ts'
import { changeBy } from '#server/gateways/session-names.ts'
import { wisprLimits, wisprRadius } from '#server/gateways/wispr-radius.ts'
import { arrival } from './arrival.ts'
import { definition } from './definition.ts'
import { portal } from './let-in.ts'

export const generic: GatewayKind = {
  definition,
  arrival,
  portal,
  radius: { ...wisprRadius, change: changeBy(wisprLimits) },
}
