// Storage: where the content of files is stored: a folder, or a bucket that all nodes share. Each customer has its own part of
// it, where content is stored by its hash. Names and uses of files are in the table `files`.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'

/** SHA-256 of the content, as hexadecimal. */
export type Hash = string

export interface Storage {
  /** Stores it, also if it is there already. Resolves when it is on the disk. */
  put(customer_id: number, content: Buffer): Promise<Hash>
  /**
   * The same for content that is made while it is written, such as a report, and is never kept in memory as a whole. Content longer
   * than `byte_size_max` is refused with `TooManyBytes`, and what was written of it is removed.
   */
  putStream(customer_id: number, content: Content, byte_size_max: number): Promise<{ hash: Hash; byte_size: number }>
  has(customer_id: number, hash: Hash): Promise<boolean>
  /** Null if there is none. */
  read(customer_id: number, hash: Hash): Promise<{ byte_size: number; content: Readable } | null>
  remove(customer_id: number, hash: Hash): Promise<void>
  customers(): Promise<number[]>
  /** Content that was last written before that moment. */
  writtenBefore(customer_id: number, moment: Date): Promise<Hash[]>
  /** Removes what is left of writes that were interrupted before that moment. */
  clear(moment: Date): Promise<void>
}

type Content = AsyncIterable<Uint8Array | string>

/** The content is longer than allowed. */
export class TooManyBytes extends Error {}

const hash_pattern = /^[0-9a-f]{64}$/
export const isHash = (name: string): boolean => hash_pattern.test(name)

/** The relative path of the content. Throws if the name is not a hash, since it could lead elsewhere. */
export function storedAs(customer_id: number, hash: Hash): string {
  if (!isHash(hash)) throw new Error(`${hash} is no hash`)
  return `${Math.trunc(customer_id)}/${hash}`
}

/** Writes the content piece by piece; returns its hash and size. Throws `TooManyBytes` if it is longer than `byte_size_max`. */
export async function writeStream(content: Content, byte_size_max: number, write: (bytes: Buffer) => Promise<unknown>) {
  const digest = createHash('sha256')
  let byte_size = 0
  for await (const made of content) {
    const bytes = Buffer.from(made)
    byte_size += bytes.byteLength
    if (byte_size > byte_size_max) throw new TooManyBytes(`more than ${byte_size_max} bytes`)
    digest.update(bytes)
    await write(bytes)
  }
  return { hash: digest.digest('hex'), byte_size }
}
