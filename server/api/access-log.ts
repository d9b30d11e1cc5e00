// Access log: every request gets an id and leaves one line and its counts, whatever application answered it. The route
// stands there, never the address as it was asked for: that may hold a voucher's code or a token.
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refusals } from '#contract/errors.ts'
import { securityEventOf } from '#server/api/security-events.ts'
import { networkOf } from '#server/access/network.ts'
import { keyOf } from '#server/access/principal.ts'
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

/** Asked for every few seconds by whoever looks after the node. */
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

/** As it was declared. All files of the web app, and what is nowhere, are one: their number must not grow with what is asked. */
function routeOf({ routeOptions: { url } }: FastifyRequest): string {
  if (url === undefined) return 'none'
  return /^\/(api|p|i|files|healthz|readyz)\b/.test(url) ? url : 'web'
}

function callerIn({ admitted }: FastifyRequest) {
  return admitted ? { customer: admitted.caller.customer_id, principal: keyOf(admitted.caller) } : {}
}

/** Whom a sign-in was tried for, as a mark that shows the same account again and tells nothing of it. */
function accountIn({ body }: FastifyRequest, fingerprint: Fingerprint) {
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : undefined
  if (typeof email !== 'string') return {}
  return { account: fingerprint(`account ${email.toLowerCase()}`).toString('hex').slice(0, mark_length) }
}

/** What a customer's own people should know: their activity log says it, a few times an hour at most. */
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

/** A disk that is nearly full is told of once, where it is looked at (server/turns/disk.ts), and the answer says what to do. */
const isNearlyFull = (error: Error, status: number) => status === refusals.full.status && error instanceof Refused

/** The cause of an answer of trouble: a fault of ours is an error, what is busy or away a warning. */
export function logTrouble(error: Error, request: FastifyRequest, status: number) {
  if (status < failure || isNearlyFull(error, status)) return
  const fault = status === failure
  request.log[fault ? 'error' : 'warn']({ err: error, route: routeOf(request) }, fault ? 'broken' : 'unavailable')
}

/** What goes with an answer of trouble, for whoever asks about it to name. */
export const referenceOf = (request: FastifyRequest, status: number) =>
  status >= failure && status !== refusals.full.status ? { request_id: request.id } : {}
