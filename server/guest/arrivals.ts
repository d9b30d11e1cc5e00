// Arrivals: guests whom a gateway sent to a portal. What the redirect says is a claim; whether such a gateway is registered
// for the portal's customer, and where its guests go on, the registration says.
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Arrival, GatewayKind, Query } from '#server/gateways/kind.ts'
import { arrivalIn } from '#server/gateways/kinds.ts'
import { unservedIn } from '#server/gateways/unserved.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import type { Services } from '#server/services.ts'
import { Recent } from '#server/turns/recent.ts'

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
  arrival: Arrival
  /** Null: none of this customer's, not the one that it says it is, or of a make that is not served. */
  known: { gateway: KnownGateway; kind: GatewayKind; secret: string } | null
}

/** Null: nobody came through a gateway. */
export type FindArrival = (
  request: Pick<FastifyRequest<{ Params: { public_id: string } }>, 'url' | 'params'>,
) => Promise<Arrived | null>

/** What is known of a redirect that fits no gateway. */
interface Stray {
  why: 'unknown' | 'not_genuine' | 'other_kind' | 'not_served'
  nas_identifier: string | null
  gateway_mac: string | null
  /** The make that it is one of; null where many speak so. */
  gateway_type_id: number | null
  /** The registered one that it names. */
  gateway_id: number | null
}

/** How often one is noted, and how many are remembered for it. */
const noted = { once_in_ms: 60_000, max: 1000 }

const of_no_gateway: Arrival = {
  nas_identifier: null,
  gateway_mac: null,
  mac_address: null,
  wanted: null,
  outcome: null,
  isGenuine: null,
}

export function openArrivals({ guestDoors, seal, portal_url, log }: Services): FindArrival {
  const recent = new Recent<true>(noted.once_in_ms, noted.max)
  const find = async (public_id: string, { nas_identifier, gateway_mac }: Arrival) => {
    const [found] = await guestDoors.callFunction(
      sql<Stored>`select * from door_portal_gateway(${public_id}, ${nas_identifier}, ${gateway_mac}::macaddr)`,
    )
    return found
  }
  /** No guest waits for it. Anybody may send such an address, so few are kept, each once a minute. */
  function note(public_id: string, { why, nas_identifier, gateway_mac, gateway_type_id, gateway_id }: Stray) {
    const named = nas_identifier?.slice(0, 253) ?? null
    const key = JSON.stringify([public_id, why, named, gateway_mac, gateway_type_id, gateway_id])
    if (recent.get(key)) return
    recent.set(key, true)
    guestDoors
      .callFunction(
        sql`select door_portal_stray(${public_id}, ${named}, ${gateway_mac}::macaddr, ${why}, ${gateway_type_id}, ${gateway_id})`,
      )
      .catch((err: unknown) => log.warn({ err }, 'it could not be noted that a redirect fits no gateway'))
  }
  return async ({ url, params: { public_id } }) => {
    const address = `${portal_url}${url}`
    const query: Query = Object.fromEntries(new URL(address).searchParams)
    const came = arrivalIn(query, address)
    if (!came) {
      const unserved = unservedIn(query)
      if (!unserved) return null
      note(public_id, { why: 'not_served', nas_identifier: null, gateway_id: null, ...unserved })
      return { arrival: of_no_gateway, query, known: null }
    }
    const { kind, arrival } = came
    const { nas_identifier, gateway_mac } = arrival
    const stray = (why: Stray['why'], gateway_id: number | null) => {
      const gateway_type_id = kind.gateway_type_id
      note(public_id, { why, nas_identifier, gateway_mac, gateway_type_id, gateway_id })
      return { arrival, query, known: null }
    }
    const stored = await find(public_id, arrival)
    if (!stored) return stray('unknown', null)
    if (arrival.mac_address === null) return { arrival, query, known: null }
    const { sealed_radius_secret, ...gateway } = stored
    if (kind.gateway_type_id !== gateway.gateway_type_id) return stray('other_kind', gateway.id)
    const secret = seal.open(sealed_radius_secret, placeIn('gateway_secrets.sealed_radius_secret', gateway, gateway.id))
    if (arrival.isGenuine?.(secret) === false) return stray('not_genuine', gateway.id)
    return { arrival, query, known: { gateway, kind, secret } }
  }
}
