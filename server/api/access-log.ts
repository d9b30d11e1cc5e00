// Access log: every request gets an id, leaves one line and is counted, whichever application answered it. The line has the
// route, never the requested URL: that may contain a voucher's code or a token.
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refusals } from '#contract/errors.ts'
import { partOf } from '#contract/keys.ts'
import { securityEventOf } from '#server/api/security-events.ts'
import { networkOf } from '#server/access/network.ts'
import { principalKey } from '#server/access/principal.ts'
import { Refused } from '#server/errors/refused.ts'
import type { SecurityNotes } from '#server/entities/security-notes.ts'
import type { Fingerprint } from '#server/secrets/seal.ts'
import type { Log } from '#server/watch/log.ts'
import type { Metrics } from '#server/watch/metrics.ts'
import { networkOnly } from '#server/watch/redact.ts'

const id_length = 10
const mark_length = 10
const failure = 500

/** Short enough to be read out on the telephone. */
export const newRequestId = () => randomUUID().replaceAll('-', '').slice(0, id_length)

/** Requested every few seconds by whatever monitors the node. */
const quiet = new Set(['/healthz', '/readyz'])

interface Watched {
  log: Log
  metrics: Metrics
  notes: SecurityNotes
  fingerprint: Fingerprint
}

export function keepAccessLog(app: FastifyInstance, name: string, { log, metrics, notes, fingerprint }: Watched) {
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  app.addHook('onResponse', async (request, reply) => {
    const route = routeOf(request)
    const { method } = request
    const status = reply.statusCode
    metrics.request({ app: name, route, method, status }, reply.elapsedTime / 1000)
    if (quiet.has(route) && status < failure) return
    const event = securityEventOf(request, status)
    const line = { request: request.id, app: name, method, route, status, ms: Math.round(reply.elapsedTime) }
    const who = { network: networkOnly(request.ip), ...callerIn(request) }
    const what = event && { event: event.name, ...accountIn(request, fingerprint) }
    log[event?.grave || status >= failure ? 'warn' : 'info']({ ...line, ...who, ...what }, event?.name ?? 'request')
    noteForCustomer(request, route, event?.name, notes)
  })
}

/** The route as declared. Files of the web app are one route, and so are unknown URLs: the number of routes must not grow with requests. */
function routeOf({ routeOptions: { url } }: FastifyRequest): string {
  if (url === undefined) return 'none'
  return /^\/(api|p|i|files|healthz|readyz)\b/.test(url) ? url : 'web'
}

function callerIn({ admitted }: FastifyRequest) {
  return admitted ? { customer: admitted.caller.customer_id, principal: principalKey(admitted.caller) } : {}
}

/** The account of a sign-in, as a pseudonym: the same for the same account, and without its address. */
function accountIn({ body }: FastifyRequest, fingerprint: Fingerprint) {
  const email = partOf(body, 'email')
  if (typeof email !== 'string') return {}
  return { account: fingerprint(`account ${email.toLowerCase()}`).toString('hex').slice(0, mark_length) }
}

/** Events that a customer's own people should know of: noted in their activity log, at most a few times an hour. */
function noteForCustomer(
  { admitted, ip }: FastifyRequest,
  route: string,
  event: string | undefined,
  notes: SecurityNotes,
) {
  if (!admitted) return
  const { caller } = admitted
  if (event === 'denied') notes.denied(caller, route)
  else if (caller.principal.kind === 'api_key') notes.keyUsed(caller, networkOf(ip))
}

/** A nearly full disk is logged once, where it is measured (server/turns/disk.ts), and the answer says what to do. */
const isNearlyFull = (error: Error, status: number) => status === refusals.full.status && error instanceof Refused

/** Logs the cause of a 5xx answer: our own fault as an error; something busy or unreachable as a warning. */
export function logTrouble(error: Error, request: FastifyRequest, status: number) {
  if (status < failure || isNearlyFull(error, status)) return
  const fault = status === failure
  request.log[fault ? 'error' : 'warn']({ err: error, route: routeOf(request) }, fault ? 'broken' : 'unavailable')
}

/** Added to 5xx answers, so that people who ask about one can name it. */
export const referenceOf = (request: FastifyRequest, status: number) =>
  status >= failure && status !== refusals.full.status ? { request_id: request.id } : {}
