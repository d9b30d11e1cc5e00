// Portals: an operator's page at its public address, in the guest's language; and the form that guests send from it when a
// gateway has redirected them.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { sql } from 'kysely'
import { firstPage, isStepPage } from '#contract/custom-pages.ts'
import { portalTypes } from '#contract/portals.ts'
import { exampleOf, pagesFor } from '#portal/custom-page.tsx'
import { portalDocument } from '#portal/portal-document.tsx'
import { notFound } from '#server/errors/refused.ts'
import type { Services } from '#server/services.ts'
import { openArrivals, type Arrived } from './arrivals.ts'
import { openBoxPolls } from './box-polls.ts'
import { customAddress, portalAddress, serveCustomPortals } from './custom-portals.ts'
import { ownAddressOf, renewedAt } from './let-in.ts'
import { cachedPages, languageOf, pageOf, sendPage } from './page.ts'
import { answerForm, type Sent } from './portal-forms.ts'
import {
  away,
  awayWithCode,
  codeIn,
  customPageOf,
  firstStep,
  originsOf,
  propsOf,
  signInAgain,
  type Found,
  type Request,
  type Route,
  type ShownStep,
} from './portal-steps.ts'
import { openStatus, queryOfKey } from './status.ts'

/** Pages are cached: they change only when their operator saves them, and every guest requests one. */
const pages_kept_max = 200

type Needs = Pick<
  Services,
  'seal' | 'fingerprint' | 'log' | 'tenancy' | 'guestDoors' | 'queue' | 'portal_url' | 'portal_domain'
>

export function servePortals(app: FastifyInstance, services: Needs & Pick<Services, 'metrics' | 'storage'>) {
  const { find, status, arrivalAt, stateOf } = openPortalState(services)
  const awayPage = cachedPages(pages_kept_max, (page, language) => pageOf(portalDocument(away(page, language))))

  const polls = openBoxPolls(services)
  app.get<Route>('/p/:public_id', async (request, reply) => {
    const told = await polls.answerTo(
      request,
      Object.fromEntries(new URL(request.url, services.portal_url).searchParams),
    )
    if (told !== null) return reply.type('text/plain; charset=utf-8').send(told)
    const found = await find(request.params.public_id)
    // The files of a custom portal are relative to its folder.
    return found.portal_type_id === portalTypes.custom
      ? reply.redirect(customAddress(request, request.params.public_id))
      : open(request, reply, found)
  })

  async function open(request: Request, reply: FastifyReply, found: Found) {
    if (found.portal_type_id === portalTypes.external && found.custom_portal_url !== null)
      return reply.redirect(found.custom_portal_url)
    const state = await stateOf(request, found)
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
    const found = await find(request.params.public_id)
    const online = await status.find(request)
    if (online && request.body['sign_out'] !== undefined) {
      // Signing out waits for the gateway; nobody else should have to.
      request.turn?.end()
      return reply.redirect((await status.signOut(online)) ?? portalAddress(request, request.params.public_id), 303)
    }
    const arrived = found.portal_type_id === portalTypes.external ? null : await arrivalAt(request)
    if (!arrived) throw notFound()
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
      const found = await find(request.params.public_id)
      return found.portal_type_id === portalTypes.custom ? open(request, reply, found) : gone()
    },
    async pageOf(request, name) {
      const found = await find(request.params.public_id)
      const state = await stateOf(request, found)
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

/** Who asks at a portal, and what they are to see. */
function openPortalState(services: Needs) {
  const { guestDoors } = services
  const status = openStatus(services)
  const find = async (public_id: string) => {
    const [found] = await guestDoors.callFunction(sql<Found>`select * from door_portal(${public_id})`)
    if (!found) throw notFound()
    return found
  }
  const arrivalOf = openArrivals(services)
  // A gateway has signed the portal's own address, without what a custom page adds to it.
  const arrivalAt = (request: Request) => {
    const { params, hostname, ip } = request
    return arrivalOf({ url: portalAddress(request, params.public_id), params, hostname, ip })
  }

  /** The step to show to the guest, or where else they are to go. Null: the guest did not come through a gateway. */
  async function stateOf(request: Request, found: Found): Promise<ShownStep | { returned: string } | null> {
    const guest = await status.find(request)
    if (guest) {
      const { gateway, portal } = guest
      const step = await status.currentStep(guest, request.ip)
      return {
        found,
        arrived: { known: { gateway } },
        step,
        ...(step.name === 'signed-out' && signInAgain(portal, gateway)),
      }
    }
    const arrived = await arrivalAt(request)
    if (!arrived) return null
    const returned = statusAddressIn(arrived, ownAddressOf(services, request))
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

  return { find, status, arrivalAt, stateOf }
}

const gone = (): never => {
  throw notFound()
}

/** Some gateways send guests back to the portal itself, with the address they should have gone to in the redirect. */
const statusAddressIn = ({ arrival: { outcome, wanted } }: Arrived, portal: string) =>
  outcome === 'online' && wanted?.startsWith(`${portal}${queryOfKey('')}`) ? wanted : null
