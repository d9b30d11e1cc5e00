// Node: what this process is made of, by the roles that it was given: the applications that listen, and the jobs.
import path from 'node:path'
import Fastify, { LogController, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { sql } from 'kysely'
import type { Config } from '#server/start/config.ts'
import { keepAccessLog, newRequestId } from '#server/api/access-log.ts'
import { apiApp } from '#server/apps/api.ts'
import { serveHealth } from '#server/apps/health.ts'
import { metricsApp } from '#server/apps/metrics.ts'
import { handleBadAddress, handleNothing } from '#server/api/refusals.ts'
import { guestApp, handleBadGuestAddress } from '#server/apps/portal.ts'
import { keepNights } from '#server/billing/keep-nights.ts'
import { removeUnusedFiles } from '#server/files/unused.ts'
import { forgetGuests } from '#server/jobs/forget-guests.ts'
import { forgetImports } from '#server/jobs/forget-imports.ts'
import { countHours } from '#server/sessions/count-hours.ts'
import { finishRemovals } from '#server/jobs/removal.ts'
import { forgetHeldMails } from '#server/deliveries/held-mails.ts'
import { pushRun } from '#server/integrations/push.ts'
import { sweepIntegrations, syncIntegration } from '#server/integrations/sweep.ts'
import { openMailer, sendMail, type Mailer } from '#server/deliveries/mails.ts'
import { sendText } from '#server/deliveries/texts.ts'
import { openTexter } from '#server/deliveries/texter.ts'
import { openRadius, type Radius } from '#server/apps/radius.ts'
import { changeSessions } from '#server/radius/change-sessions.ts'
import { disconnect } from '#server/radius/disconnect.ts'
import { endSessions } from '#server/sessions/end-sessions.ts'
import { openGateways } from '#server/radius/gateways.ts'
import { makeRun } from '#server/reports/make-run.ts'
import { forgetReportFiles, sweepReports } from '#server/reports/sweep.ts'
import { openServices, type Services, type ServicesOptions } from '#server/services.ts'
import { letGoOfSlowSenders } from '#server/watch/slow-senders.ts'
import { letGoOfStalledReaders } from '#server/watch/stalled-readers.ts'
import type { Metrics } from '#server/watch/metrics.ts'

export interface NodeOptions extends ServicesOptions {
  /** The built web app, or null to serve the API alone. */
  webRoot: string | null
  /** Tests hold every answer against the contract. */
  checkAnswers?: boolean
  /** How long a reader may take nothing of an answer; a minute unless tests say otherwise. */
  stall_max_ms?: number
}

export interface Node {
  /** On `PORT`: health, and with the role `api` the API and the admin app. */
  app: FastifyInstance
  /** On `PORTAL_PORT`: guests' pages; null without the role `guest`. */
  guest: FastifyInstance | null
  /** On `METRICS_PORT`: what Prometheus reads; null without that setting. */
  metrics: FastifyInstance | null
  /** On `RADIUS_AUTH_PORT`, `RADIUS_ACCT_PORT` and `RADIUS_HTTP_PORT`; null without the role `radius`. */
  radius: Radius | null
  services: Services
  close(): Promise<void>
}

/** Opens everything and listens to nobody yet. */
export async function openNode({
  webRoot,
  checkAnswers = false,
  stall_max_ms,
  ...options
}: NodeOptions): Promise<Node> {
  const { config } = options
  const services = await openServices(options)

  const app = Fastify({ ...serverOptions(services, config), bodyLimit: 256 * 1024, frameworkErrors: handleBadAddress })
  keepAccessLog(app, 'api', services)
  letGoOfStalledReaders(app, stall_max_ms)
  serveHealth(app, services.tenancy)
  if (config.roles.includes('api')) await app.register(apiApp, { config, services, webRoot, checkAnswers })
  else app.setNotFoundHandler(handleNothing)

  const guest = config.roles.includes('guest')
    ? Fastify({ ...serverOptions(services, config), bodyLimit: 16 * 1024, frameworkErrors: handleBadGuestAddress })
    : null
  if (guest) {
    keepAccessLog(guest, 'guest', services)
    letGoOfStalledReaders(guest, stall_max_ms)
    await guest.register(guestApp, services)
  }

  const radius = config.roles.includes('radius') ? openRadius(services, config.radius_http?.token ?? null) : null
  const metrics = config.metrics_port === null ? null : metricsApp(services.metrics)
  if (config.roles.includes('jobs')) await startJobs(config, services)
  return {
    app,
    guest,
    metrics,
    radius,
    services,
    async close() {
      await Promise.all([app.close(), guest?.close(), metrics?.close(), radius?.close()])
      await services.close()
    },
  }
}

const serverOptions = ({ log }: Services, config: Config) =>
  ({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    genReqId: newRequestId,
    ...letGoOfSlowSenders(),
    trustProxy: config.trusted_proxies.length > 0 ? config.trusted_proxies : false,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
  }) satisfies FastifyServerOptions

async function startJobs(config: Config, services: Services) {
  const { tenancy, queue, storage, disk, metrics, safeFetch } = services
  const outbox_dir = path.join(config.data_dir, 'outbox')
  const mailer = openMailer({
    smtp_url: config.smtp_url,
    mail_from: config.mail_from,
    outbox_dir,
  })
  await queue.work('mail', sendMail(tenancy, counted(mailer, metrics), storage))
  await queue.work('text', sendText(tenancy, openTexter({ ...config, outbox_dir }, safeFetch)))
  await queue.work('cleanup', async () => {
    await tenancy.callFunction(sql`select door_sweep(), door_forget_quotas()`)
    await forgetImports(tenancy)
  })
  await queue.schedule('cleanup', '*/15 * * * *')
  await queue.work('removal', () => finishRemovals(tenancy, disk.hasRoom))
  // A node that was killed in the middle leaves the rest to whoever is there.
  await queue.schedule('removal', '* * * * *')
  await queue.send('removal', {})
  const gateways = openGateways(services)
  await queue.work('disconnect', (job) => disconnect(services, gateways, job))
  await queue.work('change_sessions', (job) => changeSessions(services, gateways, job))
  await queue.work('end_sessions', () => endSessions(tenancy, queue))
  await queue.schedule('end_sessions', '* * * * *')
  await queue.work('count_hours', () => countHours(tenancy))
  await queue.schedule('count_hours', '*/5 * * * *')
  // Wherever midnight is: nowhere more than a few minutes after it.
  await queue.work('keep_nights', () => keepNights(tenancy))
  await queue.schedule('keep_nights', '*/5 * * * *')
  await queue.send('keep_nights', {})
  await queue.work('forget_guests', async () => {
    await forgetGuests(tenancy, config)
    await forgetHeldMails(tenancy)
  })
  await queue.schedule('forget_guests', '17 * * * *')
  await queue.work('report_run', makeRun({ ...services, kept_ms: config.report_files_kept_ms }))
  await queue.work('due_reports', () => sweepReports(tenancy, queue))
  await queue.schedule('due_reports', '* * * * *')
  await queue.work('sync_integration', syncIntegration(services))
  await queue.work('push_run', pushRun(services))
  await queue.work('due_integrations', () => sweepIntegrations(tenancy, queue))
  await queue.schedule('due_integrations', '* * * * *')
  await queue.work('unused_files', async () => {
    await forgetReportFiles(tenancy)
    await removeUnusedFiles(tenancy, storage)
  })
  await queue.schedule('unused_files', '41 3 * * *')
}

const counted = (mailer: Mailer, metrics: Metrics): Mailer => ({
  async deliver(mail) {
    try {
      await mailer.deliver(mail)
      metrics.mail('sent')
    } catch (error) {
      metrics.mail('failed')
      throw error
    }
  },
})
