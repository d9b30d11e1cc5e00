// Gateway kinds: all supported ones; those that can be recognised for certain come before the generic one.
import { coovaChilli } from './coova-chilli.ts'
import { generic } from './generic.ts'
import type { Arrival, GatewayKind, Query } from './kind.ts'
import { mikroTik } from './mikrotik.ts'
import { openNds } from './open-nds.ts'

export const kinds: readonly GatewayKind[] = [coovaChilli, mikroTik, openNds, generic]

export const kindOf = (gateway_type_id: number): GatewayKind | undefined =>
  kinds.find((kind) => kind.gateway_type_id === gateway_type_id)

/** Null: the guest did not come through a gateway. */
export function arrivalIn(query: Query, address: string): { kind: GatewayKind; arrival: Arrival } | null {
  for (const kind of kinds) {
    const arrival = kind.arrival(query, address)
    if (arrival) return { kind, arrival }
  }
  return null
}
