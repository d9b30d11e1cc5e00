// Archived keys: a secret key that came by `npm run rotate-key` is in no backup from before, but what the archived log holds since is
// sealed under it. It lies beside the log, encrypted to BACKUP_RECIPIENT, as a backup has the key of its time.
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { encrypted, opened } from './age.ts'
import type { BackupPlace } from './backup-place.ts'

/** A JSON list of what was put there, the newest last: whoever adds to it can read none of it. */
const place_of_keys = 'log/keys.json'

async function sealedIn(place: BackupPlace): Promise<string[]> {
  const kept = await place.read(place_of_keys)
  return kept === null ? [] : (JSON.parse(kept.toString()) as string[])
}

/** Resolves when they are there, besides those that were put there before. */
export async function archiveKeys(
  place: BackupPlace,
  keys: readonly string[],
  recipients: readonly string[],
): Promise<void> {
  const sealed = await buffer(await encrypted(Readable.from([Buffer.from(keys.join('\n'))]), recipients))
  const all = [...(await sealedIn(place)), sealed.toString('base64')]
  await place.put(place_of_keys, Buffer.from(JSON.stringify(all)))
}

/**
 * Without those that were put there under another recipient.
 * @param identity the file that opens them
 */
export async function archivedKeys(place: BackupPlace, identity: string | null): Promise<string[]> {
  const sealed = await sealedIn(place)
  const texts = sealed.map(async (one) =>
    text(await opened(Readable.from([Buffer.from(one, 'base64')]), place_of_keys, identity)),
  )
  const found = await Promise.allSettled(texts)
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value.split('\n') : []))
}
