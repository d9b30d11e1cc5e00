// openNDS: it does not use RADIUS; guests come back to it with a token.
import type { GatewayKind } from '#server/gateways/kind.ts'
import { arrival } from './arrival.ts'
import { definition } from './definition.ts'
import { portal } from './let-in.ts'

export const openNds: GatewayKind = { definition, arrival, portal, radius: null }
