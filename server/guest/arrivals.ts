// Arrivals: guests whom a gateway sent to a portal. What the redirect says is a claim; whether such a gateway is registered
// for the portal's customer, and where its guests go on, the registration says.
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Arrival, GatewayKind, Query } from '#server/gateways/kind.ts'
import { arrivalIn } from '#server/gateways/kinds.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import type { Services } from '#server/services.ts'

/** A registered gateway, with what its portal asks of guests. */
export interface KnownGateway {
  customer_id: number
  id: number
  property_id: number
  name: string
  gateway_type_id: number
  /** As guests' browsers reach it. */
  host: string
  property_name: string
  portal_id: number
  auth_method_ids: number[]
  terms: string | null
  terms_version: number
  marketing_text: string | null
  login_method: 'get' | 'post'
}
interface Stored extends KnownGateway {
  sealed_radius_secret: Buffer
}

export interface Arrived {
  query: Query
  kind: GatewayKind
  arrival: Arrival
  /** Null: none of this customer's, or not the one that it says it is. */
  known: { gateway: KnownGateway; secret: string } | null
}

/** Null: nobody came through a gateway. */
export type FindArrival = (
  request: Pick<FastifyRequest<{ Params: { public_id: string } }>, 'url' | 'params'>,
) => Promise<Arrived | null>

export function openArrivals({ guestDoors, seal, portal_url }: Services): FindArrival {
  const find = async (public_id: string, { nas_identifier, gateway_mac }: Arrival) => {
    const [found] = await guestDoors.callFunction(
      sql<Stored>`select * from door_portal_gateway(${public_id}, ${nas_identifier}, ${gateway_mac}::macaddr)`,
    )
    return found
  }
  return async ({ url, params }) => {
    const address = `${portal_url}${url}`
    const query: Query = Object.fromEntries(new URL(address).searchParams)
    const came = arrivalIn(query, address)
    if (!came) return null
    const stored = await find(params.public_id, came.arrival)
    if (!stored || came.arrival.mac_address === null) return { ...came, query, known: null }
    const { sealed_radius_secret, ...gateway } = stored
    const secret = seal.open(sealed_radius_secret, placeIn('gateway_secrets.sealed_radius_secret', gateway, gateway.id))
    const fits = came.kind.gateway_type_id === gateway.gateway_type_id && came.arrival.isGenuine?.(secret) !== false
    return { ...came, query, known: fits ? { gateway, secret } : null }
  }
}
