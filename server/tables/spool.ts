// Spool: a temporary file for content that must be complete before its first byte can be sent. It has no name, so that nothing is
// left behind however the program ends.
import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

const chunk_bytes = 256 * 1024

export interface Spool {
  /** Returns a buffer with room for `bytes` from position `at`; to be followed by `wrote` with the end of what was used. */
  room(bytes: number): Promise<{ buffer: Buffer; at: number }>
  wrote(end: number): void
  append(bytes: Buffer): Promise<void>
  size(): number
  /** Overwrites what has been written. */
  patch(bytes: Buffer, position: number): Promise<void>
  content(): AsyncGenerator<Buffer>
  close(): Promise<void>
}

export async function openSpool(): Promise<Spool> {
  const name = path.join(os.tmpdir(), `foyer-${randomUUID()}`)
  const file = await open(name, 'wx+', 0o600)
  await rm(name)
  const buffer = Buffer.allocUnsafe(chunk_bytes)
  let [used, written] = [0, 0]
  const flush = async () => {
    for (let at = 0; at < used;) at += (await file.write(buffer, at, used - at, written + at)).bytesWritten
    written += used
    used = 0
  }
  return {
    async room(bytes) {
      if (used + bytes > chunk_bytes) await flush()
      return { buffer, at: used }
    },
    wrote(end) {
      used = end
    },
    async append(bytes) {
      for (let at = 0; at < bytes.length;) {
        if (used === chunk_bytes) await flush()
        const copied = bytes.copy(buffer, used, at)
        at += copied
        used += copied
      }
    },
    size: () => written + used,
    async patch(bytes, position) {
      await flush()
      await file.write(bytes, 0, bytes.length, position)
    },
    async *content() {
      await flush()
      for (let position = 0; position < written;) {
        const chunk = Buffer.allocUnsafe(Math.min(chunk_bytes, written - position))
        const { bytesRead } = await file.read(chunk, 0, chunk.length, position)
        if (bytesRead === 0) throw new Error('the spooled file is shorter than what was written')
        position += bytesRead
        yield chunk.subarray(0, bytesRead)
      }
    },
    close: () => file.close(),
  }
}
