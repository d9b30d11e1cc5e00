// Health: `/healthz` says that the process lives and does no work; `/readyz` that the database answers.
import type { FastifyInstance } from 'fastify'
import type { Tenancy } from '#server/access/tenancy.ts'
import { handleError } from '#server/api/refusals.ts'

/** On `PORT` of every node, whatever its roles. */
export function serveHealth(app: FastifyInstance, tenancy: Tenancy) {
  app.setErrorHandler(handleError)
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    await tenancy.ping()
    return { status: 'ready' }
  })
}
