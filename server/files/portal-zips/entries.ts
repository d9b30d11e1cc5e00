// Entries: what the directory of a zip lists, checked for consistency and against the local headers, before anything is
// unpacked. A zip that two readers could understand in different ways is refused.
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl'
import { zipLimits, type RefusedFile, type RefusedFileReason, type UnreadableZip } from './limits.ts'
import { folded, isLitter, readName } from './names.ts'

/** A file that may be unpacked, and its bytes. */
export interface Packed {
  path: string
  /** As they are in the zip. */
  bytes: Buffer
  deflated: boolean
  byte_size: number
  crc32: number
}

/** Nothing of the zip can be trusted. */
export class UntrustedZip extends Error {
  override name = 'UntrustedZip'
  readonly why: UnreadableZip
  constructor(why: UnreadableZip) {
    super(why)
    this.why = why
  }
}

export interface Entries {
  files: Packed[]
  refused: RefusedFile[]
  /** Names of files that systems add to zips by themselves. */
  left_out: string[]
}

const end_mark = 'PK\x05\x06'
const large_locator = 0x07064b50
const large_extra = 0x0001
const encrypted_flags = 0x2041

export async function entriesOf(bytes: Buffer): Promise<Entries> {
  if (bytes.toString('latin1', 0, 4) !== 'PK\x03\x04')
    throw new UntrustedZip(bytes.toString('latin1', 0, 4) === end_mark ? 'noIndex' : 'notZip')
  const zip = await opened(bytes)
  // The library uses the last one, too.
  const end = bytes.lastIndexOf(end_mark)
  if (end >= 20 && bytes.readUInt32LE(end - 20) === large_locator) throw new UntrustedZip('large')
  if (zip.entryCount > zipLimits.entries_max) throw new UntrustedZip('tooMany')
  const entries = await listed(zip)
  const directory = { offset: bytes.readUInt32LE(end + 16), length: bytes.readUInt32LE(end + 12) }
  const length = entries.reduce((sum, entry) => sum + lengthInDirectory(entry), 0)
  if (length !== directory.length || directory.offset + directory.length !== end) throw new UntrustedZip('damaged')
  return sorted(zip, entries, bytes.subarray(0, directory.offset))
}

// Names are not decoded: the library would refuse a bad one without saying which.
const opened = (bytes: Buffer): Promise<ZipFile> =>
  fromBufferPromise(bytes, { lazyEntries: true, decodeStrings: false, validateEntrySizes: false }).catch(() => {
    throw new UntrustedZip('damaged')
  })

async function listed(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = []
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry)
  } catch {
    throw new UntrustedZip('damaged')
  }
  if (entries.some(({ extraFields }) => extraFields.some(({ id }) => id === large_extra)))
    throw new UntrustedZip('large')
  return entries
}

const lengthInDirectory = ({ fileNameLength, extraFieldLength, fileCommentLength }: Entry) =>
  46 + fileNameLength + extraFieldLength + fileCommentLength

async function sorted(zip: ZipFile, entries: Entry[], contents: Buffer): Promise<Entries> {
  const files: Packed[] = []
  const refused: RefusedFile[] = []
  const left_out: string[] = []
  const names = new Names()
  const extents: [from: number, to: number][] = []
  let total_bytes = 0
  for (const entry of entries) {
    const read = readName(entry.fileNameRaw)
    const local = await zip.readLocalFileHeaderPromise(entry).catch(() => {
      throw new UntrustedZip('damaged')
    })
    const from = local.fileDataStart
    const to = from + entry.compressedSize
    if (to > contents.length) throw new UntrustedZip('damaged')
    extents.push([entry.relativeOffsetOfLocalHeader, to])
    const refuse = (why: RefusedFileReason, detail?: string) =>
      refused.push({ name: 'path' in read ? read.path : read.shown, why, ...(detail !== undefined && { detail }) })
    // It is never unpacked, so nothing more is checked.
    if (isLitter(entry.fileNameRaw)) {
      left_out.push('path' in read ? read.path : read.shown)
      continue
    }
    if ('why' in read) {
      refuse(read.why)
      continue
    }
    const { path } = read
    const why =
      wrongWith(entry, path) ??
      (entry.fileNameRaw.equals(local.fileName) && entry.compressionMethod === local.compressionMethod
        ? undefined
        : 'twoNames')
    if (why) refuse(why)
    const clash = names.add(path)
    if (clash) refuse(...clash)
    total_bytes += entry.uncompressedSize
    if (why || clash || path.endsWith('/')) continue
    const { uncompressedSize: byte_size, crc32 } = entry
    files.push({
      path,
      bytes: contents.subarray(from, to),
      deflated: entry.compressionMethod === 8,
      byte_size,
      crc32,
    })
  }
  if (overlap(extents)) throw new UntrustedZip('overlapping')
  if (total_bytes > zipLimits.total_bytes_max && refused.length === 0) throw new UntrustedZip('tooMuch')
  if (files.length > zipLimits.files_max) throw new UntrustedZip('tooMany')
  return { files, refused, left_out }
}

const unix_kind_mask = 0xf000
const kinds = { folder: 0x4000, file: 0x8000, link: 0xa000 }

function wrongWith(entry: Entry, path: string): RefusedFileReason | undefined {
  const { compressedSize, uncompressedSize, compressionMethod, externalFileAttributes } = entry
  const kind = (externalFileAttributes >>> 16) & unix_kind_mask
  if (kind === kinds.link) return 'link'
  if (kind !== 0 && kind !== (path.endsWith('/') ? kinds.folder : kinds.file)) return 'device'
  if (entry.generalPurposeBitFlag & encrypted_flags) return 'locked'
  if (path.endsWith('/')) return uncompressedSize > 0 ? 'folderWithContent' : undefined
  if (compressionMethod !== 0 && compressionMethod !== 8) return 'packing'
  if (compressionMethod === 0 && compressedSize !== uncompressedSize) return 'damaged'
  if (uncompressedSize > zipLimits.ratio_from_bytes && uncompressedSize > compressedSize * zipLimits.ratio_max)
    return 'swollen'
  return uncompressedSize > zipLimits.file_bytes_max ? 'tooLarge' : undefined
}

/** The names so far, as distinguished by the least exact reader. */
class Names {
  readonly #files = new Map<string, string>()
  readonly #folders = new Set<string>()

  add(path: string): [RefusedFileReason, string?] | undefined {
    const key = folded(path)
    const parents = key.split('/').map((_, index, parts) => parts.slice(0, index).join('/'))
    const isFolder = path.endsWith('/')
    const other = this.#files.get(key)
    if (isFolder ? other !== undefined : this.#folders.has(key)) return ['hidesFolder']
    if (parents.some((parent) => this.#files.has(parent))) return ['hidesFolder']
    for (const parent of parents) this.#folders.add(parent)
    if (isFolder) this.#folders.add(key)
    else if (other !== undefined) return ['doubled', other]
    else this.#files.set(key, path)
    return undefined
  }
}

function overlap(extents: [from: number, to: number][]): boolean {
  const inOrder = extents.toSorted(([one], [other]) => one - other)
  return inOrder.some(([from], index) => from < (inOrder[index - 1]?.[1] ?? 0))
}
