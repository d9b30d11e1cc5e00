// Backup: writes everything of an installation with the embedded database into one file, while it runs.
//
// Customers' files are copied before the database and again after it. They are named by their content, so every file that the copied
// database refers to existed at one of the two times.
import fs from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { extract } from 'tar-stream'
import { pipeline } from 'node:stream/promises'
import { manifest_name, format, postgres_major, type Manifest } from '#scripts/backup/manifest.ts'
import { writeArchive, type ArchiveWriter } from '#scripts/backup/archive.ts'
import { openBaseBackup } from '#server/db/base-backup.ts'
import { embeddedUrl } from '#server/db/command-database.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { DirectoryInUse } from '#server/db/directory-lock.ts'
import { openStorage } from '#server/files/open-storage.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import type { Config } from '#server/start/config.ts'

/** Later than any file was written. */
const end_of_time = new Date(8.64e15)

export interface Backup {
  config: Config
  file: string
  log: (line: string) => void
  /** From 0 to 1. */
  progress: (part: number) => void
}

export async function backUp({ config, file, log, progress }: Backup): Promise<{ bytes: number; has_key: boolean }> {
  if (config.database_url)
    throw new CannotStart(
      'DATABASE_URL names a server of your own: back it up with its own means, pg_dump or pg_basebackup, and the files of ' +
        'STORAGE_URL after it. docs/backup.md says how.',
    )
  if (fs.existsSync(file)) throw new CannotStart(`${file} is there already. Name a new file.`)
  const home = config.data_dir
  if (!fs.existsSync(path.join(home, 'pg18', 'PG_VERSION')))
    throw new CannotStart(`There is no database in ${home}. Set DATA_DIR to the directory that Foyer uses.`)
  const database = await reachDatabase(home, log)
  const unfinished = `${file}.part`
  try {
    // Readable by nobody else, as it contains everything.
    const handle = await open(unfinished, 'w', 0o600)
    const archive = writeArchive(handle.createWriteStream({ flush: true }))
    const has_key = await copyAll(archive, { home, url: database.url, storage_url: config.storage_url, progress })
    await archive.finish()
    fs.renameSync(unfinished, file)
    return { bytes: fs.statSync(file).size, has_key }
  } catch (error) {
    fs.rmSync(unfinished, { force: true })
    throw error
  } finally {
    await database.stop()
  }
}

/** The running database; if none runs, it is started for the backup. */
async function reachDatabase(home: string, log: (line: string) => void) {
  try {
    return await startEmbedded({ directory: home, log })
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
  const keysBefore = keptKeys(home)
  const has_key = keysBefore.length > 0
  const manifest: Manifest = { format, made_at: new Date().toISOString(), postgres_major, has_key }
  await archive.addText(manifest_name, JSON.stringify(manifest))
  await archive.addText('pg18.password', fs.readFileSync(path.join(home, 'pg18.password'), 'utf8'))
  const copied = new Set<string>()
  await copyFiles(archive, storage_url, copied)
  await copyDatabase(archive, url, progress)
  await copyFiles(archive, storage_url, copied)
  // The key may have been rotated meanwhile: keep every key that the copy may need.
  const keys = [...new Set([...keptKeys(home), ...keysBefore])]
  if (has_key) await archive.addText('secret-key', keys.map((key) => `${key}\n`).join(''))
  return has_key
}

function keptKeys(home: string): string[] {
  const file = path.join(home, 'secret-key')
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
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
