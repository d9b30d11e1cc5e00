// Portal steps: what a guest is shown at a portal, and what its page is drawn from.
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { authMethods, portalTypes } from '#contract/portals.ts'
import { code_length, normalised, shown } from '#contract/vouchers.ts'
import type { PortalPageProps, Step } from '#portal/design.ts'
import type { Language } from '#portal/languages.ts'
import type { PortalSignIn } from '#server/gateways/kind.ts'
import type { Services } from '#server/services.ts'
import type { Arrived, KnownGateway } from './arrivals.ts'
import { customAddress, queryOf, type CustomPage } from './custom-portals.ts'
import { languageOf } from './page.ts'
import { lastRefusal } from './refusals.ts'
import { waitingStep } from './ways/by-message.ts'
import { isServedWay } from './ways/ways.ts'

export interface FoundPortal {
  id: number
  public_id: string
  portal_type_id: number
  custom_portal_url: string | null
  /** `Shown` as JSON. */
  page: string
}
/** What `door_portal_shown` returns about a portal's page. */
interface Shown extends Pick<PortalPageProps, 'design' | 'footer'> {
  property_name: string | null
  network_name: string | null
}

/** What guests are shown at an address: the portal of the property where they are, if it is known. Undefined: none that is active. */
export async function findPortal(
  { guestDoors }: Pick<Services, 'guestDoors'>,
  public_id: string,
  property_id: number | null,
): Promise<FoundPortal | undefined> {
  const [found] = await guestDoors.callFunction(
    sql<FoundPortal>`select * from door_portal_shown(${public_id}, ${property_id}::integer)`,
  )
  return found
}

export interface Route {
  Params: { public_id: string }
  Querystring: { lang?: string | string[]; withdraw?: string | string[] }
}
export type Request = FastifyRequest<Route>

export interface ShownStep {
  found: FoundPortal
  arrived: { known: { gateway: Pick<KnownGateway, 'host' | 'property_name' | 'auth_method_ids'> } | null }
  step: Step
  action?: string
  hidden?: Record<string, string>
}

export async function firstStep(
  services: Pick<Services, 'tenancy'>,
  arrived: Arrived,
  request: Request,
): Promise<Step> {
  const { known, arrival } = arrived
  if (!known || !offersSignIn(known.gateway)) return { name: 'unregistered' }
  const { mac_address, outcome } = arrival
  const [waits, refused] = await Promise.all([
    mac_address === null ? null : waitingStep(services, known.gateway, mac_address),
    outcome === 'refused' ? lastRefusal(services, known.gateway, mac_address) : undefined,
  ])
  if (outcome === 'too-old') return { name: 'signed-out' }
  if (waits) return refused === 'unconfirmed' ? { ...waits, refused } : waits
  if (outcome === 'online') return onlineAt(known)
  if (outcome === 'signed-out') return { name: outcome }
  return { name: 'sign-in', ...codeIn(request, arrived), ...(refused && { refused }) }
}

/** Who is online already, without their pass, signs out at the gateway's own page. */
export const onlineAt = ({ portal, gateway }: NonNullable<Arrived['known']>): Step => ({
  name: 'online',
  no_sign_out: portal.pagesOf(gateway.host).sign_out === null,
})

/** The gateway's sign-in page, for a new redirect: an old one cannot be used again. */
export const signInAgain = (portal: PortalSignIn, { host }: Pick<KnownGateway, 'host'>) => ({
  action: portal.pagesOf(host).sign_in,
})

/** Only methods that we support are offered. */
const servedBy = ({ auth_method_ids }: Pick<KnownGateway, 'auth_method_ids'>) => auth_method_ids.filter(isServedWay)

/** A portal for registered devices only has no form, and says so to others. */
export const offersSignIn = (gateway: KnownGateway) =>
  servedBy(gateway).length > 0 || gateway.auth_method_ids.includes(authMethods.device)

/** The code of a slip's QR code, which a guest's camera has opened: here directly, or so that the gateway redirected them here. */
export function codeIn({ query }: Pick<Request, 'query'>, arrived: Arrived | null) {
  const own = new URLSearchParams(query as Record<string, string>).get('code')
  const wanted = arrived?.arrival.wanted
  const typed = own ?? (wanted && URL.canParse(wanted) ? new URL(wanted).searchParams.get('code') : null)
  const code = normalised(typed ?? '')
  return code.length === code_length && /^\w+$/.test(code)
    ? { method: authMethods.voucher, typed: { voucher_code: shown(code) } }
    : null
}

/** The page for guests who open it from outside the network. */
export function away(page: string, language: Language): PortalPageProps {
  const { network_name, ...shown } = JSON.parse(page) as Shown
  const addressIn = (code: Language) => `?lang=${code}`
  return { ...shown, language, step: { name: 'away', network_name }, action: '', addressIn }
}

export function awayWithCode(request: Request, { page }: FoundPortal): PortalPageProps {
  const props = away(page, languageOf(request))
  const brought = codeIn(request, null)
  const query = queryOf(request.url)
  return brought
    ? { ...props, query, step: { ...props.step, ...brought }, addressIn: otherLanguage(request.url) }
    : { ...props, query }
}

export const customPageOf = (request: Request, shows: ShownStep): CustomPage => ({
  props: propsOf(request, shows),
  sent_to: shows.arrived.known ? originsOf(shows.arrived.known.gateway) : [],
})

export function propsOf(request: Request, shows: ShownStep): PortalPageProps {
  const { found, arrived, step, hidden = {} } = shows
  // A custom page's form is sent to its folder, wherever in it the page is.
  const own = found.portal_type_id === portalTypes.custom ? customAddress(request, found.public_id) : ''
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
  `?${queryOf(url)
    .slice(1)
    .replaceAll(/(^|&)lang=[^&]*/g, '')}&lang=${code}`

/**
 * Where a form that was sent to us is redirected to: browsers check that against the page's policy, too. A policy cannot name an IPv6
 * address.
 */
export function originsOf({ host }: Pick<KnownGateway, 'host'>): string[] {
  if (host.startsWith('[')) return ['http:', 'https:']
  const name = host.replace(/:\d+$/, '')
  return /^[\w.-]+$/.test(name) ? [`http://${name}:*`, `https://${name}:*`] : []
}
