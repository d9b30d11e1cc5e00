// Open: the database that the settings name: a server of one's own, or the embedded one, started in DATA_DIR.
import type { Config } from '#server/start/config.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { isAppLogin, prepareDatabase } from '#server/db/logins.ts'
import { keptSecretKey } from '#server/start/secret-key.ts'

export interface OpenedDatabase {
  secretKey: string
  /** The login that owns the tables and migrates; null on a node that is given only the one that the app uses. */
  ownerUrl: string | null
  appUrl: string
  stop(): Promise<void>
}

interface Watcher {
  say?: (line: string) => void
  /** The embedded database ended by itself. */
  lost?: (reason: unknown) => void
}

export async function openDatabase(config: Config, { say, lost }: Watcher = {}): Promise<OpenedDatabase> {
  if (config.database_url) {
    // Config has seen to it that there is a key.
    const secretKey = config.secret_key ?? ''
    if (!config.database_owner_url && (await isAppLogin(config.database_url)))
      return { secretKey, ownerUrl: null, appUrl: config.database_url, stop: () => Promise.resolve() }
    const logins = { url: config.database_url, ownerUrl: config.database_owner_url, secretKey }
    return { secretKey, ...(await prepareDatabase(logins)), stop: () => Promise.resolve() }
  }
  const { url, stop } = await startEmbedded({ directory: config.data_dir, say, lost })
  try {
    const secretKey = config.secret_key ?? keptSecretKey(config.data_dir)
    const logins = { url: new URL('/foyer', url).href, secretKey, exclusive: true, say }
    return { secretKey, ...(await prepareDatabase(logins)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
