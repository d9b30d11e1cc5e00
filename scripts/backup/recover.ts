// Recover: brings a restored base backup forward to a moment, by the archived log. PostgreSQL asks for one part after the other; each is
// fetched, decrypted and handed over when it asks.
import fs from 'node:fs'
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { waiting_log } from '#server/db/restore-swap.ts'
import { opened } from '#server/files/age.ts'
import type { BackupPlace } from '#server/files/backup-place.ts'
import { archivedKeys } from '#server/files/archived-keys.ts'
import { hasLogOf, placeOfPart } from '#server/files/log-archive.ts'
import { textOf } from '#server/errors/thrown.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { keyIdOf } from '#server/secrets/seal.ts'
import { keepSecretKeys, keysIn } from '#server/start/secret-key.ts'
import { postgresUser, startOnce, type Found } from './unpack.ts'

/** To the end of the log. */
export const end = 'end'
export interface Recovery {
  to: Date | typeof end
  place: BackupPlace
  identity: string | null
  /** The data directory that is replaced: it may have what was not archived any more. */
  home: string
}

const folders = ['wanted', 'there', 'none'] as const
/** Seen from PostgreSQL's own folder. What is nowhere ends the recovery. */
const handed = [
  'touch "../log/wanted/%f"',
  'until [ -e "../log/there/%f" ] || [ -e "../log/none/%f" ]; do sleep 0.05; done',
  'mv "../log/there/%f" "%p"',
].join('; ')
const look_ms = 50
const decompressed = promisify(zstdDecompress)

export async function recoverOnce(staged: string, { to, place, identity, home }: Recovery): Promise<Found> {
  const user = postgresUser(staged)
  for (const name of ['', ...folders]) {
    const folder = path.join(staged, 'log', name)
    await mkdir(folder, { mode: 0o700 })
    if (user) await chown(folder, user.uid, user.gid)
  }
  fs.writeFileSync(path.join(staged, 'pg18', 'recovery.signal'), '')

  const isNear = await hasLogOf(place, home)
  const near = isNear ? [path.join(home, waiting_log), path.join(home, 'pg18', 'pg_wal')] : []
  async function find(part: string): Promise<Buffer | null> {
    const found = near.map((folder) => path.join(folder, part)).find((file) => fs.existsSync(file))
    if (found !== undefined) return readFile(found)
    const sealed = await place.read(placeOfPart(part))
    if (sealed === null) return null
    return decompressed(await buffer(await opened(Readable.from([sealed]), placeOfPart(part), identity)))
  }
  async function hand(part: string) {
    const found = await find(part)
    const made = path.join(staged, 'log', `${part}.new`)
    await writeFile(made, found ?? '', { mode: 0o600 })
    if (user) await chown(made, user.uid, user.gid)
    await rm(path.join(staged, 'log/wanted', part))
    await rename(made, path.join(staged, 'log', found === null ? 'none' : 'there', part))
  }

  const over = new AbortController()
  const failed: unknown[] = []
  const handing = (async () => {
    while (!over.signal.aborted) {
      for (const part of await readdir(path.join(staged, 'log/wanted')))
        await hand(part).catch(async (error: unknown) => {
          failed.push(error)
          await writeFile(path.join(staged, 'log/none', part), '')
          await rm(path.join(staged, 'log/wanted', part), { force: true })
        })
      await sleep(look_ms)
    }
  })()
  const recovered = startOnce(staged, {
    restore_command: handed,
    recovery_target_action: 'promote',
    hot_standby: 'off',
    ...(to !== end && { recovery_target_time: `${to.toISOString().slice(0, 19).replace('T', ' ')}+00` }),
  })
  const found: Found | { error: unknown } = await recovered.catch((error: unknown) => ({ error }))
  over.abort()
  await handing
  // To PostgreSQL what could not be read looked like the end of the log.
  if (failed.length > 0) throw asSentence(failed[0])
  if ('error' in found) throw explained(found.error, to)
  await rm(path.join(staged, 'log'), { recursive: true })
  const later = await archivedKeys(place, identity)
  keepKeysOf(staged, found, [...later.toReversed(), ...(isNear ? keysIn(home) : [])])
  return found
}

/**
 * The key may have been changed since the backup.
 * @param later that came after it, as far as they are known
 */
function keepKeysOf(staged: string, { key_ids }: Found, later: readonly string[]) {
  const own = keysIn(staged)
  // An installation whose key is a setting is told at its start if it is another one.
  if (own.length === 0) return
  const known = [...own, ...later]
  const needed = key_ids.map((id) => known.find((key) => keyIdOf(key).equals(id)))
  const keys = needed.filter((key) => key !== undefined)
  const [newest, ...former] = keys
  if (newest === undefined || keys.length < needed.length)
    throw new CannotStart(
      'The secret key was changed after this backup, and the new one is neither at BACKUP_URL nor in DATA_DIR: what the log has since ' +
        'then could not be opened. Name a backup that was made after that, or --to a moment before. Nothing was changed.',
    )
  keepSecretKeys(staged, [newest, ...former])
}

const asSentence = (error: unknown) =>
  error instanceof CannotStart ? error : new CannotStart(`The log at BACKUP_URL cannot be read: ${textOf(error)}`)

function explained(error: unknown, to: Date | typeof end): unknown {
  const text = textOf(error)
  if (to !== end && text.includes('before consistent recovery point'))
    return new CannotStart(
      `At ${to.toISOString()} this backup was still being made. Name an earlier one, or a later moment. Nothing was changed.`,
    )
  if (to === end || !text.includes('recovery ended before configured recovery target')) return error
  const last = /last completed transaction was at log time (\S+ \S+)/.exec(text)?.[1]
  return new CannotStart(
    `The log ends before ${to.toISOString()}: ${last ? `what was last written is of ${last} UTC` : 'it has nothing after the backup'}. ` +
      'To restore all that it has: --to end. Nothing was changed.',
  )
}
