// Open: opens the database that the settings name: the operator's own server, or the embedded one, started in DATA_DIR.
import type { Config } from '#server/start/config.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { checkServer } from '#server/db/check-server.ts'
import { isAppLogin } from '#server/db/check-logins.ts'
import { asGiven, prepareDatabase, type LoginUrls } from '#server/db/logins.ts'
import { isRadiusApart } from '#server/start/radius-ports.ts'
import { connections_of_queue, connectionsNeeded } from '#server/turns/shares.ts'
import { keptSecretKeys, type SecretKeys } from '#server/start/secret-key.ts'

export interface OpenedDatabase extends LoginUrls {
  secretKeys: SecretKeys
  /** The URL of the login that owns the tables and migrates; null on a node that is given only the app's login. */
  ownerUrl: string | null
  /** An administrator's URL, where Foyer creates the logins itself. */
  adminUrl: string | null
  stop(): Promise<void>
}

interface Watcher {
  log?: (line: string) => void
  /** Called when the embedded database has ended by itself. */
  lost?: (reason: unknown) => void
}

export async function openDatabase(config: Config, { log, lost }: Watcher = {}): Promise<OpenedDatabase> {
  if (config.database_url) {
    const secretKeys = secretKeysOf(config)
    const directUrl = config.database_direct_url
    const itself = directUrl ?? config.database_url
    // How many a pooler opens is its own setting.
    await checkServer(itself, directUrl === null ? connectionsOf(config) : connections_of_queue, log)
    const stop = () => Promise.resolve()
    const given = {
      url: config.database_url,
      authUrl: config.database_auth_url,
      guestUrl: config.database_guest_url,
      directUrl,
      readUrl: config.database_read_url,
    }
    if (!config.database_owner_url && (await isAppLogin(itself)))
      return { secretKeys, ownerUrl: null, ...asGiven(given), adminUrl: null, stop }
    const logins = { ...given, ownerUrl: config.database_owner_url, secretKeys }
    return { secretKeys, ...(await prepareDatabase(logins)), stop }
  }
  const { url, stop } = await startEmbedded({
    directory: config.data_dir,
    archive: config.backup_url !== null,
    log,
    lost,
  })
  try {
    const secretKeys = secretKeysOf(config)
    const logins = { url: new URL('/foyer', url).href, secretKeys, exclusive: true, log }
    return { secretKeys, ...(await prepareDatabase(logins)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Of all processes of this node. */
function connectionsOf({ connections, roles, radius_ports, radius_http }: Config): number {
  if (connections !== null) return connections
  if (!isRadiusApart({ roles, radius_ports, radius_http })) return connectionsNeeded({ connections, roles })
  const others = roles.filter((role) => role !== 'radius')
  return connectionsNeeded({ connections, roles: others }) + connectionsNeeded({ connections, roles: ['radius'] })
}

/** The keys of the settings, which are needed with DATABASE_URL; else those stored in the data directory. */
export const secretKeysOf = ({ secret_keys, data_dir }: Config): SecretKeys =>
  secret_keys ? () => secret_keys : keptSecretKeys(data_dir)
