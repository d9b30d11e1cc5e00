// Storage: where the content of files lies: a folder, or a bucket that all nodes share. In it each customer has a place of its
// own, where content lies by its hash. What a file is called and what it is used for stands in the table `files`.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'

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
export const isHash = (name: string): boolean => hash_pattern.test(name)

/** Where the content lies, as a part of a name. Throws for what is no hash, which could lead elsewhere. */
export function placeOf(customer_id: number, hash: Hash): string {
  if (!isHash(hash)) throw new Error(`${hash} is no hash`)
  return `${Math.trunc(customer_id)}/${hash}`
}

/** Writes what is made piece by piece, and says what it was. Throws `TooManyBytes` where it is longer than `byte_size_max`. */
export async function writeMade(content: Made, byte_size_max: number, write: (bytes: Buffer) => Promise<unknown>) {
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
