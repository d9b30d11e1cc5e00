// Rotate key: gives the installation another secret key while it runs, reseals everything under it, and drops the former one.

import { key_refresh_ms } from '#server/access/secrets.ts'
import { openCommandDatabase } from '#server/db/command-database.ts'
import { rotate } from '#server/db/rotation.ts'
import { textOf, underlying } from '#server/errors/thrown.ts'
import { archiveKeys } from '#server/files/archived-keys.ts'
import { openBackupPlace } from '#server/files/backup-place.ts'
import { watchDisk } from '#server/turns/disk.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { readConfig, type Config } from '#server/start/config.ts'
import { keepSecretKeys, keptSecretKeys, newSecretKey } from '#server/start/secret-key.ts'

const log = (line: string) => console.log(line)

try {
  await rotateKey(readConfig(process.env))
} catch (error) {
  process.exitCode = 1
  console.error(error instanceof CannotStart ? error.message : error)
}

/** Every row with a sealed value is rewritten, which needs room. */
function refuseWhenFull({ data_dir, disk_reserve_bytes }: Config) {
  const disk = watchDisk({ folders: [data_dir], reserve_bytes: disk_reserve_bytes, log })
  disk.close()
  if (!disk.hasRoom()) throw new CannotStart('Free some space first: everything that is sealed is written again.')
}

/** The log goes on under the new key, which no backup has yet. */
async function archiveKeysOf({ database_url, backup_url, backup_recipients }: Config, keys: readonly string[]) {
  if (database_url !== null || backup_url === null) return
  try {
    await archiveKeys(await openBackupPlace(backup_url), keys, backup_recipients)
  } catch (error) {
    throw new CannotStart(
      `The new key cannot be put beside the log at BACKUP_URL: ${textOf(underlying(error))}. Without it what is written from now on ` +
        'could not be restored. The key stays as it is; run this again.',
    )
  }
}

async function rotateKey(config: Config): Promise<void> {
  if (config.secret_keys?.length === 1)
    throw new CannotStart(
      'Put a new key before the present one: SECRET_KEY="$(openssl rand -base64 32),<the present one>". Start every node ' +
        'with both, one after the other, then run this again with the same SECRET_KEY.',
    )
  refuseWhenFull(config)
  const { secretKeys, ownerUrl, adminUrl, stop } = await openCommandDatabase(config, log)
  try {
    // Two keys are left over from an interrupted run, which is continued.
    if (!config.secret_keys && secretKeys().length === 1) {
      const keys = [newSecretKey(), ...secretKeys()] as const
      // First: a key that is kept is beside the log already.
      await archiveKeysOf(config, keys)
      keepSecretKeys(config.data_dir, keys)
    }
    log('Sealing everything again under the new key. Foyer can keep running.')
    // Twice as long: for work that began just before a node noticed.
    const unopened = await rotate({ ownerUrl, adminUrl, secretKeys, noticed_after_ms: 2 * key_refresh_ms, log })
    if (unopened > 0) process.exitCode = 1
    if (config.secret_keys)
      return log('Done. SECRET_KEY may hold the first key alone from now on: start every node with that, one by one.')
    const [newest] = keptSecretKeys(config.data_dir)()
    keepSecretKeys(config.data_dir, [newest])
    log('Done. The former key is gone: secrets in earlier backups can only be opened with it.')
  } finally {
    await stop()
  }
}
