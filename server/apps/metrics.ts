// Metrics app: what Prometheus reads, on a port of its own that no guest and no customer reaches.
import Fastify, { type FastifyInstance } from 'fastify'
import type { RadiusApart } from '#server/apps/radius-apart.ts'
import type { Metrics } from '#server/watch/metrics.ts'
import { patientStart } from '#server/start/patient-start.ts'
import { dropSlowSenders } from '#server/watch/slow-senders.ts'
import { dropStalledReaders } from '#server/watch/stalled-readers.ts'

/** @param apart RADIUS, where it has a process of its own: its metrics stand beside, with `process="radius"` */
export function metricsApp(metrics: Metrics, apart: Pick<RadiusApart, 'metrics'> | null): FastifyInstance {
  const app = Fastify({ logger: false, forceCloseConnections: true, ...dropSlowSenders(), ...patientStart })
  dropStalledReaders(app)
  app.get('/metrics', async (_request, reply) => {
    const { type, body } = await metrics.text(apart ? { radius: await apart.metrics() } : {})
    return reply.type(type).send(body)
  })
  return app
}
