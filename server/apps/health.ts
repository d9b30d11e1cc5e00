// Health: `/healthz` answers while the process lives, without doing any work; `/readyz` when the database answers.
import type { FastifyInstance } from 'fastify'
import type { Tenancy } from '#server/access/tenancy.ts'
import { handleError } from '#server/api/refusals.ts'

/** For programs: a browser runs nothing of it, and it is never cached. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

/** On `PORT` of every node, whatever its roles. */
export function serveHealth(app: FastifyInstance, tenancy: Tenancy) {
  app.setErrorHandler(handleError)
  app.get('/healthz', async (_request, reply) => {
    reply.headers(headers)
    return { status: 'ok' }
  })
  app.get('/readyz', async (_request, reply) => {
    reply.headers(headers)
    await tenancy.ping()
    return { status: 'ready' }
  })
}
