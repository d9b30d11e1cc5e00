// Writing .xlsx: one sheet, made while it is sent. Every text is an inline string, so that no cell can be a formula.
import { finished, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { chunk_chars, type Cell, type Sheet } from './cells.ts'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packaging = 'http://schemas.openxmlformats.org/package/2006'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** XML 1.0 cannot hold most control characters, nor half of a pair, in any spelling. */
const unwritable = /(?![\t\n\r])[\p{Cc}\uFFFE\uFFFF]/gu
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string) =>
  text
    .toWellFormed()
    .replace(unwritable, '')
    .replace(/[&<>]/g, (sign) => entities[sign] ?? '')

/** 0 → A, 26 → AA. */
const letters = (column: number): string =>
  column < 26 ? String.fromCharCode(65 + column) : letters(Math.floor(column / 26) - 1) + letters(column % 26)

/** Style 1 is bold, for the first row. */
function cell(value: Cell, at: string, style: 0 | 1): string {
  if (value === null || value === '') return ''
  if (typeof value === 'number') return `<c r="${at}" s="${style}"><v>${value}</v></c>`
  return `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`
}

async function* sheetXml({ columns, rows }: Sheet) {
  const names = columns.map((_, index) => letters(index))
  const row = (cells: readonly Cell[], number: number, style: 0 | 1 = 0) =>
    `<row r="${number}">${cells.map((value, index) => cell(value, `${names[index] ?? ''}${number}`, style)).join('')}</row>`
  const frozen =
    '<sheetViews><sheetView workbookViewId="0">' +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
    '</sheetView></sheetViews>'
  const widths = `<cols><col min="1" max="${columns.length}" width="20" customWidth="1"/></cols>`
  let text = `${declaration}<worksheet xmlns="${main}">${frozen}${widths}<sheetData>${row(columns, 1, 1)}`
  let number = 1
  for await (const cells of rows) {
    text += row(cells, ++number)
    if (text.length < chunk_chars) continue
    yield text
    text = ''
  }
  yield `${text}</sheetData></worksheet>`
}

const parts = (name: string): Record<string, string> => ({
  '[Content_Types].xml':
    `<Types xmlns="${packaging}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/>` +
    '</Types>',
  '_rels/.rels':
    `<Relationships xmlns="${packaging}/relationships">` +
    `<Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/>` +
    '</Relationships>',
  'xl/workbook.xml':
    `<workbook xmlns="${main}" xmlns:r="${office}">` +
    `<sheets><sheet name="${escaped(name)}" sheetId="1" r:id="r1"/></sheets>` +
    '</workbook>',
  'xl/_rels/workbook.xml.rels':
    `<Relationships xmlns="${packaging}/relationships">` +
    `<Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>` +
    `<Relationship Id="r2" Type="${office}/styles" Target="styles.xml"/>` +
    '</Relationships>',
  'xl/styles.xml':
    `<styleSheet xmlns="${main}">` +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
    '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
    '<fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border/></borders>' +
    '<cellStyleXfs count="1"><xf/></cellStyleXfs>' +
    '<cellXfs count="2"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/></cellXfs>' +
    '</styleSheet>',
})

/**
 * `name` is the sheet's: at most 31 characters, none of `[]:*?/\`. Rows that fail break the file off, and a file that nobody
 * reads any more asks for no further rows.
 */
export function writeXlsx(name: string, sheet: Sheet): Readable {
  const zip = new ZipFile()
  const made = Readable.from(sheetXml(sheet))
  zip.addReadStream(made, 'xl/worksheets/sheet1.xml', { compressionLevel: 1 })
  for (const [path, xml] of Object.entries(parts(name))) zip.addBuffer(Buffer.from(declaration + xml), path)
  zip.end()
  const file = zip.outputStream as Readable
  // The library heeds no failure of what it reads. A failure that nobody heeds would end the process.
  for (const source of [made, zip]) source.on('error', (error: Error) => file.destroy(error))
  finished(file, () => made.destroy())
  return file
}
