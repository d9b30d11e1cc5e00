// Vital signs: the metrics of the installation that wake somebody: what waits and since when, who is silent, what ends soon, what has
// failed. Every node that serves metrics shows the same; deploy/prometheus has rules for them.
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { sql } from 'kysely'
import { logWaiting_s } from '#server/files/log-archive.ts'
import type { LastBackups } from '#server/db/backup-notes.ts'
import type { Services } from '#server/services.ts'
import type { Config } from '#server/start/config.ts'

/** Several programs may ask often. */
const kept_ms = 15_000
const certificate_kept_ms = 3600_000
const certificate_wait_ms = 5000
/** One that hangs is down as well, and this is said before the metric is given up. */
const database_wait_ms = 4000

type Values = Record<string, number>
type Needs = Pick<Services, 'metrics' | 'tenancy' | 'queue' | 'disk' | 'backups'>

export function showVitalSigns(
  { metrics, tenancy, queue, disk, backups }: Needs,
  config: Pick<Config, 'public_url' | 'portal_url' | 'disk_reserve_bytes' | 'data_dir' | 'backup_url'>,
): void {
  const { public_url, portal_url, disk_reserve_bytes } = config
  const found = kept(kept_ms, async () => {
    const rows = await tenancy.callFunction(
      sql<{ gauge: string; label: string; value: number }>`select * from door_gauges()`,
    )
    return Map.groupBy(rows, ({ gauge }) => gauge)
  })
  const of = (gauge: string) => async (): Promise<Values> =>
    Object.fromEntries(((await found()).get(gauge) ?? []).map(({ label, value }) => [label, value]))
  const one = (gauge: string, label: string) => async () => (await of(gauge)())[label]

  metrics.gauge('foyer_sessions_online', 'Guests online, as gateways report them', one('sessions', 'online'))
  metrics.watch('foyer_properties', 'Properties by their state', 'state', of('properties'))
  metrics.watch('foyer_gateways', 'Gateways: heard from, silent, never heard from', 'state', of('gateways'))
  metrics.watch('foyer_due_work', 'Work that is due and that no node has started, by kind', 'kind', of('due'))
  metrics.watch('foyer_due_work_late_seconds', 'How long the oldest of it has been due', 'kind', of('due_late'))
  metrics.watch(
    'foyer_due_work_failing_seconds',
    'Since when the oldest work that has failed before is waiting: mails, drafts, webhooks',
    'kind',
    of('due_since'),
  )
  metrics.watch('foyer_due_work_given_up', 'Work that waits for a person, by kind', 'kind', of('due_given_up'))
  metrics.watch(
    'foyer_undelivered',
    'Mails and texts of the last day that ended unsent and that nobody has seen to, by channel and reason',
    'why',
    of('undelivered'),
  )
  metrics.watch(
    'foyer_access_ending',
    'API keys that expire within a week, and connections that have to be reconnected',
    'what',
    of('ending'),
  )
  metrics.watch(
    'foyer_jobs_failing',
    'Jobs of the whole installation whose last run failed',
    'queue',
    of('failing_jobs'),
  )
  metrics.gauge('foyer_database_bytes', 'Size of the database', one('database', 'size'))
  metrics.gauge('foyer_database_up', 'Whether the database answers this node', () => {
    const answers = tenancy.ping().then(
      () => 1,
      () => 0,
    )
    return Promise.race([answers, sleep(database_wait_ms, 0, { ref: false })])
  })
  metrics.watch('foyer_queue_late_seconds', 'How long the oldest job has been due, by queue', 'queue', () =>
    queue.late_s(),
  )
  metrics.gauge('foyer_replica_used', 'Whether reports are read from the replica', () =>
    asNumber(tenancy.readsReplica()),
  )
  metrics.gauge('foyer_replica_behind_seconds', 'How old the state of the replica is', () => tenancy.replicaBehind_s())
  metrics.gauge(
    'foyer_disk_free_bytes',
    'Free space on the disk of DATA_DIR or of the files, whichever has less',
    disk.free_bytes,
  )
  metrics.gauge('foyer_disk_reserve_bytes', 'The free space below which nothing is added', () => disk_reserve_bytes)
  showBackups(metrics, backups)
  metrics.gauge(
    'foyer_log_waiting_seconds',
    'How long the oldest part of the log of the database has waited to be archived to BACKUP_URL',
    () => (config.backup_url === null ? null : logWaiting_s(config.data_dir)),
  )
  const ends = kept(certificate_kept_ms, () => certificatesEnd({ app: public_url, guests: portal_url }))
  metrics.watch(
    'foyer_certificate_ends_seconds',
    'When the certificates of the addresses end, as Unix time',
    'address',
    ends,
  )
}

function showBackups(metrics: Services['metrics'], read: () => LastBackups | null) {
  const found = kept(kept_ms, async () => read())
  const at = (which: 'made_at' | 'tried_at' | 'opened_at') => async () => {
    const time = (await found())?.[which] ?? null
    return time === null ? null : Date.parse(time) / 1000
  }
  metrics.gauge('foyer_backup_made_seconds', 'When the last backup was made, as Unix time', at('made_at'))
  metrics.gauge(
    'foyer_backup_tried_seconds',
    'When the last backup that passed a test restore was made, as Unix time',
    at('tried_at'),
  )
  metrics.gauge(
    'foyer_backup_opened_seconds',
    'When a backup was last test-restored from its file, by npm run restore FILE -- --try, as Unix time',
    at('opened_at'),
  )
  metrics.gauge('foyer_backups_damaged', 'Damaged backups: they differ from what was written', async () => {
    const last = await found()
    return last === null || last.made_at === null ? null : last.damaged
  })
}

const asNumber = (yes: boolean | null) => (yes === null ? null : Number(yes))

/** Asks again when the answer is older; a failure is not kept. */
function kept<T>(for_ms: number, ask: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | null = null
  return () => {
    if (last !== null && Date.now() - last.at < for_ms) return last.answer
    const asked = { at: Date.now(), answer: ask() }
    asked.answer.catch(() => {
      if (last === asked) last = null
    })
    last = asked
    return asked.answer
  }
}

/** Of those that can be reached from here. */
async function certificatesEnd(addresses: Record<string, string>): Promise<Values> {
  const secured = Object.entries(addresses).filter(([, address]) => address.startsWith('https:'))
  const asked = await Promise.all(
    secured.map(async ([name, address]) => [name, await certificateEnds(address).catch(() => null)] as const),
  )
  return Object.fromEntries(asked.flatMap(([name, at]) => (at === null ? [] : [[name, at]])))
}

/** As a browser finds it, whoever ends TLS. One that is not valid has an end, too. */
export function certificateEnds(address: string): Promise<number> {
  const { hostname, port } = new URL(address)
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    const servername = isIP(host) === 0 ? host : ''
    const socket = connectTls({ host, port: Number(port || 443), servername, rejectUnauthorized: false }, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to) / 1000)
      socket.destroy()
    })
    socket.setTimeout(certificate_wait_ms, () => socket.destroy(new Error('no answer')))
    socket.on('error', reject)
  })
}
