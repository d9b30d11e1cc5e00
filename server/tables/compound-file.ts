// Compound file: the container of an .xls ([MS-CFB], version 3), with one stream. It is a file system with sectors of 512 bytes, and
// has all lengths at its beginning.

const sector_bytes = 512
const entries_of_sector = sector_bytes / 4
const entries_in_header = 109
/** Anything shorter would need another structure, so it is padded. */
const stream_bytes_min = 4096
/** A stream's length has 32 bits, and programs read them as a signed number. */
const stream_bytes_max = 2 ** 31 - 1

const mark = { free: 0xffffffff, end: 0xfffffffe, fat: 0xfffffffd, difat: 0xfffffffc }

/** The bytes of a file around `content`, which is `byte_size` long. */
export async function* compoundFile(name: string, byte_size: number, content: AsyncIterable<Buffer>) {
  const size = Math.max(byte_size, stream_bytes_min)
  if (size > stream_bytes_max) throw new Error('more than a workbook of this kind can hold')
  const stream = Math.ceil(size / sector_bytes)
  const { fat, difat } = tablesFor(stream + 1)
  const first = { directory: stream, fat: stream + 1, difat: stream + 1 + fat }

  yield header({ fat, difat, first })
  yield* content
  if (stream * sector_bytes > byte_size) yield Buffer.alloc(stream * sector_bytes - byte_size)
  yield directory(name, size)
  yield* fatSectors({ stream, fat, difat })
  yield* difatSectors({ fat, difat, first })
}

/** The numbers of FAT sectors, which fatSectors all sectors including their own, and of DIFAT sectors, which list the FAT sectors. */
function tablesFor(sectors: number) {
  let [fat, difat] = [0, 0]
  for (;;) {
    const needed = Math.ceil((sectors + fat + difat) / entries_of_sector)
    const further = Math.ceil(Math.max(0, needed - entries_in_header) / (entries_of_sector - 1))
    if (needed === fat && further === difat) return { fat, difat }
    fat = needed
    difat = further
  }
}

interface Layout {
  fat: number
  difat: number
  first: { directory: number; fat: number; difat: number }
}

function header({ fat, difat, first }: Layout): Buffer {
  const bytes = Buffer.alloc(sector_bytes, 0xff)
  bytes.fill(0, 0, 76)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes)
  bytes.writeUInt16LE(0x3e, 24)
  bytes.writeUInt16LE(3, 26)
  bytes.writeUInt16LE(0xfffe, 28)
  bytes.writeUInt16LE(9, 30)
  bytes.writeUInt16LE(6, 32)
  bytes.writeUInt32LE(fat, 44)
  bytes.writeUInt32LE(first.directory, 48)
  bytes.writeUInt32LE(stream_bytes_min, 56)
  bytes.writeUInt32LE(mark.end, 60)
  bytes.writeUInt32LE(difat === 0 ? mark.end : first.difat, 68)
  bytes.writeUInt32LE(difat, 72)
  for (let at = 0; at < Math.min(fat, entries_in_header); at++) bytes.writeUInt32LE(first.fat + at, 76 + at * 4)
  return bytes
}

const entry_bytes = 128
function directory(name: string, size: number): Buffer {
  const root = entry('Root Entry', { type: 5, child: 1, start: mark.end, size: 0 })
  const stream = entry(name, { type: 2, child: mark.free, start: 0, size })
  const none = Buffer.alloc(entry_bytes).fill(0xff, 68, 80)
  return Buffer.concat([root, stream, none, none])
}

function entry(
  name: string,
  { type, child, start, size }: { type: number; child: number; start: number; size: number },
) {
  const bytes = Buffer.alloc(entry_bytes).fill(0xff, 68, 80)
  bytes.write(name, 'utf16le')
  bytes.writeUInt16LE((name.length + 1) * 2, 64)
  bytes.writeUInt8(type, 66)
  // Black, in a red-black tree.
  bytes.writeUInt8(1, 67)
  bytes.writeUInt32LE(child, 76)
  bytes.writeUInt32LE(start, 116)
  bytes.writeUInt32LE(size, 120)
  return bytes
}

/** The FAT: for each sector the next one, or its kind. */
function* fatSectors({ stream, fat, difat }: { stream: number; fat: number; difat: number }) {
  const directory_at = stream
  const sectors = stream + 1 + fat + difat
  const next = (sector: number) => {
    if (sector < stream - 1) return sector + 1
    if (sector <= directory_at) return mark.end
    if (sector <= directory_at + fat) return mark.fat
    return sector < sectors ? mark.difat : mark.free
  }
  for (let table = 0; table < fat; table++) {
    const bytes = Buffer.alloc(sector_bytes)
    for (let at = 0; at < entries_of_sector; at++) bytes.writeUInt32LE(next(table * entries_of_sector + at), at * 4)
    yield bytes
  }
}

/** The DIFAT: the FAT sectors that the header has no room for. */
function* difatSectors({ fat, difat, first }: Layout) {
  for (let table = 0; table < difat; table++) {
    const bytes = Buffer.alloc(sector_bytes, 0xff)
    const from = entries_in_header + table * (entries_of_sector - 1)
    for (let at = 0; at < entries_of_sector - 1 && from + at < fat; at++)
      bytes.writeUInt32LE(first.fat + from + at, at * 4)
    bytes.writeUInt32LE(table === difat - 1 ? mark.end : first.difat + table + 1, sector_bytes - 4)
    yield bytes
  }
}
