// Portals: the page of an operator at its public address, in the language that a guest reads.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import Negotiator from 'negotiator'
import { portalTypes } from '#contract/portals.ts'
import type { PortalPageProps } from '#portal/design.ts'
import { isLanguage, languageCodes, type Language } from '#portal/languages.ts'
import { portalDocument } from '#portal/portal-document.tsx'
import { networkOf } from '#server/access/network.ts'
import { notFound } from '#server/access/refused.ts'
import { customAddress, serveCustomPortals } from './custom-portals.ts'
import type { Services } from '#server/services.ts'

interface Found {
  portal_type_id: number
  custom_portal_url: string | null
  /** `Shown` as JSON. */
  page: string
}
/** What migration 0195 makes of a portal. */
interface Shown extends Pick<PortalPageProps, 'design' | 'footer'> {
  property_name: string | null
  network_name: string | null
}

interface Asked {
  Params: { public_id: string }
  Querystring: { lang?: string | string[] }
}

export function servePortals(app: FastifyInstance, services: Services) {
  const { guestDoors, turns } = services
  const find = async (public_id: string, ip: string) => {
    using _turn = await turns.admission.take(`address ${networkOf(ip)}`)
    const [found] = await guestDoors.callFunction(sql<Found>`select * from door_portal(${public_id})`)
    return found
  }
  const awayPage = keepingSome(pages_kept_max, (page, language) => portalDocument(away(page, language)))

  app.get<Asked>('/p/:public_id', async (request, reply) => {
    const found = await find(request.params.public_id, request.ip)
    if (!found) throw notFound()
    if (found.portal_type_id === portalTypes.external && found.custom_portal_url !== null)
      return reply.redirect(found.custom_portal_url)
    if (found.portal_type_id === portalTypes.custom)
      return reply.redirect(customAddress(request, request.params.public_id))
    // Nobody comes through a gateway here, so there is nobody who could be let online.
    return sendPage(request, reply, awayPage(found.page, languageOf(request)))
  })
  serveCustomPortals(app, services, async (request) => {
    const found = await find(request.params.public_id, request.ip)
    if (!found) throw notFound()
    return away(found.page, languageOf(request))
  })
}

/** What is drawn for whoever opens the page from outside the network. */
function away(page: string, language: Language): PortalPageProps {
  const { network_name, ...shown } = JSON.parse(page) as Shown
  const addressIn = (code: Language) => `?lang=${code}`
  return { ...shown, language, step: { name: 'away', network_name }, action: '', addressIn }
}

/** The one that was chosen, else the first of those that the browser names. */
function languageOf({ query, headers }: FastifyRequest<Asked>): Language {
  if (isLanguage(query.lang)) return query.lang
  const [preferred] = new Negotiator({ headers }).languages(languageCodes)
  return isLanguage(preferred) ? preferred : 'en'
}

interface Page {
  /** Encoded once, and not for each guest. */
  plain: Buffer
  gzipped: Buffer
  content_security: string
}

function sendPage({ headers }: FastifyRequest<Asked>, reply: FastifyReply, page: Page) {
  reply.type('text/html; charset=utf-8').header('content-security-policy', page.content_security)
  const [encoding] = new Negotiator({ headers }).encodings(['gzip', 'identity'])
  return encoding === 'gzip' ? reply.header('content-encoding', 'gzip').send(page.gzipped) : reply.send(page.plain)
}

/** A portal's page changes when its operator saves it, and is asked for by each guest. */
const pages_kept_max = 200

/** Draws a page when its portal looks otherwise than before. What was kept longest makes room. */
function keepingSome(kept_max: number, draw: (page: string, language: Language) => ReturnType<typeof portalDocument>) {
  const kept = new Map<string, Page>()
  return (page: string, language: Language): Page => {
    const key = language + page
    const known = kept.get(key)
    if (known) return known
    const { html, styles } = draw(page, language)
    const drawn = { plain: Buffer.from(html), gzipped: gzipSync(html), content_security: contentSecurityOf(styles) }
    const [oldest] = kept.keys()
    if (kept.size >= kept_max && oldest !== undefined) kept.delete(oldest)
    kept.set(key, drawn)
    return drawn
  }
}

/** Nothing but the page's own styles, and pictures and fonts of this origin. */
const contentSecurityOf = (styles: string) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join(';')
