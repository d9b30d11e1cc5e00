// Folder: files in a folder of this machine, or one that several machines share.
//
// Content is written to a draft and renamed when it is complete, so that no name ever has half a file, and it is synced to the
// disk before it counts as stored.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasCode } from '#server/errors/thrown.ts'
import { giveToOwnerIn } from '#server/start/owner.ts'
import { isHash, storedAs, writeStream, type Hash, type Storage } from './storage.ts'

const unless = (code: string) => (error: unknown) => {
  if (!hasCode(error, code)) throw error
  return null
}

/** @param url `file:/var/lib/foyer/files` */
export function openFolder(url: string): Storage {
  const root = fileURLToPath(new URL(url))
  const unfinished = path.join(root, 'unfinished')
  const folderOf = (customer_id: number) => path.join(root, String(Math.trunc(customer_id)))
  const fileOf = (customer_id: number, hash: Hash) => path.join(root, storedAs(customer_id, hash))
  const namesIn = async (folder: string) => (await readdir(folder).catch(unless('ENOENT'))) ?? []
  /** Writes a draft, and moves it to the place of the hash that `write` returns. */
  async function place(customer_id: number, write: (file: FileHandle) => Promise<Hash>): Promise<Hash> {
    const folder = folderOf(customer_id)
    await makeFolder(root)
    await Promise.all([makeFolder(folder), makeFolder(unfinished)])
    const draft = path.join(unfinished, randomUUID())
    try {
      const hash = await writeThrough(draft, write)
      await rename(draft, fileOf(customer_id, hash))
      await syncFolder(folder)
      return hash
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }
  const isOlder = async (file: string, moment: Date) => {
    const found = await stat(file).catch(unless('ENOENT'))
    return found !== null && found.mtimeMs < moment.getTime()
  }

  return {
    async put(customer_id, content) {
      const hash = createHash('sha256').update(content).digest('hex')
      await place(customer_id, async (file) => {
        await file.writeFile(content)
        return hash
      })
      return hash
    },
    async putStream(customer_id, content, byte_size_max) {
      let byte_size = 0
      const hash = await place(customer_id, async (file) => {
        // Repeats until all is written: one write may take only a part.
        const made = await writeStream(content, byte_size_max, (bytes) => file.writeFile(bytes))
        byte_size = made.byte_size
        return made.hash
      })
      return { hash, byte_size }
    },
    has: async (customer_id, hash) => (await stat(fileOf(customer_id, hash)).catch(unless('ENOENT'))) !== null,
    async read(customer_id, hash) {
      const file = await open(fileOf(customer_id, hash)).catch(unless('ENOENT'))
      if (!file) return null
      const { size } = await file.stat()
      return { byte_size: size, content: file.createReadStream() }
    },
    remove: (customer_id, hash) => rm(fileOf(customer_id, hash), { force: true }),
    customers: async () => (await namesIn(root)).filter((name) => /^\d+$/.test(name)).map(Number),
    async writtenBefore(customer_id, moment) {
      const names = (await namesIn(folderOf(customer_id))).filter(isHash)
      const older = await Promise.all(names.map((name) => isOlder(fileOf(customer_id, name), moment)))
      return names.filter((_, index) => older[index])
    },
    async clear(moment) {
      for (const name of await namesIn(unfinished)) {
        const draft = path.join(unfinished, name)
        if (await isOlder(draft, moment)) await rm(draft, { force: true })
      }
    },
  }
}

/** A new folder survives a power cut only if the folder above it has been synced. */
async function makeFolder(folder: string) {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  giveToOwnerIn(path.dirname(first), first)
  await syncFolder(path.dirname(first))
}

async function writeThrough(name: string, write: (file: FileHandle) => Promise<Hash>): Promise<Hash> {
  const file = await open(name, 'wx', 0o600)
  try {
    const hash = await write(file)
    giveToOwnerIn(path.dirname(name), name)
    await file.sync()
    return hash
  } finally {
    await file.close()
  }
}

async function syncFolder(folder: string) {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
