// Listen: opens an application's port, or says which setting to change.
import type { FastifyInstance } from 'fastify'
import { portRefused } from '#server/start/ports.ts'

/** @throws CannotStart for a port that cannot be had, with its setting */
export async function listen(app: FastifyInstance, host: string, port: number, setting: string): Promise<void> {
  await app.listen({ host, port }).catch((error: unknown) => {
    throw portRefused(error, { host, port, setting })
  })
}
