// BIFF8: the records of an .xls ([MS-XLS]). Numbers and texts are the only cells that are written: none can be a formula.

export const recordKinds = {
  number: 0x0203,
  text: 0x00fd,
  texts: 0x00fc,
  continued: 0x003c,
} as const
/** The longest content of a record; more goes into records that continue it. */
export const content_max = 8224

/** The row, column and style of a cell, then its number. */
export function writeNumber(to: Buffer, at: number, row: number, column: number, style: number, value: number): number {
  to.writeUInt32LE(recordKinds.number | (14 << 16), at)
  to.writeUInt16LE(row, at + 4)
  to.writeUInt32LE(column | (style << 16), at + 6)
  to.writeDoubleLE(value, at + 10)
  return at + 18
}

/** The same, but with the index of one of the workbook's texts. */
export function writeText(to: Buffer, at: number, row: number, column: number, style: number, text: number): number {
  to.writeUInt32LE(recordKinds.text | (10 << 16), at)
  to.writeUInt16LE(row, at + 4)
  to.writeUInt32LE(column | (style << 16), at + 6)
  to.writeUInt32LE(text, at + 10)
  return at + 14
}
export const cell_bytes_max = 18

/** Little-endian numbers of one, two, four bytes, and bytes as they are. */
type Field = [1 | 2 | 4, number] | Buffer
function record(kind: number, ...fields: Field[]): Buffer {
  const parts = fields.map((field) => {
    if (Buffer.isBuffer(field)) return field
    const bytes = Buffer.alloc(field[0])
    bytes.writeUIntLE(field[1], 0, field[0])
    return bytes
  })
  const content = Buffer.concat(parts)
  const head = Buffer.alloc(4)
  head.writeUInt16LE(kind, 0)
  head.writeUInt16LE(content.length, 2)
  return Buffer.concat([head, content])
}

export const isWide = (text: string) => /[\u0100-\uFFFF]/.test(text)
/** A text with its length in one byte or two. */
function named(text: string, length_bytes: 1 | 2): Buffer {
  const wide = isWide(text)
  const head = Buffer.alloc(length_bytes + 1)
  head.writeUIntLE(text.length, 0, length_bytes)
  head.writeUInt8(wide ? 1 : 0, length_bytes)
  return Buffer.concat([head, Buffer.from(text, wide ? 'utf16le' : 'latin1')])
}

const beginning = (type: 0x0005 | 0x0010) =>
  record(0x0809, [2, 0x0600], [2, type], [2, 0x0dbb], [2, 0x07cc], [4, 0x41], [4, 6])
export const ending = record(0x000a)

const font = (isBold: boolean) =>
  record(
    0x0031,
    [2, 220],
    [2, isBold ? 1 : 0],
    [2, 0x7fff],
    [2, isBold ? 700 : 400],
    [2, 0],
    [1, 0],
    [1, 2],
    [2, 0],
    named('Calibri', 1),
  )
/** Index 4 is missing in every workbook, so the fifth font is 5. */
const bold_font = 5

const style = ({ font: font_at, format, isStyle }: { font: number; format: number; isStyle: boolean }) =>
  record(
    0x00e0,
    [2, font_at],
    [2, format],
    [2, isStyle ? 0xfff5 : 1],
    [1, 0x20],
    [1, 0],
    [1, 0],
    [1, isStyle ? 0 : 0x0c],
    [4, 0],
    [4, 0],
    [2, 0x20c0],
  )

/** Styles 0 to 15 are in every workbook. */
export const styles = {
  plain: 15,
  bold: 16,
  ofColumn: (column: number) => 17 + 2 * column,
  ofTotal: (column: number) => 18 + 2 * column,
}
const custom_format = 164

export interface NamedSheet {
  name: string
  /** Of its first record, from the beginning of the sheets. */
  offset: number
}

/** The part before the sheets: styles, the list of sheets, and all texts, which are `texts_bytes` long. */
export function workbookHead(formats: readonly string[], sheets: readonly NamedSheet[], texts_bytes: number): Buffer {
  const before = Buffer.concat([
    beginning(0x0005),
    record(0x0042, [2, 1200]),
    record(0x003d, [2, 0], [2, 0], [2, 0x4000], [2, 0x2000], [2, 0x38], [2, 0], [2, 0], [2, 1], [2, 600]),
    record(0x0022, [2, 0]),
    ...[false, false, false, false, true].map(font),
    ...formats.map((code, index) => record(0x041e, [2, custom_format + index], named(code, 2))),
    ...Array.from({ length: 15 }, () => style({ font: 0, format: 0, isStyle: true })),
    style({ font: 0, format: 0, isStyle: false }),
    style({ font: bold_font, format: 0, isStyle: false }),
    ...formats.flatMap((_, index) =>
      [0, bold_font].map((font_at) => style({ font: font_at, format: custom_format + index, isStyle: false })),
    ),
    record(0x0293, [2, 0x8000], [1, 0], [1, 0xff]),
  ])
  const listed = (start: number) =>
    Buffer.concat(sheets.map(({ name, offset }) => record(0x0085, [4, start + offset], [2, 0], named(name, 1))))
  return Buffer.concat([before, listed(before.length + listed(0).length + texts_bytes + ending.length)])
}

/** The part before a sheet's cells. Their extent is written into the last 14 bytes once it is known. */
export const sheetHead = (widths: readonly number[]): Buffer =>
  Buffer.concat([
    beginning(0x0010),
    ...widths.map((width, at) => record(0x007d, [2, at], [2, at], [2, width * 256], [2, styles.plain], [2, 0], [2, 0])),
    record(0x0200, extent(0, 0)),
  ])
export function extent(rows: number, columns: number): Buffer {
  const bytes = Buffer.alloc(14)
  bytes.writeUInt32LE(rows, 4)
  bytes.writeUInt16LE(columns, 10)
  return bytes
}

/** The part after the cells: grid and headings are shown, the first row is frozen, and the first sheet is selected. */
export const sheetFoot = (isFirst: boolean, isFrozen: boolean): Buffer =>
  Buffer.concat([
    record(0x023e, [2, 0xb6 + (isFrozen ? 0x108 : 0) + (isFirst ? 0x600 : 0)], [4, 0], [4, 0x40], [4, 0], [4, 0]),
    ...(isFrozen ? [record(0x0041, [2, 0], [2, 1], [2, 1], [2, 0], [1, 2], [1, 0])] : []),
    ending,
  ])
