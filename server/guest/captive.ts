// Captive: the captive portal API (RFC 8908), whose URL a network announces by DHCP: whether a phone is online, what is left, and
// where to sign in. A wrong answer keeps a phone's sign-in sheet open, so only known guests get one: by their own address, if it is
// that of a session, or by the key for their pass. Only with TLS, as the standard requires.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Step } from '#portal/design.ts'
import { portalDocument } from '#portal/portal-document.tsx'
import { plainAddress } from '#server/access/network.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import type { Left } from '#server/admission/remaining.ts'
import { notFound } from '#server/errors/refused.ts'
import { kindOf } from '#server/gateways/find-kind.ts'
import { originOf } from '#server/gateways/portal-hosts.ts'
import type { Services } from '#server/services.ts'
import { leftNow } from '#server/sessions/session-facts.ts'
import { pageOf, sendPage } from './page.ts'
import { findPortal, propsOf, type FoundPortal as Shown, type Request, type Route } from './portal-steps.ts'
import { openStatus, queryOfKey, type FoundGateway } from './status.ts'

/** The names of RFC 8908, section 5. */
interface CaptiveState {
  captive: boolean
  'user-portal-url'?: string
  'can-extend-session'?: boolean
  'seconds-remaining'?: number
  'bytes-remaining'?: number
}

interface Found extends FoundGateway {
  session_id: number
  is_open: boolean
}
interface OfGateway {
  Params: { public_id: string; gateway_id: string }
  Querystring: Route['Querystring']
}
interface OfGuest {
  Params: { public_id: string }
}

export function serveCaptive(
  app: FastifyInstance,
  services: Pick<Services, 'tenancy' | 'guestDoors' | 'queue' | 'portal_url' | 'portal_domain'>,
) {
  const { tenancy, guestDoors, portal_url } = services
  if (!portal_url.startsWith('https:')) return
  const status = openStatus(services)

  async function find({ ip, params: { public_id, gateway_id } }: FastifyRequest<OfGateway>): Promise<Found> {
    if (!/^\d{1,9}$/.test(gateway_id)) throw notFound()
    const [found] = await guestDoors.callFunction(
      sql<Found>`select * from door_captive(${public_id}, ${Number(gateway_id)}, ${plainAddress(ip)}::inet)`,
    )
    if (!found) throw notFound()
    return found
  }

  const leftAt = (found: Found) =>
    tenancy.enter(callerOfGateway(found), 'read', (scope) => leftNow(scope, found.session_id))

  app.get<OfGateway>('/p/:public_id/captive/:gateway_id', async (request, reply) => {
    const found = await find(request)
    const { public_id, gateway_id } = request.params
    const page = `${originOf(request, services)}/p/${public_id}/captive/${gateway_id}/sign-in`
    return send(reply, found.is_open ? online(page, await leftAt(found)) : { captive: true, 'user-portal-url': page })
  })

  /**
   * What is left, while a session is open. Else the gateway's own page: it redirects the guest back with its own parameters, without which
   * nobody can be let in.
   */
  app.get<OfGateway>('/p/:public_id/captive/:gateway_id/sign-in', async (request, reply) => {
    const found = await find(request)
    if (found.is_open) {
      const left = await leftAt(found)
      const shown = await findPortal(services, request.params.public_id, found.property_id)
      if (!shown) throw notFound()
      return sendPage(request, reply, pageOf(portalDocument(statusPage(request, shown, left))))
    }
    const portal = kindOf(found.gateway_type_id)?.portal
    if (!portal) throw notFound()
    return reply.redirect(portal.pagesOf(found.host).sign_in, 303)
  })

  app.get<OfGuest>('/p/:public_id/captive', async (request, reply) => {
    const guest = await status.find(request)
    if (!guest) throw notFound()
    const step = await status.currentStep(guest, request.ip)
    // The guest's own page, which says what is left, and where to sign in again.
    const page = `${originOf(request, services)}/p/${request.params.public_id}${queryOfKey(guest.status_key)}`
    return send(reply, isOnline(step) ? online(page, leftIn(step)) : { captive: true, 'user-portal-url': page })
  })
}

/** Known by their address alone, nobody signs anybody out. */
const statusPage = (request: Request, found: Shown, left: Left | null) =>
  propsOf(request, {
    found,
    arrived: { known: null },
    step: { name: 'status', no_sign_out: true, ...(left && { seconds_left: left.seconds, bytes_left: left.bytes }) },
  })

/** As bytes: for a text Fastify would add a charset, which this content type does not have. */
const send = (reply: FastifyReply, state: CaptiveState) =>
  reply
    .type('application/captive+json')
    .header('cache-control', 'private, no-store')
    .send(Buffer.from(JSON.stringify(state)))

/** Null: unknown, which must not look like no limit. */
function online(page: string, left: Left | null): CaptiveState {
  return {
    captive: false,
    'user-portal-url': page,
    'can-extend-session': left !== null && (left.seconds !== null || left.bytes !== null),
    ...(left?.seconds != null && { 'seconds-remaining': Math.floor(left.seconds) }),
    ...(left?.bytes != null && { 'bytes-remaining': Math.floor(left.bytes) }),
  }
}

const isOnline = (step: Step): step is Extract<Step, { name: 'online' | 'status' }> =>
  step.name === 'online' || step.name === 'status'

const leftIn = ({ seconds_left, bytes_left }: Extract<Step, { name: 'online' | 'status' }>): Left | null =>
  seconds_left === undefined || bytes_left === undefined ? null : { seconds: seconds_left, bytes: bytes_left }
