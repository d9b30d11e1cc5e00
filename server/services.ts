// Services: what every application and job of a node works with: the database by customer, the queue, the seal.
import { fileURLToPath } from 'node:url'
import type { Config } from '#server/start/config.ts'
import { openDoors, type Connections, type Doors } from '#server/access/doors.ts'
import { openSecrets, type Secrets } from '#server/access/secrets.ts'
import type { SecretKeys } from '#server/start/secret-key.ts'
import { openTenancy, type Tenancy, type TenancyOptions } from '#server/access/tenancy.ts'
import { lastBackups, type LastBackups } from '#server/db/backup-notes.ts'
import type { LoginUrls } from '#server/db/logins.ts'
import { watchDisk, type Disk } from '#server/turns/disk.ts'
import { capacityOf, openTurns, type AllTurns } from '#server/turns/shares.ts'
import type { Inbox } from '#server/files/inbox.ts'
import { openInbox, openStorage } from '#server/files/open-storage.ts'
import { unreachableBecause } from '#server/start/reachable.ts'
import type { Storage } from '#server/files/storage.ts'
import { openSecurityNotes, type SecurityNotes } from '#server/entities/security-notes.ts'
import { noLog, type Log } from '#server/watch/log.ts'
import { openMetrics, type Metrics } from '#server/watch/metrics.ts'
import { openSafeConnect, type SafeConnect } from '#server/outbound/safe-connect.ts'
import { namedHosts, openSafeFetch, type SafeFetch } from '#server/outbound/safe-fetch.ts'
import { openIntegrations, type Integrations } from '#server/integrations/integrations.ts'
import { openQueue, type Queue } from '#server/jobs/queue.ts'

export interface Services extends Pick<Secrets, 'seal' | 'fingerprint' | 'codes'> {
  log: Log
  metrics: Metrics
  /** Lines in a customer's activity log about events that change nothing. */
  notes: SecurityNotes
  tenancy: Tenancy
  /** The database functions that guests' pages may call, by a login with no other rights. */
  guestDoors: Doors
  /** How this node's capacity is shared. */
  turns: AllTurns
  /** Whether there is room for more data. */
  disk: Disk
  queue: Queue
  /** The content of customers' files. */
  storage: Storage
  /** Where properties' systems put files. */
  inbox: Inbox
  /** The one way to call another system. */
  safeFetch: SafeFetch
  /** The same for TCP that is no HTTP. */
  safeConnect: SafeConnect
  /** Whether ALLOWED_HOSTS names the host of an address: it may be private, and be called without TLS. */
  isNamedHost: (url: string) => boolean
  /** Systems that customers connect: accounting, marketing. */
  integrations: Integrations
  /** Where properties' systems of the cloud are, and what this installation is to them. */
  systems: Config['systems']
  /** What this installation is to companies at which people give consent, by their word in the names of settings. */
  clients: Config['clients']
  /** What links in mails start with, without a slash at the end. */
  public_url: string
  /** What the addresses of guests' pages and of pictures start with. */
  portal_url: string
  /** The domain in which each gateway has a host of its own; null: there is none. */
  portal_domain: string | null
  /** Host and port to which files are sent by SFTP; null: to none. */
  sftp_address: string | null
  /** Where gateways are to send requests. The usual ports if something else listens in front. */
  radius: { host: string; authentication_port: number; accounting_port: number }
  /** Where a simulated gateway of ours sends the same: to this node, where it listens. */
  radius_near: { host: string; access: number; accounting: number }
  /** Why gateways elsewhere cannot reach this installation, in a sentence with the setting that helps; null if they may. */
  unreachable: string | null
  /** What is known of backups; null: a server of one's own is backed up by its own means. */
  backups: () => LastBackups | null
  signup: Config['signup']
  /** How long a session may be idle. */
  session_idle_ms: number
  /** A report with more rows is made by a job. */
  report_rows_at_once: number
}

export interface ServicesOptions extends LoginUrls {
  config: Config
  /** Seal other systems' secrets in the database. */
  secretKeys: SecretKeys
  /** Nothing is logged unless it is given. */
  log?: Log | undefined
  /** Tests remove the first wall to prove the second one. */
  tenancy?: TenancyOptions
  /** How long to wait for a turn; unless given, each kind of work has its own limit. */
  turn_wait_max_ms?: number
}

export async function openServices(options: ServicesOptions): Promise<Services & { close(): Promise<void> }> {
  const { config, secretKeys, appUrl } = options
  const log = options.log ?? noLog
  const metrics = openMetrics()
  const capacity = capacityOf(config)
  const { pools } = capacity
  const watch = (work: string) => ({
    taken: (waited_s: number) => metrics.turnTaken(work, waited_s),
    refused: (status: number) => metrics.turnRefused(work, status),
  })
  const turns = openTurns(options.turn_wait_max_ms, watch, capacity)
  const tenancy = openTenancy(options, {
    log: (line) => log.warn(line),
    ...options.tenancy,
    turns,
    pools,
    quotas: config.quotas,
    // Opened through the tenancy itself, before anybody enters it.
    codes: (customer_id) => secrets.codes(customer_id),
    messages: (customer_id) => secrets.messages(customer_id),
  })
  const guestDoors = openDoors(options.guestUrl, { connections_max: pools.guests, ...options.tenancy })
  const secrets: Secrets = await openSecrets(secretKeys, tenancy)
  const disk = watchDisk({
    folders: [config.data_dir, ...(config.storage_url.startsWith('file:') ? [fileURLToPath(config.storage_url)] : [])],
    reserve_bytes: config.disk_reserve_bytes,
    log: (line) => log.warn(line),
  })
  const queue = await openQueue(options.directUrl ?? appUrl, tenancy, config.roles.includes('jobs'), {
    log,
    ran: metrics.job,
  })
  const safeFetch = openSafeFetch({ allowed_hosts: config.allowed_hosts })
  const isNamedHost = namedHosts(config.allowed_hosts)
  watchAll(metrics, { turns, tenancy, guestDoors, queue })
  return {
    log,
    metrics,
    notes: openSecurityNotes(tenancy, log),
    tenancy,
    guestDoors,
    turns,
    disk,
    queue,
    seal: secrets.seal,
    fingerprint: secrets.fingerprint,
    codes: secrets.codes,
    safeFetch,
    safeConnect: openSafeConnect({ allowed_hosts: config.allowed_hosts }),
    isNamedHost,
    integrations: openIntegrations({ config, tenancy, seal: secrets.seal, safeFetch }),
    systems: config.systems,
    clients: config.clients,
    // Without their pictures guests get online all the same.
    storage: await openStorage(config.storage_url, (sentence) => log.warn(sentence)),
    inbox: await openInbox(config.storage_url, config.data_dir),
    public_url: config.public_url,
    portal_url: config.portal_url,
    portal_domain: config.portal_domain,
    sftp_address: config.sftp_port === null ? null : `${config.sftp_name}:${config.sftp_port}`,
    radius: {
      host: config.radius_name,
      authentication_port: config.radius_ports?.access ?? 1812,
      accounting_port: config.radius_ports?.accounting ?? 1813,
    },
    radius_near: radiusNear(config),
    unreachable: unreachableBecause(config),
    backups: () => (config.database_url === null ? lastBackups(config.data_dir) : null),
    signup: config.signup,
    session_idle_ms: config.session_idle_ms,
    report_rows_at_once: config.report_rows_at_once,
    async close() {
      secrets.close()
      disk.close()
      await queue.stop()
      await Promise.all([tenancy.close(), guestDoors.close()])
    },
  }
}

/** An address that stands for all of the machine is listened to, and cannot be sent to. */
const own_address: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

function radiusNear({ roles, radius_http, radius_host, radius_name, radius_ports }: Config) {
  const isHere = roles.includes('radius') && radius_http === null
  const host = isHere ? (own_address[radius_host] ?? radius_host) : radius_name
  return { host, access: radius_ports?.access ?? 1812, accounting: radius_ports?.accounting ?? 1813 }
}

/** Metrics that are read only when they are asked for. */
function watchAll(
  metrics: Metrics,
  { turns, tenancy, guestDoors, queue }: Pick<Services, 'turns' | 'tenancy' | 'guestDoors' | 'queue'>,
) {
  const ofTurns = (count: 'running' | 'waiting') => () =>
    Object.fromEntries(Object.entries(turns).map(([work, all]) => [work, all[count]]))
  const ofPools = (count: keyof Connections) => () => {
    const { main, before, replica } = tenancy.connections()
    return {
      main: main[count],
      before: before[count],
      guests: guestDoors.connections()[count],
      ...(replica && { replica: replica[count] }),
    }
  }
  metrics.watch('foyer_turns_running', 'Work in progress, by kind', 'work', ofTurns('running'))
  metrics.watch('foyer_turns_waiting', 'Work waiting for its turn, by kind', 'work', ofTurns('waiting'))
  metrics.watch('foyer_connections_open', 'Connections to the database, by pool', 'pool', ofPools('open'))
  metrics.watch('foyer_connections_idle', 'Idle connections to the database, by pool', 'pool', ofPools('idle'))
  metrics.watch(
    'foyer_connections_waiting',
    'Requests waiting for a connection to the database, by pool',
    'pool',
    ofPools('waiting'),
  )
  metrics.watch('foyer_queue_jobs', 'Jobs waiting, by queue', 'queue', () => queue.lengths())
}
