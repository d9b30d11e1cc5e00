// Portals: an operator's page at its public address, in the guest's language; and the form that guests send from it when a
// gateway has redirected them.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { firstPage, isStepPage } from '#contract/custom-pages.ts'
import { portalTypes } from '#contract/portals.ts'
import { exampleOf, pagesFor } from '#portal/custom-page.tsx'
import { portalDocument } from '#portal/portal-document.tsx'
import { notFound } from '#server/errors/refused.ts'
import { originOf } from '#server/gateways/portal-hosts.ts'
import type { Services } from '#server/services.ts'
import { openArrivals, type Arrived } from './arrivals.ts'
import { openBoxPolls } from './box-polls.ts'
import { customAddress, portalAddress, serveCustomPortals } from './custom-portals.ts'
import { renewedAt } from './let-in.ts'
import { cachedPages, languageOf, pageOf, sendPage } from './page.ts'
import { answerForm, type Sent } from './portal-forms.ts'
import {
  away,
  awayWithCode,
  codeIn,
  customPageOf,
  findPortal,
  firstStep,
  originsOf,
  propsOf,
  signInAgain,
  type FoundPortal,
  type Request,
  type Route,
  type ShownStep,
} from './portal-steps.ts'
import { openStatus, queryOfKey, type AdmittedGuest } from './status.ts'

/** Pages are cached: they change only when their operator saves them, and every guest requests one. */
const pages_kept_max = 200

type Needs = Pick<
  Services,
  'seal' | 'fingerprint' | 'log' | 'tenancy' | 'guestDoors' | 'queue' | 'portal_url' | 'portal_domain'
>

export function servePortals(app: FastifyInstance, services: Needs & Pick<Services, 'metrics' | 'storage'>) {
  const { signOut, withdraw, askedBy, stateOf } = openPortalState(services)
  const awayPage = cachedPages(pages_kept_max, (page, language) => pageOf(portalDocument(away(page, language))))

  const polls = openBoxPolls(services)
  app.get<Route>('/p/:public_id', async (request, reply) => {
    const told = await polls.answerTo(
      request,
      Object.fromEntries(new URL(request.url, services.portal_url).searchParams),
    )
    if (told !== null) return reply.type('text/plain; charset=utf-8').send(told)
    const asking = await askedBy(request)
    // The files of a custom portal are relative to its folder.
    return asking.found.portal_type_id === portalTypes.custom
      ? reply.redirect(customAddress(request, asking.found.public_id))
      : open(request, reply, asking)
  })

  async function open(request: Request, reply: FastifyReply, asking: Asking) {
    const { found } = asking
    if (found.portal_type_id === portalTypes.external && found.custom_portal_url !== null)
      return reply.redirect(found.custom_portal_url)
    const state = await stateOf(request, asking)
    if (state && 'returned' in state) return reply.redirect(state.returned, 303)
    if (state) return sendStep(request, reply, state)
    const outside = () => ({ props: awayWithCode(request, found), sent_to: [] })
    if (found.portal_type_id === portalTypes.custom)
      return (await sendCustom(request, reply, [firstPage], outside)) ?? gone()
    // Without a gateway there is nobody who could be let online.
    return codeIn(request, null)
      ? sendPage(request, reply, pageOf(portalDocument(awayWithCode(request, found))))
      : sendPage(request, reply, awayPage(found.page, languageOf(request)))
  }

  const receive = async (request: Sent, reply: FastifyReply) => {
    const told = await polls.answerTo(request, request.body)
    if (told !== null) return reply.type('text/plain; charset=utf-8').send(told)
    const { found, online, arrived } = await askedBy(request)
    if (online && request.body['sign_out'] !== undefined) {
      // Signing out waits for the gateway; nobody else should have to.
      request.turn?.end()
      return reply.redirect((await signOut(online)) ?? portalAddress(request), 303)
    }
    if (online && request.body['withdraw'] !== undefined) {
      await withdraw(online, request.ip)
      return reply.redirect(portalAddress(request), 303)
    }
    if (!arrived || found.portal_type_id === portalTypes.external) throw notFound()
    // The page that they have sent is no longer the property's.
    if (found.portal_type_id === portalTypes.custom && found.public_id !== request.params.public_id)
      return reply.redirect(customAddress(request, found.public_id), 303)
    const answer = await answerForm(services, request, arrived)
    return 'returned' in answer
      ? reply.redirect(answer.returned, 303)
      : sendStep(request, reply, { found, arrived, ...answer })
  }
  app.post('/p/:public_id', receive)
  // For custom pages, whose forms must stay in the folder that their files are relative to.
  app.post('/p/:public_id/', receive)

  const sendCustom = serveCustomPortals(app, services, {
    async open(request, reply) {
      const asking = await askedBy(request)
      const { found } = asking
      if (found.public_id !== request.params.public_id) return reply.redirect(portalAddress(request))
      return found.portal_type_id === portalTypes.custom ? open(request, reply, asking) : gone()
    },
    async pageOf(request, name) {
      const asking = await askedBy(request)
      const { found } = asking
      if (found.public_id !== request.params.public_id) return gone()
      const state = await stateOf(request, asking)
      if (state && !('returned' in state)) return customPageOf(request, state)
      const props = awayWithCode(request, found)
      const step = isStepPage(name) ? exampleOf[name] : undefined
      return { props: step ? { ...props, step } : props, sent_to: [] }
    },
  })

  /** On the zip's page for the step, else on ours. */
  async function sendStep(request: Request, reply: FastifyReply, shows: ShownStep) {
    const page = () => customPageOf(request, shows)
    const isCustom = shows.found.portal_type_id === portalTypes.custom
    const sent = isCustom ? await sendCustom(request, reply, pagesFor(shows.step), page) : null
    if (sent) return sent
    const { known } = shows.arrived
    const document = portalDocument(propsOf(request, shows))
    return sendPage(request, reply, pageOf(document, known ? originsOf(known.gateway) : []))
  }
}

/** Who asks at an address, and the portal that they are shown: that of the property where they are, if it is known. */
interface Asking {
  found: FoundPortal
  /** Let in before. */
  online: AdmittedGuest | null
  /** Null: they did not come through a gateway, or are let in already. */
  arrived: Arrived | null
}

/** Who asks at a portal, and what they are to see. */
function openPortalState(services: Needs) {
  const status = openStatus(services)
  const arrivalOf = openArrivals(services)

  /** @throws {Refused} 404 where that portal is not active */
  async function askedBy(request: Request): Promise<Asking> {
    const { params, hostname, ip } = request
    const online = await status.find(request)
    const at = await findPortal(services, params.public_id, online?.gateway.property_id ?? null)
    // A gateway has signed the portal's own address, without what a custom page adds to it.
    const redirected = { url: portalAddress(request), params, hostname, ip }
    // An external portal's gateways need not be registered, and are nobody's concern.
    const is_noted = at?.portal_type_id !== portalTypes.external
    const arrived = online ? null : await arrivalOf(redirected, is_noted)
    const gateway = arrived?.known?.gateway
    const found =
      gateway && gateway.portal_id !== at?.id ? await findPortal(services, params.public_id, gateway.property_id) : at
    return found ? { found, online, arrived } : gone()
  }

  /** The step to show to the guest, or where else they are to go. Null: the guest did not come through a gateway. */
  async function stateOf(
    request: Request,
    { found, online, arrived }: Asking,
  ): Promise<ShownStep | { returned: string } | null> {
    if (online) {
      const { gateway, portal } = online
      const step = await status.currentStep(online, request.ip, request.query.withdraw !== undefined)
      return {
        found,
        arrived: { known: { gateway } },
        step,
        ...(step.name === 'signed-out' && signInAgain(portal, gateway)),
      }
    }
    if (!arrived) return null
    const returned = statusAddressIn(arrived, originOf(request, services))
    if (returned) return { returned }
    const renewed = await renewedAt(services, request, arrived)
    if (renewed !== null) return { returned: renewed }
    const step = await firstStep(services, arrived, request)
    const { known } = arrived
    return {
      found,
      arrived,
      step,
      ...(step.name === 'signed-out' && known && signInAgain(known.portal, known.gateway)),
    }
  }

  return { signOut: status.signOut, withdraw: status.withdraw, askedBy, stateOf }
}

const gone = (): never => {
  throw notFound()
}

/** Some gateways send guests back to the portal itself, with the address they should have gone to in the redirect. */
const statusAddressIn = ({ arrival: { outcome, wanted } }: Arrived, origin: string) =>
  outcome === 'online' && wanted?.startsWith(`${origin}/p/`) && wanted.includes(queryOfKey('')) ? wanted : null
