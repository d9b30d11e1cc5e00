// Custom portals: pages that a customer made, with all their files, at the portal's own address. They contain untrusted scripts,
// so each answer puts its page into a sandbox: it has no origin, and therefore no storage, no cookies and no access to the admin
// app, to other portals or to a server; it may send its form to its own portal.
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { firstPage, type StepPage } from '#contract/custom-pages.ts'
import { customPage } from '#portal/custom-page.tsx'
import type { PortalPageProps } from '#portal/design.ts'
import { notFound } from '#server/errors/refused.ts'
import { isPage, fileKindOf } from '#server/files/portal-zips/kinds.ts'
import { readName } from '#server/files/portal-zips/names.ts'
import { runtimeName } from '#server/files/portal-zips/pages.ts'
import { runtime } from '#server/files/portal-zips/sample.ts'
import { originOf } from '#server/gateways/portal-hosts.ts'
import type { Services } from '#server/services.ts'

interface Found {
  customer_id: number
  hash: string
  content_type: string
}
/** The values for a page, and where its form may be redirected besides its own portal. */
export interface CustomPage {
  props: PortalPageProps
  sent_to: readonly string[]
}
interface Route {
  Params: { public_id: string; '*': string }
  Querystring: { lang?: string | string[] }
}
type Request = FastifyRequest<Route>

interface Serves {
  /** Answers the portal's own address, which is the base of its files' names. */
  open: (request: Request, reply: FastifyReply) => Promise<FastifyReply>
  /** The values for a page that is requested by its name; throws if there is no portal. */
  pageOf: (request: Request, name: string) => Promise<CustomPage>
}
/**
 * @returns a function that fills in and sends the first of the named pages that the zip has; it returns null if there is
 * none of them.
 */
export function serveCustomPortals(
  app: FastifyInstance,
  services: Pick<Services, 'guestDoors' | 'storage' | 'portal_url' | 'portal_domain'>,
  { open, pageOf }: Serves,
) {
  const { guestDoors, storage } = services
  const find = async (public_id: string, file: string) => {
    const [found] = await guestDoors.callFunction(
      sql<Found>`select * from door_custom_portal_file(${public_id}, ${file})`,
    )
    return found
  }
  const headersOf = ({ request }: FastifyReply, public_id: string, sent_to: readonly string[] = []) => ({
    ...headers,
    'content-security-policy': contentSecurityOf(`${originOf(request, services)}/p/${public_id}`, sent_to),
  })
  const content = async ({ customer_id, hash }: Found) => {
    const file = await storage.read(customer_id, hash)
    if (!file) throw notFound()
    return file
  }

  async function fill(reply: FastifyReply, { public_id, found }: Filled, { props, sent_to }: CustomPage) {
    reply.headers(headersOf(reply, public_id, sent_to)).type(found.content_type)
    const markup = await buffer((await content(found)).content)
    return reply.send(customPage(markup.toString(), props))
  }

  async function send(request: Request, reply: FastifyReply, name: string) {
    const { public_id } = request.params
    if (!/^[\da-f]{32}$/.test(public_id) || !('path' in readName(Buffer.from(name)))) throw notFound()
    const found = await find(public_id, name)
    const type = fileKindOf(name)?.content_type
    if (!found || found.content_type !== type) throw notFound()
    reply.type(type)
    if (isPage(name)) return fill(reply, { public_id, found }, await pageOf(request, name))
    // Another zip may have another file at the same address.
    const etag = `"${found.hash}"`
    reply.headers({ etag, 'cache-control': 'no-cache' })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    const file = await content(found)
    return reply.header('content-length', file.byte_size).send(file.content)
  }

  app.get<Route>('/p/:public_id/*', async (request, reply) => {
    const { public_id, '*': name } = request.params
    // A page in a sandbox can have no service worker; neither may anything else of this origin.
    if (request.headers['service-worker']) throw notFound()
    if (name === '' || name === firstPage) return open(request, reply)
    reply.headers(headersOf(reply, public_id))
    if (name === runtimeName) return reply.type('text/javascript; charset=utf-8').send(runtime)
    return send(request, reply, name)
  })

  return async (
    { params: { public_id } }: FastifyRequest<{ Params: { public_id: string } }>,
    reply: FastifyReply,
    names: readonly StepPage[],
    page: () => CustomPage,
  ) => {
    for (const name of names) {
      const found = await find(public_id, name)
      if (found) return fill(reply, { public_id, found }, page())
    }
    return null
  }
}

interface Filled {
  public_id: string
  found: Found
}

type At = Pick<FastifyRequest<{ Params: { public_id: string } }>, 'url' | 'params'>

/** The field that names the portal to which the gateway redirected, at the address of the property's own custom portal. */
const redirected_to = 'redirected_to'
const redirectedTo = new RegExp(`[?&]${redirected_to}=([\\da-f]{32})(?=&|$)`)

/** The base of a custom portal's files, with the query of the request. */
export function customAddress({ url, params }: At, public_id: string): string {
  const query = queryOf(url)
  const sent_on = public_id !== params.public_id && !redirectedTo.test(query)
  return `/p/${public_id}/${query}${sent_on ? `${query === '' ? '?' : '&'}${redirected_to}=${params.public_id}` : ''}`
}
/** The address to which the gateway redirected, which it may have signed. */
export function portalAddress({ url, params: { public_id } }: At): string {
  const query = queryOf(url)
  return `/p/${redirectedTo.exec(query)?.[1] ?? public_id}${query.replace(redirectedTo, '')}`
}

/** The query of the gateway's redirect: added to an address, it keeps the guest known there. */
export function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at)
}

const headers = {
  'x-content-type-options': 'nosniff',
  // For a page without an origin its own files are cross-origin.
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** @param own the portal's address; files of other portals are not allowed */
const contentSecurityOf = (own: string, sent_to: readonly string[]) =>
  [
    'sandbox allow-forms allow-scripts',
    "default-src 'none'",
    `script-src ${own}/`,
    `style-src ${own}/ 'unsafe-inline'`,
    `img-src ${own}/ data:`,
    `font-src ${own}/`,
    ['form-action', `${own}/`, ...sent_to].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join(';')
