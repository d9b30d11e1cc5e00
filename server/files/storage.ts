// Storage: where the content of files lies: a folder, and in it one for each customer, by the content's hash. What a file is
// called and what it is used for stands in the table `files`.
//
// Content is written beside its place and moved there whole, so that a name never stands for half a file, and is on the disk
// before anybody is told that it is stored.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** SHA-256 of the content, as hexadecimal. */
export type Hash = string

export interface Storage {
  /** Writes it, or writes it again. Resolves when it is on the disk. */
  put(customer_id: number, content: Buffer): Promise<Hash>
  has(customer_id: number, hash: Hash): Promise<boolean>
  /** Null: there is none. */
  read(customer_id: number, hash: Hash): Promise<{ byte_size: number; content: Readable } | null>
  remove(customer_id: number, hash: Hash): Promise<void>
  customers(): Promise<number[]>
  /** What was last written before then. */
  writtenBefore(customer_id: number, moment: Date): Promise<Hash[]>
  /** Takes away what is left of writes that were cut off before then. */
  clear(moment: Date): Promise<void>
}

const hash_pattern = /^[0-9a-f]{64}$/
const unless = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error
  return null
}

/** @param url `file:/var/lib/foyer/files` */
export function openStorage(url: string): Storage {
  const root = fileURLToPath(new URL(url))
  const unfinished = path.join(root, 'unfinished')
  const folderOf = (customer_id: number) => path.join(root, String(Math.trunc(customer_id)))
  const placeOf = (customer_id: number, hash: Hash) => {
    if (!hash_pattern.test(hash)) throw new Error(`${hash} is no hash`)
    return path.join(folderOf(customer_id), hash)
  }
  const namesIn = async (folder: string) => (await readdir(folder).catch(unless('ENOENT'))) ?? []
  const isOlder = async (file: string, moment: Date) => {
    const found = await stat(file).catch(unless('ENOENT'))
    return found !== null && found.mtimeMs < moment.getTime()
  }

  return {
    async put(customer_id, content) {
      const hash = createHash('sha256').update(content).digest('hex')
      const folder = folderOf(customer_id)
      await makeFolder(root)
      await Promise.all([makeFolder(folder), makeFolder(unfinished)])
      const draft = path.join(unfinished, randomUUID())
      try {
        await writeThrough(draft, content)
        await rename(draft, placeOf(customer_id, hash))
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
      await syncFolder(folder)
      return hash
    },
    has: async (customer_id, hash) => (await stat(placeOf(customer_id, hash)).catch(unless('ENOENT'))) !== null,
    async read(customer_id, hash) {
      const file = await open(placeOf(customer_id, hash)).catch(unless('ENOENT'))
      if (!file) return null
      const { size } = await file.stat()
      return { byte_size: size, content: file.createReadStream() }
    },
    remove: (customer_id, hash) => rm(placeOf(customer_id, hash), { force: true }),
    customers: async () => (await namesIn(root)).filter((name) => /^\d+$/.test(name)).map(Number),
    async writtenBefore(customer_id, moment) {
      const names = (await namesIn(folderOf(customer_id))).filter((name) => hash_pattern.test(name))
      const older = await Promise.all(names.map((name) => isOlder(placeOf(customer_id, name), moment)))
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

/** A folder that is new is there after a power cut only when the one above it is on the disk. */
async function makeFolder(folder: string) {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first !== undefined) await syncFolder(path.dirname(first))
}

async function writeThrough(file: string, content: Buffer) {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
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
