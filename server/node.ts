// Node: what this process is made of, by the roles that it was given: the applications that listen, and the jobs.
import Fastify, { LogController, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { Config } from '#server/start/config.ts'
import { keepAccessLog, newRequestId } from '#server/api/access-log.ts'
import { readPeer } from '#server/api/peer.ts'
import { apiApp } from '#server/apps/api.ts'
import { serveHealth } from '#server/apps/health.ts'
import { startJobs } from '#server/apps/jobs.ts'
import { metricsApp } from '#server/apps/metrics.ts'
import { watchReadiness } from '#server/apps/readiness.ts'
import { handleBadAddress, handleNothing } from '#server/api/refusals.ts'
import { guestApp, handleBadGuestAddress } from '#server/apps/portal.ts'
import { openSftp, type Sftp } from '#server/apps/sftp.ts'
import { openRadius, type Radius } from '#server/apps/radius.ts'
import type { RadiusApart } from '#server/apps/radius-apart.ts'
import { showVitalSigns } from '#server/apps/vital-signs.ts'
import { openServices, type Services, type ServicesOptions } from '#server/services.ts'
import { openBackfills } from '#server/db/backfills.ts'
import { patientStart } from '#server/start/patient-start.ts'
import { watchFileHandles } from '#server/watch/file-handles.ts'
import { dropSlowSenders } from '#server/watch/slow-senders.ts'
import { dropStalledReaders } from '#server/watch/stalled-readers.ts'

export interface NodeOptions extends ServicesOptions {
  /** The built web app, or null to serve the API alone. */
  webRoot: string | null
  /** Tests check every answer against the contract. */
  checkAnswers?: boolean
  /** The owner's URL, where this node has it: then it fills in the background what an upgrade brought. */
  ownerUrl?: string | null
  /** RADIUS, where it has a process of its own; else it runs in this one. */
  radiusApart?: RadiusApart | null
  /** How long a client may read nothing of an answer; a minute, except in tests. */
  stall_max_ms?: number
}

export interface Node {
  /** On `PORT`: health, and with the role `api` the API and the admin app. */
  app: FastifyInstance
  /** On `PORTAL_PORT`: guests' pages; null without the role `guest`. */
  guest: FastifyInstance | null
  /** On `METRICS_PORT`: metrics for Prometheus; null without that setting. */
  metrics: FastifyInstance | null
  /** On `RADIUS_AUTH_PORT`, `RADIUS_ACCT_PORT` and `RADIUS_HTTP_PORT`; null where this process has no RADIUS. */
  radius: Radius | null
  /** On `SFTP_PORT`: files of properties' systems; null without that setting or the role `jobs`, whose nodes read the files. */
  sftp: Sftp | null
  services: Services
  close(): Promise<void>
}

/** Opens everything; nothing listens yet. */
export async function openNode({
  webRoot,
  checkAnswers = false,
  stall_max_ms,
  ownerUrl = null,
  radiusApart = null,
  ...options
}: NodeOptions): Promise<Node> {
  const { config } = options
  const services = await openServices(options)
  const runsRadius = config.roles.includes('radius') && !radiusApart
  const radius = runsRadius ? openRadius(services, config.radius_http?.token ?? null) : null

  const app = Fastify({ ...serverOptions(services, config), bodyLimit: 256 * 1024, frameworkErrors: handleBadAddress })
  readPeer(app)
  keepAccessLog(app, 'api', services)
  dropStalledReaders(app, stall_max_ms)
  serveHealth(app, await watchReadiness(services, { roles: config.roles, radius: radiusApart ?? radius }))
  if (config.roles.includes('api')) await app.register(apiApp, { config, services, webRoot, checkAnswers })
  else app.setNotFoundHandler(handleNothing)

  const guest = config.roles.includes('guest')
    ? Fastify({ ...serverOptions(services, config), bodyLimit: 16 * 1024, frameworkErrors: handleBadGuestAddress })
    : null
  if (guest) {
    readPeer(guest)
    keepAccessLog(guest, 'guest', services)
    dropStalledReaders(guest, stall_max_ms)
    await guest.register(guestApp, services)
  }

  const metrics = config.metrics_port === null ? null : metricsApp(services.metrics, radiusApart)
  if (metrics) showVitalSigns(services, config)
  const handles = watchFileHandles({ log: (line) => services.log.warn(line) })
  const runsJobs = config.roles.includes('jobs')
  const jobs = runsJobs ? await startJobs(services, config) : null
  const sftp = runsJobs && config.sftp_port !== null ? await openSftp(services) : null
  const backfills = runsJobs && ownerUrl !== null ? openBackfills({ ownerUrl, log: services.log }) : null
  return {
    app,
    guest,
    metrics,
    radius,
    sftp,
    services,
    async close() {
      handles.close()
      await Promise.all([
        app.close(),
        guest?.close(),
        metrics?.close(),
        radius?.close(),
        sftp?.close(),
        backfills?.close(),
        jobs?.close(),
      ])
      await services.close()
    },
  }
}

const serverOptions = ({ log }: Services, config: Config) =>
  ({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    genReqId: newRequestId,
    ...dropSlowSenders(),
    ...patientStart,
    trustProxy: config.trusted_proxies.length > 0 ? config.trusted_proxies : false,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
  }) satisfies FastifyServerOptions
