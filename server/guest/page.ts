// Page: how a rendered page is sent: in an encoding that the browser accepts, with a policy that allows only its own parts.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { isLanguage, languageCodes, type Language } from '#portal/languages.ts'
import type { PortalDocument } from '#portal/portal-document.tsx'

export interface Page {
  /** Compressed once, not for each guest. */
  plain: Buffer
  gzipped: Buffer
  content_security: string
}

/** @param sent_to origins that its form may be sent or redirected to, besides our own */
export const pageOf = ({ html, styles, script }: PortalDocument, sent_to: readonly string[] = []): Page => ({
  plain: Buffer.from(html),
  gzipped: gzipSync(html),
  content_security: [
    "default-src 'none'",
    `style-src ${hashOf(styles)}`,
    ...(script === null ? [] : [`script-src ${hashOf(script)}`]),
    "img-src 'self' data:",
    "font-src 'self'",
    ['form-action', "'self'", ...sent_to].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join(';'),
})

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export function sendPage({ headers }: FastifyRequest, reply: FastifyReply, page: Page) {
  reply.type('text/html; charset=utf-8').header('content-security-policy', page.content_security)
  const [encoding] = new Negotiator({ headers }).encodings(['gzip', 'identity'])
  return encoding === 'gzip' ? reply.header('content-encoding', 'gzip').send(page.gzipped) : reply.send(page.plain)
}

/** The chosen language, else the one that the browser prefers. */
export function languageOf({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): Language {
  // An address that cannot be read has no query.
  const { lang } = (query ?? {}) as { lang?: unknown }
  if (isLanguage(lang)) return lang
  const [preferred] = new Negotiator({ headers }).languages(languageCodes)
  return isLanguage(preferred) ? preferred : 'en'
}

/** Renders a page only when its portal has changed. The oldest cached page is dropped first. */
export function cachedPages(kept_max: number, draw: (page: string, language: Language) => Page) {
  const kept = new Map<string, Page>()
  return (page: string, language: Language): Page => {
    const key = language + page
    const known = kept.get(key)
    if (known) return known
    const drawn = draw(page, language)
    const [oldest] = kept.keys()
    if (kept.size >= kept_max && oldest !== undefined) kept.delete(oldest)
    kept.set(key, drawn)
    return drawn
  }
}
