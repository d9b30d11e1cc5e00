// Guest app: what guests see in a browser, on an origin of its own: plain pages that work without JavaScript or cookies in
// the small window of a phone that has just joined a network. Nothing of the API or the admin app is served here.
import helmet from '@fastify/helmet'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '#server/access/network.ts'
import { logTrouble, referenceOf } from '#server/api/access-log.ts'
import { refusedFor } from '#server/api/refusals.ts'
import type { Turn } from '#server/turns/turns.ts'
import { serveCaptive } from '#server/guest/captive.ts'
import { serveConfirmLinks } from '#server/guest/confirm-link.ts'
import { languageOf } from '#server/guest/page.ts'
import { busyPage, refusalPage, stylesHash, usual_refresh_s } from '#server/guest/pages.ts'
import { serveStopLinks } from '#server/guest/stop-reports.ts'
import { serveHooks } from '#server/guest/hooks.ts'
import { serveFonts } from '#server/guest/fonts.ts'
import { serveBoxAsks } from '#server/guest/box-asks.ts'
import { serveOwnPaths } from '#server/guest/own-paths.ts'
import { servePictures } from '#server/guest/pictures.ts'
import { servePortals } from '#server/guest/portals.ts'
import { serveTrials } from '#server/guest/trials.ts'
import type { Services } from '#server/services.ts'

export async function guestApp(app: FastifyInstance, services: Services) {
  app.setErrorHandler(handleError)
  app.setNotFoundHandler((request, reply) => send(reply.code(404), refusalPage(languageOf(request), 404)))
  takeFormsOnly(app)
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurity },
    // Browsers accept these only from encrypted pages, and warn otherwise.
    hsts: services.portal_url.startsWith('https:'),
    crossOriginOpenerPolicy: services.portal_url.startsWith('https:'),
    referrerPolicy: { policy: 'no-referrer' },
  })
  // A phone's captive window would otherwise show a stale page to somebody who is online by now.
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

  app.addHook('onRequest', async ({ method }) => {
    if (method !== 'GET') services.disk.refuseGuestsWhenFull()
  })

  takeTurns(app, services)

  servePictures(app, services)
  serveFonts(app)
  servePortals(app, services)
  serveOwnPaths(app, services)
  serveBoxAsks(app, services)
  serveTrials(app, services)
  serveCaptive(app, services)
  serveConfirmLinks(app, services)
  serveHooks(app, services)
  await serveStopLinks(app, services)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The turn of a guest's request. */
    turn?: Turn
    /** Takes another one, after the first was ended for a wait. */
    takeTurn?: () => Promise<void>
  }
}

/**
 * A request has its turn from when it has been read until its page is rendered, so that a crowd of guests delays nobody else;
 * neither a slow sender nor a slow reader occupies one.
 */
function takeTurns(app: FastifyInstance, { turns }: Services) {
  app.addHook('preHandler', async (request) => {
    request.takeTurn = async () => void (request.turn = await turns.guests.take(`address ${networkOf(request.ip)}`))
    await request.takeTurn()
  })
  app.addHook('onSend', async (request) => request.turn?.end())
}

const contentSecurity = {
  defaultSrc: ["'none'"],
  styleSrc: [stylesHash],
  imgSrc: ["'self'", 'data:'],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
}

/** Accepts only forms. Each field counts once: if a name is repeated, the last value. */
function takeFormsOnly(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
}

const send = (reply: FastifyReply, page: string) => reply.type('text/html; charset=utf-8').send(page)

/** A URL that is malformed or too long is not found. */
export const handleBadGuestAddress = (_error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
  void send(reply.code(404), refusalPage(languageOf(request), 404))

/** What passes by itself. */
const busy = [429, 503]

function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const refused = refusedFor(error)
  logTrouble(error, request, refused.status)
  if (refused.retry_after_s !== undefined) reply.header('retry-after', refused.retry_after_s)
  if (busy.includes(refused.status)) {
    const refresh_s = request.method === 'GET' ? (refused.retry_after_s ?? usual_refresh_s) : null
    return send(reply.code(refused.status), busyPage(languageOf(request), refresh_s))
  }
  const { request_id } = referenceOf(request, refused.status)
  return send(reply.code(refused.status), refusalPage(languageOf(request), refused.status, request_id))
}
