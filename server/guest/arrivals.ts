// Arrivals: guests whom a gateway redirected to a portal. The redirect is only a claim: the registration decides whether the
// portal's customer has such a gateway, and where its guests are sent.
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { networkOf } from '#server/access/network.ts'
import { arrivalAs, arrivalIn, saysNothing } from '#server/gateways/find-kind.ts'
import type { Arrival, GatewayCredentials, PortalSignIn, Query, Redirect } from '#server/gateways/kind.ts'
import { labelIn, originOf } from '#server/gateways/portal-hosts.ts'
import { stray_names } from '#server/gateways/read.ts'
import { noSettings, gatewaySettings } from '#server/gateways/settings.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import type { Services } from '#server/services.ts'
import { no_notes, openArrivalNotes, type UnmatchedRedirect } from './arrival-notes.ts'

/** A registered gateway, with its portal's sign-in settings. */
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
interface Stored extends Omit<KnownGateway, 'host'> {
  host: string | null
  sealed_radius_secret: Buffer
}

export interface Arrived {
  redirect: Redirect
  arrival: Arrival
  /** It was encrypted with the gateway's secret, so the box itself says which device it is. */
  is_sealed: boolean
  /** Null: not one of this customer's, not the one it claims to be, or of a make that is not supported. */
  known: ({ gateway: KnownGateway; portal: PortalSignIn } & GatewayCredentials) | null
}

/** Null: the guest did not come through a gateway. `is_noted`: what the redirect says of the gateway is kept. */
export type FindArrival = (
  request: Pick<FastifyRequest<{ Params: { public_id: string } }>, 'url' | 'params' | 'hostname' | 'ip'>,
  is_noted: boolean,
) => Promise<Arrived | null>

const mark_digits = 6

export function openArrivals(
  services: Pick<Services, 'seal' | 'fingerprint' | 'log' | 'guestDoors' | 'portal_url' | 'portal_domain'>,
): FindArrival {
  const { guestDoors, seal, fingerprint } = services
  const kept_notes = openArrivalNotes(services)
  /** By what it says of itself, and by the gateway's own host that it came to. */
  const find = async (at: { public_id: string; label: string | null }, arrival: Arrival, made: number) => {
    const { nas_identifier, gateway_mac, host = null } = arrival
    const [found] = await guestDoors.callFunction(sql<Stored>`
      select * from door_arrival_at(${at.public_id}, ${nas_identifier}, ${gateway_mac}::macaddr, ${host}, ${made}, ${at.label})`)
    return found
  }
  const secretOf = ({ sealed_radius_secret, ...gateway }: Stored) =>
    seal.open(sealed_radius_secret, placeIn('gateway_secrets.sealed_radius_secret', gateway, gateway.id))
  /** The one of the portal's gateways of that make whose secret opens it. */
  async function open(public_id: string, made: number, opens: NonNullable<Arrival['opened']>) {
    const candidates = await guestDoors.callFunction(sql<Stored>`
      select * from door_arrival_candidates(${public_id}, ${made})`)
    for (const stored of candidates) {
      const arrival = opens({ secret: secretOf(stored), settings: noSettings })
      if (arrival) return { stored, arrival }
    }
    return null
  }
  /** Of one that has neither name nor MAC address: its host, or, where nothing can be read, a pseudonym of where its guests come from. */
  function nameless({ host, opened }: Arrival, ip: string): string | null {
    if (host) return `${stray_names.host} ${host}`
    if (!opened) return null
    return `${stray_names.sealed} ${fingerprint(`gateway at ${networkOf(ip)}`)
      .toString('hex')
      .slice(0, mark_digits)}`
  }
  return async (request, is_noted) => {
    const notes = is_noted ? kept_notes : no_notes
    const { public_id } = request.params
    const label = labelIn(request, services)
    const address = `${originOf(request, services)}${request.url}`
    const query: Query = Object.fromEntries(new URL(address).searchParams)
    const redirect = { address, query }
    const named = arrivalIn(redirect)
    if (!named) return null
    const opened = named.arrival.opened ? await open(public_id, named.kind.definition.id, named.arrival.opened) : null
    const stored = opened ? opened.stored : await find({ public_id, label }, named.arrival, named.kind.definition.id)
    const came = opened ? { ...named, arrival: opened.arrival } : arrivalAs(stored?.gateway_type_id, named, redirect)
    const {
      kind: { definition, portal },
      arrival,
    } = came
    const { nas_identifier, gateway_mac } = arrival
    const said = { redirect, arrival, is_sealed: opened !== null }
    const unmatched = (why: UnmatchedRedirect['why'], gateway_id: number | null) => {
      const gateway_type_id = definition.id
      const called = nas_identifier ?? (gateway_mac === null ? nameless(arrival, request.ip) : null)
      notes.noteUnmatched(public_id, { why, nas_identifier: called, gateway_mac, gateway_type_id, gateway_id })
      return { ...said, known: null }
    }
    if (!portal || arrival.not_served) return unmatched('not_served', null)
    if (!stored) {
      notes.noteAccessPoint(public_id, arrival, definition.id, null)
      return unmatched('unknown', null)
    }
    if (arrival.mac_address === null) return { ...said, known: null }
    const { sealed_radius_secret: _, ...found } = stored
    if (definition.id !== found.gateway_type_id) return unmatched('other_kind', found.id)
    const host = portal.hostOf ? portal.hostOf(query, found.host) : found.host
    if (host === null) return unmatched('unknown', null)
    const gateway = { ...found, host }
    const secret = secretOf(stored)
    const settings = (await gatewaySettings(services, [gateway])).get(gateway.id) ?? noSettings
    if (portal.isSetUp?.({ secret, settings }, query) === false) return unmatched('not_served', gateway.id)
    if (arrival.isGenuine?.({ secret, settings }) === false) return unmatched('not_genuine', gateway.id)
    notes.noteRedirected(gateway, saysNothing(came.kind, settings))
    // One that bears the gateway's name need not be known besides.
    if (nas_identifier === null) notes.noteAccessPoint(public_id, arrival, definition.id, gateway.id)
    return { ...said, known: { gateway, portal, secret, settings } }
  }
}
