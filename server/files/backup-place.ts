// Backup place: where the log of the embedded database is kept (BACKUP_URL), apart from the machine: a folder, or a part of a bucket.
import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, readdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasCode } from '#server/errors/thrown.ts'

export interface BackupPlace {
  /** Resolves when it is on the disk. What was there under this name is replaced. */
  put(name: string, content: Buffer): Promise<void>
  /** Null if there is none. */
  read(name: string): Promise<Buffer | null>
  /** Of an error of the two: whether it may answer later. What is there and refuses us goes on refusing. */
  isAway(failure: unknown): Promise<boolean>
}

/** @param url as for `openStorage` */
export async function openBackupPlace(url: string): Promise<BackupPlace> {
  if (new URL(url).protocol === 'file:') return folderOf(fileURLToPath(url))
  // Imported only if needed: the library is large.
  const { openObjects } = await import('./bucket.ts')
  return openObjects(url)
}

const folderOf = (folder: string): BackupPlace => ({
  async put(name, content) {
    const file = path.join(folder, name)
    const unfinished = `${file}.${randomUUID()}`
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    const handle = await open(unfinished, 'wx', 0o600)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, file)
  },
  async read(name) {
    try {
      return await readFile(path.join(folder, name))
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return null
      throw error
    }
  },
  // A place that is not mounted is an empty folder that refuses, or none.
  isAway: async (failure) =>
    !hasCode(failure, 'EACCES', 'EPERM', 'EROFS') || (await readdir(folder).catch(() => [])).length === 0,
})
