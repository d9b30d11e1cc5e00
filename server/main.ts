// Main: starts Foyer, prints its addresses, and stops everything in order.

import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isEmpty } from '#server/api/web-app.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { readConfig, type Config, type NodeRole } from '#server/start/config.ts'
import { checkLogins, checkReplica } from '#server/db/check-logins.ts'
import { keepLookup } from '#server/db/keep-lookup.ts'
import { checkLimits, limitLogins } from '#server/db/login-limits.ts'
import { connect, isOneLogin, type LoginUrls } from '#server/db/logins.ts'
import { queues } from '#server/apps/jobs.ts'
import { checkMigrated, migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { openLogArchive } from '#server/files/log-archive.ts'
import { discardAbandonedUploads } from '#server/files/receive.ts'
import { gatewayTypes } from '#server/gateways/find-kind.ts'
import { systemTypes } from '#server/property-systems/kinds.ts'
import { openNode, type Node } from '#server/node.ts'
import { listenAsSet } from '#server/apps/radius.ts'
import { openRadiusApart } from '#server/apps/radius-apart.ts'
import { openWaiting, type Waiting } from '#server/apps/waiting.ts'
import { keepSettings } from '#server/start/kept-settings.ts'
import { chosenPorts } from '#server/start/ports.ts'
import { listen } from '#server/start/listen.ts'
import { portRefused } from '#server/start/ports.ts'
import { isRadiusApart, keptRadiusPorts, usualRadiusPorts } from '#server/start/radius-ports.ts'
import { version } from '#server/start/version.ts'
import { connectionsOfRadius } from '#server/turns/shares.ts'
import { openLog, reporting } from '#server/watch/log.ts'

/** How long open requests may take to finish. */
const drain_ms = 10_000

// What has been opened, to be closed in the opposite order.
const opened = new AsyncDisposableStack()
const { asked, hurried } = stopSignals()
const { promise: lost, reject: lose } = Promise.withResolvers<never>()
// If the start fails for the same reason, that error is reported instead.
lost.catch(() => {})

try {
  await start()
  await Promise.race([aborted(asked), lost])
  console.log('Stopping')
} catch (error) {
  // Being asked to stop while starting is no failure.
  if (!asked.aborted) fail(error)
}
await opened.disposeAsync().catch(fail)
process.exit()

async function start(): Promise<void> {
  const config = await settings()
  const waiting = await openWaiting(config)
  opened.defer(waiting.close)
  const { backup_url } = config
  // Closed last: the last part of the log comes when the database stops.
  if (backup_url !== null) opened.defer((await openLogArchive({ ...config, backup_url }, console.log)).close)
  const database = await openDatabase(config, { log: console.log, lost: lose })
  opened.defer(database.stop)
  if (config.database_url === null) keepSettings(config)
  asked.throwIfAborted()
  const one_login = isOneLogin(database)
  if (database.ownerUrl === null) await checkMigrated(database.appUrl)
  else await bringUpToDate(database.ownerUrl, one_login, waiting)
  if (config.database_direct_url !== null) await giveLimits(database)
  await checkLogins(database)
  await checkReplica(database, console.log)
  if (one_login)
    console.log(
      'One login of the database serves everything. With DATABASE_AUTH_URL and DATABASE_GUEST_URL signing in and guests have their own.',
    )
  if (config.roles.includes('api') || config.roles.includes('jobs')) await discardAbandonedUploads()
  asked.throwIfAborted()

  const log = openLog(reporting(config))
  const radiusApart = isRadiusApart(config) ? openRadiusApart(config, database, log) : null
  opened.defer(() => radiusApart?.close())
  const { connections } = config
  const own = radiusApart && connections !== null ? connections - connectionsOfRadius(connections) : connections
  const node = await openNode({
    config: { ...config, connections: own },
    ...database,
    webRoot: webRoot(),
    log,
    radiusApart,
  })
  opened.defer(() => drain(node))
  asked.throwIfAborted()
  await waiting.close()
  await listen(node.app, config.host, config.port, 'PORT')
  if (node.guest) await listen(node.guest, config.host, config.portal_port, 'PORTAL_PORT')
  if (node.metrics && config.metrics_port) await listen(node.metrics, config.host, config.metrics_port, 'METRICS_PORT')
  if (node.radius) await listenAsSet(node.radius, config)
  await radiusApart?.listen()
  if (config.sftp_port)
    await node.sftp?.listen(config.sftp_host, config.sftp_port).catch((error: unknown) => {
      throw portRefused(error, { host: config.sftp_host, port: config.sftp_port ?? 0, setting: 'SFTP_PORT' })
    })
  log.info({ version, roles: config.roles }, 'started')
  for (const line of await greeting(config, node)) console.log(line)
}

/** A pooler passes on no limits of a connection: the logins have them, which Foyer sees to where it has made these itself. */
async function giveLimits(database: LoginUrls & { adminUrl: string | null }): Promise<void> {
  if (database.adminUrl !== null) {
    const admin = await connect(database.adminUrl)
    try {
      await limitLogins(admin)
    } finally {
      await admin.end()
    }
  }
  await checkLimits(database)
}

/** Stopped between two migrations, a start goes on with the next one. */
async function bringUpToDate(ownerUrl: string, one_login: boolean, waiting: Waiting): Promise<void> {
  const began_at = performance.now()
  const progress = (at: { done: number; total: number }) => {
    asked.throwIfAborted()
    waiting.upgrading(at)
  }
  const migrations = await migrate(ownerUrl, queues, { one_login, progress })
  await keepLookup(ownerUrl, 'gateway_types', gatewayTypes())
  await keepLookup(ownerUrl, 'property_interface_types', systemTypes())
  if (migrations.length === 0) return
  const seconds = ((performance.now() - began_at) / 1000).toFixed(1)
  console.log(`The database is up to date: ${migrations.length} migrations in ${seconds} s`)
}

/** What runs and where, printed for the operator. */
async function greeting(
  {
    roles,
    port,
    public_url,
    portal_url,
    host,
    metrics_port,
    sftp_host,
    sftp_port,
    radius_host,
    radius_ports,
    radius_http,
  }: Config,
  node: Node,
): Promise<string[]> {
  const runs = (role: NodeRole) => roles.includes(role)
  const signedUp = runs('api') && !(await isEmpty(node.services.tenancy))
  return [
    `\nFoyer ${version} is ready at ${runs('api') ? public_url : `http://localhost:${port}`}`,
    ...(runs('api') ? [signedUp ? `Log in: ${public_url}/customer/login` : `Sign up: ${public_url}/signup`] : []),
    ...(runs('guest') ? [`Guests' pages: ${portal_url}`] : []),
    ...(radius_ports && runs('radius')
      ? [`RADIUS: ${radius_host}, ports ${radius_ports.access} and ${radius_ports.accounting}`]
      : []),
    ...(radius_http && runs('radius') ? [`For FreeRADIUS: http://${radius_http.host}:${radius_http.port}`] : []),
    ...(sftp_port !== null && runs('jobs') ? [`SFTP: ${sftp_host}, port ${sftp_port}`] : []),
    ...(metrics_port === null ? [] : [`Metrics: http://${host}:${metrics_port}/metrics`]),
    ...(runs('api') && runs('guest') && runs('jobs') ? [] : [`Roles of this node: ${roles.join(', ')}`]),
    '',
  ]
}

/** Ports are chosen now, because addresses that contain them are needed before anything listens. */
async function settings(): Promise<Config> {
  const config = readConfig(process.env)
  const isAnywhere = config.port === 0
  const { port, portal_port } = await chosenPorts(config)
  const env: NodeJS.ProcessEnv = { ...process.env, PORT: String(port), PORTAL_PORT: String(portal_port) }
  // FreeRADIUS, if it passes requests on, listens in the place of Foyer.
  if (config.roles.includes('radius') && config.radius_ports === null && config.radius_http === null) {
    const { data_dir, radius_host } = config
    const ports = await keptRadiusPorts(data_dir, radius_host, isAnywhere ? null : usualRadiusPorts)
    env['RADIUS_AUTH_PORT'] = String(ports.access)
    env['RADIUS_ACCT_PORT'] = String(ports.accounting)
  }
  return readConfig(env)
}

/** The compiled program has the web app next to it; with the sources, Vite serves it. */
function webRoot(): string | null {
  return import.meta.filename.endsWith('.js') ? path.join(import.meta.dirname, '../web') : null
}

/** Takes no more requests and lets the open ones finish, until the time is up or a second signal arrives. */
async function drain(node: Node): Promise<void> {
  const enough = Promise.race([sleep(drain_ms, undefined, { ref: false }), aborted(hurried)])
  void enough.then(() => {
    for (const app of [node.app, node.guest, node.metrics, node.radius?.http]) app?.server.closeAllConnections()
  })
  await node.close()
}

/** Ctrl-C, a service manager, a closed terminal, or the end of the command that started this process. */
function stopSignals(): { asked: AbortSignal; hurried: AbortSignal } {
  const asked = new AbortController()
  const hurried = new AbortController()
  let asked_at = 0
  const stop = () => {
    if (!asked.signal.aborted) asked_at = Date.now()
    // One Ctrl-C arrives several times: from the terminal, and passed on by npm. A second press comes later.
    else if (Date.now() - asked_at > 500) hurried.abort()
    asked.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  process.on('disconnect', stop)
  return { asked: asked.signal, hurried: hurried.signal }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })
}

function fail(error: unknown): void {
  process.exitCode = 1
  console.error(error instanceof CannotStart ? error.message : error)
}
