// Hostile files: workbooks with false contents, generated here because they should not be stored in a repository.
import { constants, crc32, deflateRawSync } from 'node:zlib'

interface Part {
  name: string
  /** The deflated bytes in the zip. */
  packed: Buffer
  size: number
  crc?: number
  /** The size in the directory, if it is wrong. */
  promised?: number
  /** The size in the local header, if it is wrong. */
  promised_locally?: number
}

const part = (name: string, text: string): Part => ({
  name,
  packed: deflateRawSync(text),
  size: Buffer.byteLength(text),
  crc: crc32(text),
})

/** Builds a zip byte by byte, so that any number in it can be wrong. `shared` lets all entries point at the first content. */
export function zipOf(parts: Part[], { shared = false } = {}): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [
    index,
    { name, packed, size, crc = 0, promised = size, promised_locally = promised },
  ] of parts.entries()) {
    const facts = (length: number) => {
      const bytes = Buffer.alloc(26)
      bytes.writeUInt16LE(20, 0)
      bytes.writeUInt16LE(8, 4)
      bytes.writeUInt32LE(crc, 10)
      bytes.writeUInt32LE(packed.length, 14)
      bytes.writeUInt32LE(length, 18)
      bytes.writeUInt16LE(Buffer.byteLength(name), 22)
      return bytes
    }
    const place = Buffer.alloc(14)
    place.writeUInt32LE(shared && index > 0 ? 0 : offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), facts(promised), place, Buffer.from(name))
    if (shared && index > 0) continue
    const local = [Buffer.from('PK\x03\x04'), facts(promised_locally), Buffer.from(name), packed]
    pieces.push(...local)
    offset += local.reduce((length, piece) => length + piece.length, 0)
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...pieces, listed, Buffer.from('PK\x05\x06'), end])
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** All parts of a workbook except its sheet. */
const frame = (): Part[] => [
  part(
    '[Content_Types].xml',
    `<Types xmlns="${packages}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/>` +
      '</Types>',
  ),
  part(
    '_rels/.rels',
    `<Relationships xmlns="${packages}/relationships">` +
      `<Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/>` +
      '</Relationships>',
  ),
  part(
    'xl/workbook.xml',
    `<workbook xmlns="${main}" xmlns:r="${office}">` +
      '<sheets><sheet name="Guests" sheetId="1" r:id="r1"/></sheets>' +
      '</workbook>',
  ),
  part(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${packages}/relationships">` +
      `<Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>` +
      '</Relationships>',
  ),
]
const sheet_name = 'xl/worksheets/sheet1.xml'

const inlined = (cell: string) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`
const rowXml = (cells: string[]) => `<row>${cells.map(inlined).join('')}</row>`
const sheetXml = (rows: string[][], before = '') =>
  `<worksheet xmlns="${main}">${before}<sheetData>${rows.map(rowXml).join('')}</sheetData></worksheet>`
/** Nine nested entities, each ten times the one before, and an external one for a file of the machine. */
const entityXml =
  '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a0 "ha">' +
  Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join('') +
  '<!ENTITY x SYSTEM "file:///etc/passwd">]>'

/** Text that deflates to about a thousandth: one block, fully flushed, so that its compressed form can be repeated. */
function swollen(gigabytes: number): { packed: Buffer; size: number } {
  const block = Buffer.alloc(16 * 1024 * 1024, ' ')
  const packed = deflateRawSync(block, { finishFlush: constants.Z_FULL_FLUSH, level: 9 })
  const times = gigabytes * 64
  return {
    packed: Buffer.concat([...Array.from({ length: times }, () => packed), Buffer.from([3, 0])]),
    size: block.length * times,
  }
}

export const workbook = (rows: string[][]) => zipOf([...frame(), part(sheet_name, sheetXml(rows))])

export const hostile = {
  /** A sheet of two gigabytes, with its true size. */
  bomb: () => zipOf([...frame(), { name: sheet_name, ...swollen(2) }]),
  /** The same, with a claimed size of one kilobyte. */
  liar: () => zipOf([...frame(), { name: sheet_name, ...swollen(2), promised: 1000 }]),
  /** A zip of some kilobytes: four hundred names for one content of sixteen megabytes. */
  overlap: () => {
    const content = swollen(1 / 64)
    const sheets = Array.from({ length: 400 }, (_, index) => ({ name: `xl/worksheets/sheet${index}.xml`, ...content }))
    return zipOf([...sheets, ...frame()], { shared: true })
  },
  /** The directory has the true size; the local header claims two gigabytes. */
  localLiar: (rows: string[][]) =>
    zipOf([...frame(), { ...part(sheet_name, sheetXml(rows)), promised_locally: 2 ** 31 }]),
  /** Within all limits for zips, but with millions of cells: only the limits of the process stop it. */
  heavy: () => {
    const cells = Array.from({ length: 3_000_000 }, (_, index) => `<c><v>${index % 97}</v></c>`).join('')
    const sheet = `<worksheet xmlns="${main}"><sheetData><row>${cells}</row></sheetData></worksheet>`
    return zipOf([...frame(), part(sheet_name, sheet)])
  },
  /** A sheet of a few rows that claims the largest possible dimension. */
  vast: (rows: string[][]) => zipOf([...frame(), part(sheet_name, sheetXml(rows, '<dimension ref="A1:XFD1048576"/>'))]),
  /** One column definition that covers two thousand million columns. */
  endlessColumns: (rows: string[][]) =>
    zipOf([
      ...frame(),
      part(sheet_name, sheetXml(rows, '<cols><col min="1" max="2000000000" width="9" hidden="1"/></cols>')),
    ]),
  /** Two hundred thousand merged cells, each of which covers a whole row. */
  merged: (rows: string[][]) =>
    zipOf([
      ...frame(),
      part(
        sheet_name,
        sheetXml(rows).replace(
          '</worksheet>',
          `<mergeCells>${'<mergeCell ref="A1:XFD1"/>'.repeat(200_000)}</mergeCells></worksheet>`,
        ),
      ),
    ]),
  manyEntries: () =>
    zipOf([...frame(), ...Array.from({ length: 600 }, (_, index) => part(`xl/worksheets/s${index}.xml`, ''))]),
  entities: () => zipOf([...frame(), part(sheet_name, entityXml + sheetXml([['name'], ['&a9;'], ['&x;']]))]),
  /** A zip that is not a workbook. */
  archive: () => zipOf([part('readme.txt', 'hello')]),
  truncated: (rows: string[][]) => workbook(rows).subarray(0, -60),
  program: () =>
    Buffer.concat([
      Buffer.from('MZ\x90\x00\x03\x00\x00\x00'),
      Buffer.alloc(3000, 'This program cannot be run in DOS mode.\0'),
    ]),
  compoundNoise: () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(5000, 0x41)]),
}
