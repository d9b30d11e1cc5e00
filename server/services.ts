// Services: what every application and job of a node works with: the database by customer, the queue, the seal.
import type { Config } from '#server/start/config.ts'
import { openSecrets, type Secrets } from '#server/access/secrets.ts'
import type { SecretKeys } from '#server/start/secret-key.ts'
import { openTenancy, type Tenancy, type TenancyOptions } from '#server/access/tenancy.ts'
import { openTurns, type AllTurns } from '#server/fairness/shares.ts'
import { openStorage, type Storage } from '#server/files/storage.ts'
import { openSafeFetch, type SafeFetch } from '#server/outbound/safe-fetch.ts'
import { openQueue, type Queue } from '#server/jobs/queue.ts'

export interface Services extends Pick<Secrets, 'seal' | 'fingerprint'> {
  tenancy: Tenancy
  /** How this node's means are shared out. */
  turns: AllTurns
  queue: Queue
  /** The content of customers' files. */
  storage: Storage
  /** The one way to call another system. */
  safeFetch: SafeFetch
  /** What links in mails start with, without a slash at the end. */
  public_url: string
  /** What the addresses of guests' pages and of pictures start with. */
  portal_url: string
  signup: 'first' | 'open' | 'closed'
  /** How long a session may rest. */
  session_idle_ms: number
}

export interface ServicesOptions {
  config: Config
  /** Seals what the database keeps of other systems' secrets. */
  secretKeys: SecretKeys
  appUrl: string
  /** Tests take the first wall away to see the second one stand. */
  tenancy?: TenancyOptions
  /** How long a turn is waited for; each kind of work has a limit of its own unless this is given. */
  turn_wait_max_ms?: number
}

export async function openServices(options: ServicesOptions): Promise<Services & { close(): Promise<void> }> {
  const { config, secretKeys, appUrl } = options
  const turns = openTurns(options.turn_wait_max_ms)
  const tenancy = openTenancy(appUrl, { ...options.tenancy, turns })
  const secrets = await openSecrets(secretKeys, tenancy)
  const queue = await openQueue(appUrl, tenancy, config.roles.includes('jobs'))
  return {
    tenancy,
    turns,
    queue,
    seal: secrets.seal,
    fingerprint: secrets.fingerprint,
    safeFetch: openSafeFetch({ allowed_hosts: config.allowed_hosts }),
    storage: openStorage(config.storage_url),
    public_url: config.public_url,
    portal_url: config.portal_url,
    signup: config.signup,
    session_idle_ms: config.session_idle_ms,
    async close() {
      secrets.close()
      await queue.stop()
      await tenancy.close()
    },
  }
}
