// Metrics app: what Prometheus reads, on a port of its own that no guest and no customer reaches.
import Fastify, { type FastifyInstance } from 'fastify'
import type { Metrics } from '#server/watch/metrics.ts'
import { dropSlowSenders } from '#server/watch/slow-senders.ts'
import { dropStalledReaders } from '#server/watch/stalled-readers.ts'

export function metricsApp(metrics: Metrics): FastifyInstance {
  const app = Fastify({ logger: false, forceCloseConnections: true, ...dropSlowSenders() })
  dropStalledReaders(app)
  app.get('/metrics', async (_request, reply) => {
    const { type, body } = await metrics.text()
    return reply.type(type).send(body)
  })
  return app
}
