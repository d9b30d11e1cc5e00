// Zips for tests, made byte by byte, so that each number in them can be wrong.
import { crc32, deflateRawSync } from 'node:zlib'

/** A file of a zip. Whatever is not given is correct; the fields below `content` are for wrong values. */
export interface ZipEntry {
  name: string | Buffer
  content?: string | Buffer
  /** Stored, not deflated. */
  stored?: boolean
  /** The packed bytes in the zip, whatever the content is. */
  packed?: Buffer
  method?: number
  flags?: number
  crc?: number
  size?: number
  packed_size?: number
  /** Unix mode, such as 0o120777 for a link. */
  mode?: number
  extra?: Buffer
  /** Different values for the local header, before the content. */
  local?: { name?: string; method?: number }
  /** Has the offset of the first file. */
  shared?: boolean
  offset?: number
}

interface ZipOptions {
  before?: Buffer
  between?: Buffer
  after?: Buffer
  count?: number
  comment?: string
  directory_offset?: number
  directory_length?: number
}

const number = (value: number, bytes: 2 | 4) => {
  const field = Buffer.alloc(bytes)
  if (bytes === 2) field.writeUInt16LE(value & 0xffff)
  else field.writeUInt32LE(value >>> 0)
  return field
}

function facts(entry: ZipEntry, name: Buffer, method: number, packed: Buffer, content: Buffer) {
  const { flags = 0x800, crc = crc32(content), size = content.length, packed_size = packed.length, extra } = entry
  const version = 20
  const [time, date] = [0, 0x21]
  return Buffer.concat([
    ...[version, flags, method, time, date].map((value) => number(value, 2)),
    ...[crc, packed_size, size].map((value) => number(value, 4)),
    ...[name.length, extra?.length ?? 0].map((value) => number(value, 2)),
  ])
}

export function aZip(entries: ZipEntry[], options: ZipOptions = {}): Buffer {
  const { before = Buffer.alloc(0), between = Buffer.alloc(0), after = Buffer.alloc(0), comment = '' } = options
  const pieces: Buffer[] = [before]
  const directory: Buffer[] = []
  let length = before.length
  for (const entry of entries) {
    const name = Buffer.from(entry.name)
    const content = Buffer.from(entry.content ?? '')
    const packed = entry.packed ?? (entry.stored ? content : deflateRawSync(content))
    const method = entry.method ?? (entry.stored ? 0 : 8)
    const extra = entry.extra ?? Buffer.alloc(0)
    const offset = entry.offset ?? (entry.shared ? before.length : length)
    const attributes = number(((entry.mode ?? 0o100644) << 16) >>> 0, 4)
    const rest = [number(0, 2), number(0, 2), number(0, 2), attributes, number(offset, 4), name, extra]
    const listed = facts(entry, name, method, packed, content)
    directory.push(Buffer.from('PK\x01\x02'), number(0x0314, 2), listed, ...rest)
    if (entry.shared) continue
    const local_name = Buffer.from(entry.local?.name ?? name)
    const local_facts = facts(entry, local_name, entry.local?.method ?? method, packed, content)
    const local = [Buffer.from('PK\x03\x04'), local_facts, local_name, extra, packed]
    pieces.push(...local)
    length += local.reduce((sum, piece) => sum + piece.length, 0)
  }
  const listed = Buffer.concat(directory)
  const { count = entries.length, directory_length = listed.length } = options
  const { directory_offset = length + between.length } = options
  const end = [number(0, 2), number(0, 2), number(count, 2), number(count, 2), number(directory_length, 4)]
  const last = [number(directory_offset, 4), number(Buffer.byteLength(comment), 2), Buffer.from(comment)]
  return Buffer.concat([...pieces, between, listed, Buffer.from('PK\x05\x06'), ...end, ...last, after])
}

/** A page that signs in. */
export const aPage = (more = '') => `<!doctype html><title>{{company}}</title><h1>{{headline}}</h1>{{form}}${more}`

/** The smallest custom portal. */
export const aPortalZip = (...more: ZipEntry[]) => aZip([{ name: 'index.html', content: aPage() }, ...more])
