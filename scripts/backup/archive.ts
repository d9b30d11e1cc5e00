// Archive: the file of a backup: a tar archive under zstd, which any system can open. Its last entry lists the SHA-256 of all others:
// a truncated archive lacks that entry, and a damaged one does not match it.
import { createHash, type Hash } from 'node:crypto'
import { Readable, Transform, type Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { CannotStart } from '#server/start/cannot-start.ts'

const sums_name = 'SHA256SUMS'
const sums_bytes_max = 512 * 1024 * 1024

type Content = AsyncIterable<unknown>

export interface ArchiveWriter {
  add(name: string, size: number, content: Content): Promise<void>
  addText(name: string, text: string): Promise<void>
  addFolder(name: string): Promise<void>
  /** Resolves when everything has been written. */
  finish(): Promise<void>
}

const hashing = (hash: Hash) =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })

export function writeArchive(to: Writable): ArchiveWriter {
  const archive = pack()
  const written = pipeline(archive, createZstdCompress(), to)
  // The error is thrown by `finish`.
  written.catch(() => {})
  const sums: string[] = []
  async function add(name: string, size: number, content: Content, isSums = false) {
    const hash = createHash('sha256')
    await Promise.race([
      pipeline(content, hashing(hash), archive.entry({ name, size, mode: 0o600 })),
      written.then(() => Promise.reject(new Error('the archive ended too early'))),
    ])
    if (!isSums) sums.push(`${hash.digest('hex')}  ${name}\n`)
  }
  const inBytes = (content: string) => {
    const bytes = Buffer.from(content)
    return [bytes.length, Readable.from([bytes])] as const
  }
  return {
    add,
    addText: (name, content) => add(name, ...inBytes(content)),
    addFolder: (name) =>
      new Promise((resolve, reject) =>
        archive.entry({ name, type: 'directory', mode: 0o700 }, (error) => (error ? reject(error) : resolve())),
      ),
    async finish() {
      await add(sums_name, ...inBytes(sums.join('')), true)
      archive.finalize()
      await written
    },
  }
}

/** One entry; a folder if `content` is null. */
export interface Entry {
  name: string
  content: Readable | null
}

/** Passes each entry to `take`, which must read it to its end. Throws `CannotStart` unless all entries are complete and undamaged. */
export async function readArchive(
  from: Readable,
  called: string,
  take: (entry: Entry) => Promise<void>,
): Promise<void> {
  const found = new Map<string, string>()
  let sums: string | undefined
  const entries = extract()
  const read = pipeline(from, createZstdDecompress(), entries)
  read.catch(() => {})
  try {
    for await (const entry of entries) {
      const { name, type, size } = entry.header
      if (type === 'directory') {
        await take({ name, content: null })
        entry.resume()
      } else if (type !== 'file') {
        throw new Error(`${name} is neither a file nor a folder`)
      } else if (name === sums_name) {
        if (size > sums_bytes_max) throw new Error('its list of sums is too long')
        sums = await text(entry)
      } else {
        const hash = createHash('sha256')
        const checked = hashing(hash)
        await Promise.all([pipeline(entry, checked), take({ name, content: checked })])
        found.set(name, hash.digest('hex'))
      }
    }
    await read
  } catch (error) {
    if (error instanceof CannotStart) throw error
    throw new CannotStart(`${called} is damaged or cut off: ${(error as Error).message}`)
  }
  compare(found, sums, called)
}

function compare(found: Map<string, string>, sums: string | undefined, called: string) {
  if (sums === undefined) throw new CannotStart(`${called} is cut off: it ends before its list of sums.`)
  const expected = new Map(
    sums
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(line.indexOf('  ') + 2), line.slice(0, line.indexOf('  '))]),
  )
  const damaged = [...new Set([...expected.keys(), ...found.keys()])].find(
    (name) => expected.get(name) !== found.get(name),
  )
  if (damaged !== undefined) throw new CannotStart(`${called} is damaged: ${damaged} is not what was backed up.`)
}
