// Health: `/healthz` answers while the process lives, without doing any work; `/readyz` when this node can do the work of its roles.
import type { FastifyInstance } from 'fastify'
import { handleError } from '#server/api/refusals.ts'
import type { Readiness } from '#server/apps/readiness.ts'
import { isRole, type NodeRole } from '#server/start/config.ts'
import { version } from '#server/start/version.ts'

/** For programs: a browser runs nothing of it, and it is never cached. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

/** On `PORT` of every node, whatever its roles. `/readyz?role=radius` asks for what that role needs alone. */
export function serveHealth(app: FastifyInstance, askReadiness: (role?: NodeRole) => Promise<Readiness>) {
  app.setErrorHandler(handleError)
  app.get('/healthz', async (_request, reply) => {
    reply.headers(headers)
    return { status: 'ok', version }
  })
  app.get<{ Querystring: { role?: string } }>('/readyz', async ({ query: { role } }, reply) => {
    reply.headers(headers)
    if (role !== undefined && !isRole(role))
      return reply.code(422).send({ message: 'role is one of api, guest, radius and jobs.' })
    const { ready, checks } = await askReadiness(role)
    if (!ready) reply.code(503).header('retry-after', 5)
    return { status: ready ? 'ready' : 'not ready', version, checks }
  })
}
