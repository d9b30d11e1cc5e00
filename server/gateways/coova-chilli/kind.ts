// CoovaChilli, and products built on it: signed redirects, CHAP at a URL of the gateway, RADIUS with changes while online.
import type { GatewayKind } from '#server/gateways/kind.ts'
import { changeBy } from '#server/gateways/session-names.ts'
import { wisprRadius } from '#server/gateways/wispr-radius.ts'
import { accept, chilli } from './accept.ts'
import { arrival } from './arrival.ts'
import { definition } from './definition.ts'
import { portal } from './let-in.ts'

export const coovaChilli: GatewayKind = {
  definition,
  arrival,
  portal,
  radius: { ...wisprRadius, dictionary: chilli, accept, change: changeBy(accept) },
}
