// Waiting: what listens on a node's ports from the first second of a start until its applications do, while the database is opened
// and upgraded. People and programs are told so, and when to ask again; RADIUS is silent, so that gateways repeat their packets.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { languageOf } from '#server/guest/page.ts'
import { upgradingGuestPage, upgradingPage } from '#server/guest/pages.ts'
import type { Config } from '#server/start/config.ts'
import { listen } from '#server/start/listen.ts'
import { patientStart } from '#server/start/patient-start.ts'
import { radiusPortRefused } from '#server/start/ports.ts'
import { version } from '#server/start/version.ts'
import { dropSlowSenders } from '#server/watch/slow-senders.ts'

export interface Waiting {
  /** How much of the upgrade is done; until something is left to do the node is only starting. */
  upgrading(at: { done: number; total: number }): void
  /** Frees the ports for the applications. */
  close(): Promise<void>
}

/** How soon to ask again. */
const retry_after_s = 5

/** @throws CannotStart for a port that cannot be had, with its setting */
export async function openWaiting(config: Config): Promise<Waiting> {
  let percent: number | null = null
  const status = () => ({ status: percent === null ? 'starting' : 'upgrading', ...(percent !== null && { percent }) })
  const sentence = () =>
    percent === null ? 'Foyer is starting.' : `Foyer is being upgraded: ${percent} % of it is done.`

  await using opened = new AsyncDisposableStack()
  const open = async (app: FastifyInstance, host: string, port: number, setting: string) => {
    opened.defer(() => app.close())
    await listen(app, host, port, setting)
  }

  const sendSentence = (reply: FastifyReply) => reply.send({ message: sentence() })
  const admin = waitingApp((request, reply) =>
    wantsPage(request) ? sendPage(reply, upgradingPage(percent)) : sendSentence(reply),
  )
  // The process lives and is at work: whoever restarts it now makes it begin again.
  admin.get('/healthz', (_request, reply) => reply.send({ ...status(), version }))
  admin.get('/readyz', (_request, reply) => later(reply).send({ ...status(), version, message: sentence() }))
  await open(admin, config.host, config.port, 'PORT')
  if (config.roles.includes('guest')) {
    const guest = waitingApp((request, reply) =>
      sendPage(reply, upgradingGuestPage(languageOf(request), request.method === 'GET')),
    )
    await open(guest, config.host, config.portal_port, 'PORTAL_PORT')
  }
  const forPrograms = () => waitingApp((_request, reply) => sendSentence(reply))
  if (config.metrics_port !== null) await open(forPrograms(), config.host, config.metrics_port, 'METRICS_PORT')
  if (config.roles.includes('radius')) {
    if (config.radius_http)
      await open(forPrograms(), config.radius_http.host, config.radius_http.port, 'RADIUS_HTTP_PORT')
    for (const port of Object.values(config.radius_ports ?? {})) {
      const socket = await openSilent(config.radius_host, port)
      opened.defer(() => new Promise<void>((resolve) => socket.close(() => resolve())))
    }
  }

  const ports = opened.move()
  return {
    upgrading({ done, total }) {
      if (done < total) percent = Math.floor((100 * done) / total)
    },
    close: () => ports.disposeAsync(),
  }
}

/** Answers everything with 503, also a request whose address or body nobody could read. */
function waitingApp(answer: (request: FastifyRequest, reply: FastifyReply) => unknown): FastifyInstance {
  const app = Fastify({
    ...dropSlowSenders(),
    ...patientStart,
    forceCloseConnections: true,
    frameworkErrors: (_error, request, reply) => void answer(request, later(reply)),
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume()
    done(null)
  })
  app.setNotFoundHandler((request, reply) => answer(request, later(reply)))
  return app
}

/** A connection that is kept would end when the applications take the port. */
const later = (reply: FastifyReply) =>
  reply.code(503).headers({ 'retry-after': retry_after_s, 'cache-control': 'no-store', connection: 'close' })

const sendPage = (reply: FastifyReply, { html, content_security }: { html: string; content_security: string }) =>
  reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': content_security, 'x-content-type-options': 'nosniff' })
    .send(html)

const wantsPage = ({ url, headers }: FastifyRequest) =>
  !/^\/(api|files|fonts)\//.test(url) && (headers.accept ?? '').includes('text/html')

/** A port that answers nothing: one that is closed tells gateways that the server is dead. */
async function openSilent(host: string, port: number): Promise<Socket> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  socket.bind(port, host)
  await once(socket, 'listening').catch((error: unknown) => {
    throw radiusPortRefused(error, host)
  })
  socket.on('error', () => {})
  return socket
}
