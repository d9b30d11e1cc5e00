// Unpack: a backup into a spare folder, compared with its checksums and started once; for a restore, and to try a backup.
import fs from 'node:fs'
import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { manifest_name, readManifest, type Manifest } from '#scripts/backup/manifest.ts'
import { readArchive, type Entry } from '#scripts/backup/archive.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { connect } from '#server/db/logins.ts'
import { findPrograms } from '#server/db/programs.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { giveToOwnerIn, ownerIn } from '#server/start/owner.ts'

/** The entries that a backup may have; nothing else is unpacked. */
const known =
  /^(?:about\.json|secret-key|pg18\.password|pg18\/(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w./-]*|files\/\d{1,10}\/[\da-f]{64})$/

/**
 * @param called what the archive is called where it is refused
 * @param take puts an entry in its place
 */
export async function unpack(from: Readable, called: string, staged: string, take = place): Promise<Manifest> {
  let manifest: Manifest | undefined
  await readArchive(from, called, async ({ name, content }: Entry) => {
    if (!known.test(name)) throw new Error(`it holds ${name}, which no backup does`)
    if (name === manifest_name && content) manifest = readManifest(await text(content), called)
    else if (!manifest) throw new CannotStart(`${called} is not a backup of Foyer.`)
    else await take(staged, name, content)
  })
  if (!manifest) throw new CannotStart(`${called} is not a backup of Foyer.`)
  return manifest
}

async function place(staged: string, name: string, content: Readable | null) {
  const at = path.join(staged, name)
  await mkdir(content === null ? at : path.dirname(at), { recursive: true, mode: 0o700 })
  if (content !== null) await pipeline(content, fs.createWriteStream(at, { mode: 0o600, flags: 'wx' }))
}

export interface Found {
  customers: number
  /** Of the secret keys that it is sealed under, the newest first. */
  key_ids: Buffer[]
}

/** Lets PostgreSQL replay the copied log and write its files to the disk. */
export async function startOnce(staged: string, recovery?: Record<string, string>): Promise<Found> {
  giveAway(staged)
  const database = await startEmbedded({ directory: staged, ...(recovery && { recovery }) })
  try {
    const client = await connect(new URL('/foyer', database.url).href)
    try {
      const { rows } = await client.query<Found>(
        `select (select count(*)::int from customers) as customers,
           coalesce((select key_ids from installation), '{}') as key_ids`,
      )
      return rows[0] ?? { customers: 0, key_ids: [] }
    } finally {
      await client.end()
    }
  } finally {
    await database.stop()
  }
}

/** Whom PostgreSQL runs as; null: whoever runs the command. */
export const postgresUser = (staged: string) =>
  ownerIn(path.dirname(staged)) ?? findPrograms(path.join(staged, 'none')).user

/** To whom the directory belongs, or else whom PostgreSQL runs as. */
function giveAway(staged: string) {
  const home = path.dirname(staged)
  if (ownerIn(home)) return giveToOwnerIn(home, staged)
  const { user } = findPrograms(path.join(staged, 'none'))
  if (!user) return
  const give = (name: string) => fs.chownSync(name, user.uid, user.gid)
  for (const above of [home, staged]) fs.chmodSync(above, 0o711)
  give(path.join(staged, 'pg18.password'))
  give(path.join(staged, 'pg18'))
  for (const name of fs.readdirSync(path.join(staged, 'pg18'), { recursive: true }))
    give(path.join(staged, 'pg18', String(name)))
}

/** The database of a killed run may still be shutting down. */
export const removeStaged = (folder: string) =>
  rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })

const trial_prefix = 'trying-'
/** No trial takes longer. */
const trial_max_ms = 24 * 3600_000

/** The disk of the spare folder is the database's, too, which must never find it full. */
export class NoRoom extends CannotStart {}

export interface Spare {
  home: string
  /** What stays free on the disk. */
  reserve_bytes: number
}

/**
 * Restores the database into a spare folder of `home`, starts it once, and removes it. Touches nothing else there. Customers' files,
 * which nothing starts, are compared with their checksums and not written.
 *
 * @throws NoRoom when what must stay free is reached
 */
export async function tryOut(
  from: Readable,
  called: string,
  { home, reserve_bytes }: Spare,
): Promise<Manifest & { customers: number }> {
  await mkdir(home, { recursive: true, mode: 0o700 })
  for (const name of fs.readdirSync(home)) {
    const folder = path.join(home, name)
    const isLeft = () => Date.now() - fs.statSync(folder).mtimeMs > trial_max_ms
    if (name.startsWith(trial_prefix) && isLeft()) await removeStaged(folder)
  }
  const staged = await mkdtemp(path.join(home, trial_prefix))
  const placeWhileRoom: typeof place = async (folder, name, content) => {
    if (name.startsWith('files/')) return void content?.resume()
    const { bavail, bsize } = await statfs(home)
    if (bavail * bsize < reserve_bytes)
      throw new NoRoom(
        `${called} was not tried to its end: less than ${Math.ceil(reserve_bytes / 1e6)} MB would be left in ${home}. Try it ` +
          'elsewhere, with a DATA_DIR of its own: npm run restore FILE -- --try',
      )
    await place(folder, name, content)
  }
  try {
    const manifest = await unpack(from, called, staged, placeWhileRoom)
    const { customers } = await startOnce(staged)
    return { ...manifest, customers }
  } finally {
    await removeStaged(staged)
  }
}
