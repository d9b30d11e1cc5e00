// openNDS: it does not use RADIUS; guests come back to it with a token, or it fetches that from the portal.
import type { GatewayKind } from '#server/gateways/kind.ts'
import { arrival } from './arrival.ts'
import { authmon } from './report.ts'
import { definition } from './definition.ts'
import { portal } from './let-in.ts'

export const openNds: GatewayKind = { definition, arrival, portal, polls: authmon, radius: null }
