// Storage: where the content of files lies: a folder, and in it one for each customer, by the content's hash. What a file is
// called and what it is used for stands in the table `files`.
//
// Content is written beside its place and moved there whole, so that a name never stands for half a file, and is on the disk
// before anybody is told that it is stored.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** SHA-256 of the content, as hexadecimal. */
export type Hash = string

export interface Storage {
  /** Writes it, or writes it again. Resolves when it is on the disk. */
  put(customer_id: number, content: Buffer): Promise<Hash>
  /**
   * The same for what is made while it is written, such as a report, and is never held whole. What is longer than
   * `byte_size_max` is given up with `TooManyBytes`, and what was written of it goes.
   */
  putMade(customer_id: number, content: Made, byte_size_max: number): Promise<{ hash: Hash; byte_size: number }>
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

type Made = AsyncIterable<Uint8Array | string>

/** More came than there is room for. */
export class TooManyBytes extends Error {}

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
  /** Writes a draft, which says by what hash it goes, and moves it to its place. */
  async function place(customer_id: number, write: (file: FileHandle) => Promise<Hash>): Promise<Hash> {
    const folder = folderOf(customer_id)
    await makeFolder(root)
    await Promise.all([makeFolder(folder), makeFolder(unfinished)])
    const draft = path.join(unfinished, randomUUID())
    try {
      const hash = await writeThrough(draft, write)
      await rename(draft, placeOf(customer_id, hash))
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
    async putMade(customer_id, content, byte_size_max) {
      const digest = createHash('sha256')
      let byte_size = 0
      const hash = await place(customer_id, async (file) => {
        for await (const made of content) {
          const bytes = typeof made === 'string' ? Buffer.from(made) : made
          byte_size += bytes.byteLength
          if (byte_size > byte_size_max) throw new TooManyBytes(`more than ${byte_size_max} bytes`)
          digest.update(bytes)
          // As often as needed: one write may take a part.
          await file.writeFile(bytes)
        }
        return digest.digest('hex')
      })
      return { hash, byte_size }
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

async function writeThrough(name: string, write: (file: FileHandle) => Promise<Hash>): Promise<Hash> {
  const file = await open(name, 'wx', 0o600)
  try {
    const hash = await write(file)
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
