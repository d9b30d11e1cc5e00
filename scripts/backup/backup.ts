// Backup: writes everything of an installation with the embedded database into one file, while it runs.
//
// Customers' files are copied before the database and again after it. They are named by their content, so every file that the copied
// database refers to existed at one of the two times. What becomes the file is restored into a spare folder at the same time.
import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { open, readdir, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar-stream'
import { encrypted } from '#server/files/age.ts'
import { manifest_name, format, postgres_major, type Manifest } from '#scripts/backup/manifest.ts'
import { writeArchive, type ArchiveWriter } from '#scripts/backup/archive.ts'
import { NoRoom, tryOut, type Spare } from '#scripts/backup/unpack.ts'
import { noteBackup } from '#server/db/backup-notes.ts'
import { openBaseBackup } from '#server/db/base-backup.ts'
import { embeddedUrl } from '#server/db/command-database.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { DirectoryInUse } from '#server/db/directory-lock.ts'
import { openStorage } from '#server/files/open-storage.ts'
import { hasCode } from '#server/errors/thrown.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { checkSettings } from '#server/start/kept-settings.ts'
import { giveToOwnerIn } from '#server/start/owner.ts'
import { keysIn } from '#server/start/secret-key.ts'
import type { Config } from '#server/start/config.ts'

/** Later than any file was written. */
const end_of_time = new Date(8.64e15)
/** What a file is called until it is whole. One that nobody has written to for an hour belongs to a run that was killed. */
const unfinished_suffix = '.unfinished'
const unfinished_max_ms = 3600_000

export interface Backup {
  config: Config
  file: string
  /** It is not restored into a spare folder. */
  untried?: boolean
  log: (line: string) => void
  /** From 0 to 1. */
  progress: (part: number) => void
}
interface BackedUp {
  bytes: number
  has_key: boolean
  /** In the trial; null if there was none. */
  customers: number | null
}

export async function backUp({ config, file, untried = false, log, progress }: Backup): Promise<BackedUp> {
  if (config.database_url)
    throw new CannotStart(
      'DATABASE_URL names a server of your own: back it up with its own tools, pg_dump or pg_basebackup, and the files of ' +
        'STORAGE_URL after it. docs/backup.md says how.',
    )
  if (fs.existsSync(file)) throw new CannotStart(`${file} already exists. Name a new file.`)
  const home = config.data_dir
  if (!fs.existsSync(path.join(home, 'pg18', 'PG_VERSION')))
    throw new CannotStart(`There is no database in ${home}. Set DATA_DIR to the directory that Foyer uses.`)
  checkSettings(config)
  await removeUnfinished(path.dirname(file))
  const tries = !untried && (await hasRoomFor(config, log))
  const database = await reachDatabase(config, log)
  // Another run may write a backup of the same name.
  const unfinished = `${file}.${randomUUID()}${unfinished_suffix}`
  const made_at = new Date().toISOString()
  try {
    const source = { home, url: database.url, storage_url: config.storage_url, progress }
    const { has_key, sha256, customers } = await write(unfinished, source, {
      recipients: config.backup_recipients,
      spare: tries ? { home, reserve_bytes: config.disk_reserve_bytes, log } : null,
    })
    // Foyer compares it.
    giveToOwnerIn(home, unfinished)
    putInPlace(unfinished, file)
    const { size: bytes } = fs.statSync(file)
    noteBackup(home, {
      file,
      bytes,
      sha256,
      made_at,
      is_encrypted: config.backup_recipients.length > 0,
      tried_at: customers === null ? null : new Date().toISOString(),
      opened_at: null,
      compared_at: null,
      is_same: null,
    })
    return { bytes, has_key, customers }
  } catch (error) {
    fs.rmSync(unfinished, { force: true })
    throw error
  } finally {
    await database.stop()
  }
}

/** Under its name, which another run may have taken meanwhile. */
function putInPlace(unfinished: string, file: string) {
  const taken = () => new CannotStart(`Another backup has created ${file} in the meantime. Name a new file.`)
  try {
    fs.linkSync(unfinished, file)
  } catch (error) {
    if (hasCode(error, 'EEXIST') || fs.existsSync(file)) throw taken()
    // Some disks of other systems know no second name for a file.
    return fs.renameSync(unfinished, file)
  }
  fs.rmSync(unfinished)
}

/** The archive goes two ways at once: into the file, encrypted where there is a recipient, and into a spare folder. */
async function write(
  unfinished: string,
  source: Source,
  { recipients, spare }: { recipients: readonly string[]; spare: (Spare & { log: (line: string) => void }) | null },
): Promise<{ has_key: boolean; sha256: string; customers: number | null }> {
  const [made, kept, tried] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const hash = createHash('sha256')
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  // What is made is a backup all the same.
  const unlessNoRoom = (error: unknown) => {
    if (!(error instanceof NoRoom)) throw error
    spare?.log(error.message)
    return null
  }
  // Readable by nobody else, as it contains everything.
  const handle = await open(unfinished, 'wx', 0o600)
  try {
    const content = recipients.length > 0 ? await encrypted(kept, recipients) : kept
    const archive = writeArchive(made)
    const copied = copyAll(archive, source).then(async (has_key) => {
      await archive.finish()
      return has_key
    })
    // Waits for the slower of both.
    made.pipe(kept)
    if (spare) made.pipe(tried)
    const [has_key, trial] = await Promise.all([
      copied,
      spare ? tryOut(tried, 'What is written', spare).catch(unlessNoRoom) : null,
      pipeline(content, hashing, handle.createWriteStream({ flush: true })),
    ])
    return { has_key, sha256: hash.digest('hex'), customers: trial?.customers ?? null }
  } catch (error) {
    // What still runs ends with it.
    for (const stream of [made, kept, tried]) stream.destroy()
    throw error
  } finally {
    await handle.close().catch(() => {})
  }
}

async function removeUnfinished(folder: string) {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(unfinished_suffix)) continue
    const left = path.join(folder, name)
    // Another run may have put its own in place meanwhile.
    const found = await stat(left).catch(() => null)
    if (found && Date.now() - found.mtimeMs > unfinished_max_ms) fs.rmSync(left, { force: true })
  }
}

/** Whether the spare folder fits beside the database, which must never find its disk full. */
async function hasRoomFor({ data_dir, disk_reserve_bytes }: Config, log: (line: string) => void): Promise<boolean> {
  const { bavail, bsize } = await statfs(data_dir)
  const needed = 1.1 * (await bytesIn(path.join(data_dir, 'pg18')))
  if (bavail * bsize > needed + disk_reserve_bytes) return true
  log(
    `Not tried meanwhile: a spare folder in ${data_dir} needs ${Math.ceil(needed / 1e6)} MB. ` +
      'Try it elsewhere: npm run restore FILE -- --try',
  )
  return false
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(folder, { recursive: true }).catch(() => []))
    bytes += (await stat(path.join(folder, name)).catch(() => null))?.size ?? 0
  return bytes
}

/** The running database; if none runs, it is started for the backup. */
async function reachDatabase({ data_dir: home, backup_url }: Config, log: (line: string) => void) {
  try {
    return await startEmbedded({ directory: home, archive: backup_url !== null, log })
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error
    return { url: embeddedUrl(path.join(home, 'pg18'), 'postgres'), stop: () => Promise.resolve() }
  }
}

interface Source {
  home: string
  url: string
  storage_url: string
  progress: (part: number) => void
}

async function copyAll(archive: ArchiveWriter, { home, url, storage_url, progress }: Source): Promise<boolean> {
  const keysBefore = keysIn(home)
  const has_key = keysBefore.length > 0
  const manifest: Manifest = { format, made_at: new Date().toISOString(), postgres_major, has_key }
  await archive.addText(manifest_name, JSON.stringify(manifest))
  await archive.addText('pg18.password', fs.readFileSync(path.join(home, 'pg18.password'), 'utf8'))
  const copied = new Set<string>()
  await copyFiles(archive, storage_url, copied)
  await copyDatabase(archive, url, progress)
  await copyFiles(archive, storage_url, copied)
  // The key may have been rotated meanwhile: keep every key that the copy may need.
  const keys = [...new Set([...keysIn(home), ...keysBefore])]
  if (has_key) await archive.addText('secret-key', keys.map((key) => `${key}\n`).join(''))
  return has_key
}

async function copyFiles(archive: ArchiveWriter, storage_url: string, copied: Set<string>) {
  const storage = await openStorage(storage_url)
  for (const customer_id of await storage.customers())
    for (const hash of await storage.writtenBefore(customer_id, end_of_time)) {
      const name = `files/${customer_id}/${hash}`
      const found = copied.has(name) ? null : await storage.read(customer_id, hash)
      // A file that was removed meanwhile was not referred to.
      if (!found) continue
      copied.add(name)
      await archive.add(name, found.byte_size, found.content)
    }
}

async function copyDatabase(archive: ArchiveWriter, url: string, progress: (part: number) => void) {
  const backup = await openBaseBackup(url)
  try {
    const entries = extract()
    const read = pipeline(backup.tar, entries)
    read.catch(() => {})
    let bytes = 0
    for await (const entry of entries) {
      const { name, type, size } = entry.header
      if (type === 'directory') {
        await archive.addFolder(`pg18/${name}`)
        entry.resume()
      } else {
        await archive.add(`pg18/${name}`, size, entry)
        bytes += size
      }
      progress(Math.min(1, bytes / ((await backup.bytes_about) || 1)))
    }
    await read
  } finally {
    await backup.close()
  }
}
