// Portals: an operator's page at its public address, in the guest's language; and the form that guests send from it when a
// gateway has redirected them.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { firstPage, isStepPage } from '#contract/custom-pages.ts'
import { authMethods, portalTypes } from '#contract/portals.ts'
import { exampleOf, pagesFor } from '#portal/custom-page.tsx'
import type { PortalPageProps, Step } from '#portal/design.ts'
import type { Refusal } from '#portal/texts/en.ts'
import { isLanguage, type Language } from '#portal/languages.ts'
import { portalDocument } from '#portal/portal-document.tsx'
import { code_length, normalised, shown } from '#contract/vouchers.ts'
import { notFound } from '#server/errors/refused.ts'
import type { PortalSignIn } from '#server/gateways/kind.ts'
import { originOf } from '#server/gateways/portal-hosts.ts'
import type { Services } from '#server/services.ts'
import { askController, judgeHere } from './controller-grants.ts'
import { openArrivals, type Arrived, type KnownGateway } from './arrivals.ts'
import { openBoxPolls } from './box-polls.ts'
import { customAddress, portalAddress, queryOf, serveCustomPortals, type CustomPage } from './custom-portals.ts'
import { cachedPages, languageOf, pageOf, sendPage } from './page.ts'
import { lastRefusal } from './refusals.ts'
import { renew } from './renewals.ts'
import { signIn } from './sign-in.ts'
import { openStatus, queryOfKey } from './status.ts'
import type { Fields } from './ways/way.ts'
import { waitingStep } from './ways/by-message.ts'
import { isServed, typedIn } from './ways/ways.ts'

interface Found {
  portal_type_id: number
  custom_portal_url: string | null
  /** `Shown` as JSON. */
  page: string
}
/** What `door_portal` returns about a portal's page. */
interface Shown extends Pick<PortalPageProps, 'design' | 'footer'> {
  property_name: string | null
  network_name: string | null
}

interface Route {
  Params: { public_id: string }
  Querystring: { lang?: string | string[] }
}
type Request = FastifyRequest<Route>

/** Pages are cached: they change only when their operator saves them, and every guest requests one. */
const pages_kept_max = 200

export function servePortals(app: FastifyInstance, services: Services) {
  const { guestDoors } = services
  const ownOf = (request: Request) => `${originOf(request, services)}/p/${request.params.public_id}`
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
    const returned = statusAddressIn(arrived, ownOf(request))
    if (returned) return { returned }
    const renewed = await renewedAt(request, arrived)
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

  /** Where a guest goes on whom the box sends only because it was granted a short length. */
  async function renewedAt(request: Request, { redirect, arrival, is_sealed, known }: Arrived): Promise<string | null> {
    const { mac_address } = arrival
    if (!is_sealed || !known || mac_address === null) return null
    const onward = known.portal.letIn(redirect, registeredOf(known), no_pass)
    if (onward.by !== 'fetch' || onward.fields.lasts_max_s === undefined) return null
    const key = await renew(services, { gateway: known.gateway, mac_address, sent: onward.fields })
    return key === null ? null : backOf(request, key)
  }

  const registeredOf = ({ gateway: { host, login_method }, secret, settings }: NonNullable<Arrived['known']>) => ({
    host,
    login_method,
    secret,
    settings,
    portal_is_https: services.portal_url.startsWith('https:'),
  })
  const backOf = (request: Request, status_key: string) => {
    const chosen = isLanguage(request.query.lang) ? `&lang=${request.query.lang}` : ''
    return `${ownOf(request)}${queryOfKey(status_key)}${chosen}`
  }

  const receive = async (request: FastifyRequest<Route & { Body: Fields }>, reply: FastifyReply) => {
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
    const { known, arrival } = arrived
    const sign_out =
      known && request.body['sign_out'] !== undefined ? known.portal.pagesOf(known.gateway.host).sign_out : null
    if (sign_out !== null) return reply.redirect(sign_out, 303)
    if (!known || arrival.mac_address === null || !offersSignIn(known.gateway))
      return sendStep(request, reply, { found, arrived, step: { name: 'unregistered' } })
    if (arrival.outcome === 'too-old') {
      const step = { name: 'signed-out' } as const
      return sendStep(request, reply, { found, arrived, step, ...signInAgain(known.portal, known.gateway) })
    }
    const { headers, ip, body: fields } = request
    const guest = {
      mac_address: arrival.mac_address,
      language: languageOf(request),
      ip,
      user_agent: headers['user-agent'] ?? null,
    }
    const method = Number(fields['method'])
    if (fields['change'] !== undefined)
      return sendStep(request, reply, { found, arrived, step: { name: 'sign-in', method } })
    // Whoever waits for the property's system keeps nobody else waiting.
    const apart = async (wait: () => Promise<void>) => {
      request.turn?.end()
      await wait()
      await request.takeTurn?.()
    }
    const outcome = await signIn(services, { gateway: known.gateway, guest, fields }, apart)
    if ('waits' in outcome) return sendStep(request, reply, { found, arrived, step: outcome.waits })
    if ('refused' in outcome) {
      const kept = { typed: typedIn(fields), ticked: tickedIn(fields, known.gateway) }
      const step = { name: 'sign-in', refused: outcome.refused, method, ...kept } as const
      return sendStep(request, reply, { found, arrived, step })
    }
    const { status_key, ...credential } = outcome.pass
    const back = backOf(request, status_key)
    const onward = known.portal.letIn(arrived.redirect, registeredOf(known), { ...credential, back })
    const refused = (why: Refusal) => {
      const step = { name: 'sign-in', refused: why, method, typed: typedIn(fields) } as const
      return sendStep(request, reply, { found, arrived, step })
    }
    switch (onward.by) {
      case 'address': {
        const { gateway } = known
        const presented = { gateway, pass: credential, mac_address: guest.mac_address }
        const judged = onward.asks_nobody ? await judgeHere(services, presented) : null
        if (judged && 'refused' in judged) return refused(judged.refused)
        const lasts = judged && onward.seconds_as !== undefined && { [onward.seconds_as]: String(judged.seconds) }
        const query = new URLSearchParams({ ...onward.fields, ...lasts }).toString()
        return reply.redirect(query === '' ? onward.address : `${onward.address}?${query}`, 303)
      }
      case 'form': {
        const step = { name: 'hand-over' } as const
        return sendStep(request, reply, { found, arrived, step, action: onward.address, hidden: onward.fields })
      }
      case 'call':
      case 'fetch': {
        const { gateway } = known
        const fetched = onward.by === 'fetch' && { fetched_as: onward.fields.asks_as }
        const asked = { gateway, pass: credential, mac_address: guest.mac_address, sent: onward.fields, ...fetched }
        const not = await askController(services, asked)
        return not ? refused(not.refused) : reply.redirect(back, 303)
      }
    }
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

/** A box that fetches its guests is told none. */
const no_pass = { username: '', password: '', back: '' }

const gone = (): never => {
  throw notFound()
}

/** What they have agreed to stays ticked; terms that were changed meanwhile are asked for anew. */
const tickedIn = (fields: Fields, { terms_version }: KnownGateway) => [
  ...(fields['terms'] === String(terms_version) ? ['terms'] : []),
  ...(fields['marketing'] === '1' ? ['marketing'] : []),
]

/** The gateway's sign-in page, for a new redirect: an old one cannot be used again. */
const signInAgain = (portal: PortalSignIn, { host }: Pick<KnownGateway, 'host'>) => ({
  action: portal.pagesOf(host).sign_in,
})

/** Some gateways send guests back to the portal itself, with the address they should have gone to in the redirect. */
const statusAddressIn = ({ arrival: { outcome, wanted } }: Arrived, portal: string) =>
  outcome === 'online' && wanted?.startsWith(`${portal}${queryOfKey('')}`) ? wanted : null

/** The page for guests who open it from outside the network. */
function away(page: string, language: Language): PortalPageProps {
  const { network_name, ...shown } = JSON.parse(page) as Shown
  const addressIn = (code: Language) => `?lang=${code}`
  return { ...shown, language, step: { name: 'away', network_name }, action: '', addressIn }
}

/** The code of a slip's QR code, which a guest's camera has opened: here directly, or so that the gateway redirected them here. */
function codeIn({ query }: Pick<Request, 'query'>, arrived: Arrived | null) {
  const own = new URLSearchParams(query as Record<string, string>).get('code')
  const wanted = arrived?.arrival.wanted
  const typed = own ?? (wanted && URL.canParse(wanted) ? new URL(wanted).searchParams.get('code') : null)
  const code = normalised(typed ?? '')
  return code.length === code_length && /^\w+$/.test(code)
    ? { method: authMethods.voucher, typed: { voucher_code: shown(code) } }
    : null
}

function awayWithCode(request: Request, { page }: Found): PortalPageProps {
  const props = away(page, languageOf(request))
  const brought = codeIn(request, null)
  const query = queryOf(request.url)
  return brought
    ? { ...props, query, step: { ...props.step, ...brought }, addressIn: otherLanguage(request.url) }
    : { ...props, query }
}

/** Only methods that we support are offered. */
const servedBy = ({ auth_method_ids }: Pick<KnownGateway, 'auth_method_ids'>) => auth_method_ids.filter(isServed)

/** A portal for registered devices only has no form, and says so to others. */
const offersSignIn = (gateway: KnownGateway) =>
  servedBy(gateway).length > 0 || gateway.auth_method_ids.includes(authMethods.device)

async function firstStep(services: Services, arrived: Arrived, request: Request): Promise<Step> {
  const { known, arrival } = arrived
  if (!known || !offersSignIn(known.gateway)) return { name: 'unregistered' }
  const { mac_address, outcome } = arrival
  const [waits, refused] = await Promise.all([
    mac_address === null ? null : waitingStep(services, known.gateway, mac_address),
    outcome === 'refused' ? lastRefusal(services, known.gateway, mac_address) : undefined,
  ])
  if (outcome === 'too-old') return { name: 'signed-out' }
  if (waits) return refused === 'unconfirmed' ? { ...waits, refused } : waits
  if (outcome === 'online' || outcome === 'signed-out') return { name: outcome }
  return { name: 'sign-in', ...codeIn(request, arrived), ...(refused && { refused }) }
}

interface ShownStep {
  found: Found
  arrived: { known: { gateway: Pick<KnownGateway, 'host' | 'property_name' | 'auth_method_ids'> } | null }
  step: Step
  action?: string
  hidden?: Record<string, string>
}

const customPageOf = (request: Request, shows: ShownStep): CustomPage => ({
  props: propsOf(request, shows),
  sent_to: shows.arrived.known ? originsOf(shows.arrived.known.gateway) : [],
})

function propsOf(request: Request, shows: ShownStep): PortalPageProps {
  const { found, arrived, step, hidden = {} } = shows
  // A custom page's form is sent to its folder, wherever in it the page is.
  const own = found.portal_type_id === portalTypes.custom ? customAddress(request, request.params.public_id) : ''
  const { design, footer, property_name } = JSON.parse(found.page) as Shown
  const { known } = arrived
  return {
    design: { ...design, auth_method_ids: known ? servedBy(known.gateway) : [] },
    footer: footer ?? null,
    property_name: known?.gateway.property_name ?? property_name,
    step,
    language: languageOf(request),
    action: shows.action || own,
    query: queryOf(request.url),
    hidden,
    addressIn: step.name === 'hand-over' ? undefined : otherLanguage(request.url),
  }
}

/** A gateway's own parameters stay unchanged: some are signed. */
const otherLanguage = (url: string) => (code: Language) =>
  `?${(url.split('?')[1] ?? '').replaceAll(/(^|&)lang=[^&]*/g, '')}&lang=${code}`

/** Where a form that was sent to us is redirected to: browsers check that against the page's policy, too. */
function originsOf({ host }: Pick<KnownGateway, 'host'>): string[] {
  const name = host.replace(/:\d+$/, '')
  return /^[\w.-]+$/.test(name) ? [`http://${name}:*`, `https://${name}:*`] : []
}
