// xlsx: made while it is sent, with another sheet where one is full. Every text is an inline string, so that no cell can be a
// formula.
import { finished, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { numberFormat, type SheetCell } from './cells.ts'
import { about, aboutRows, sheetName, sheetRows, widthOf, type SheetRows } from './sheets.ts'
import { chunk_chars, type TableFile } from './table.ts'
import { declaration, escaped, main, xlsxParts, sheetPath } from './xlsx-parts.ts'

/** 1,048,576 with the heading. */
export const rows_of_sheet = 1_048_575
const text_max = 32_767

/** 0 → A, 26 → AA. */
const letters = (column: number): string =>
  column < 26 ? String.fromCharCode(65 + column) : letters(Math.floor(column / 26) - 1) + letters(column % 26)

const shortened = (text: string) => (text.length > text_max ? text.slice(0, text_max) : text)

function cell(value: SheetCell, column: string, row: number, style: number): string {
  if (value === null || value === '') return ''
  if (typeof value === 'number') return `<c r="${column}${row}" s="${style}"><v>${value}</v></c>`
  const text = escaped(shortened(value))
  return `<c r="${column}${row}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`
}

const bold = 1

interface Progress {
  /** The next row, if there is one: read ahead, so that no empty sheet is begun. */
  ahead: Awaited<ReturnType<SheetRows['next']>>
}

async function* sheetXml<Row>(table: TableFile<Row>, rows: SheetRows, progress: Progress, rows_max: number) {
  const names = table.columns.map((_, index) => letters(index))
  const row = (cells: readonly SheetCell[], number: number, styleOf: (column: number) => number) => {
    let xml = `<row r="${number}">`
    for (const [index, value] of cells.entries()) xml += cell(value, names[index] ?? '', number, styleOf(index))
    return `${xml}</row>`
  }
  const frozen =
    '<sheetViews><sheetView workbookViewId="0">' +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
    '</sheetView></sheetViews>'
  const titles = table.columns.map(({ title }) => title)
  const widths = table.columns.map(({ kind }) => widthOf(kind))
  let text = `${opening(widths, frozen)}${row(titles, 1, () => bold)}`
  for (let number = 2; progress.ahead && number <= rows_max + 1; number++) {
    const { cells, isTotal } = progress.ahead
    text += row(cells, number, isTotal ? (column) => 3 + 2 * column : (column) => 2 + 2 * column)
    progress.ahead = await rows.next()
    if (text.length < chunk_chars) continue
    yield text
    text = ''
  }
  yield `${text}</sheetData></worksheet>`
}

const opening = (widths: readonly number[], view = '') =>
  `${declaration}<worksheet xmlns="${main}">${view}<cols>` +
  widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`).join('') +
  '</cols><sheetData>'

const aboutXml = (rows: readonly (readonly [string, string])[]) =>
  opening([24, 80]) +
  rows
    .map(
      ([label, value], at) =>
        `<row r="${at + 1}">${cell(label, 'A', at + 1, bold)}${cell(value, 'B', at + 1, 0)}</row>`,
    )
    .join('') +
  '</sheetData></worksheet>'

/** An error while reading rows ends the file with that error, and once nobody reads the file, no more rows are read. */
export const writeXlsx = <Row>(table: TableFile<Row>, rows_max = rows_of_sheet): Readable =>
  Readable.from(zipOf(table, rows_max))

/** The zip library reads its input immediately, so it is started only when somebody reads the file. */
async function* zipOf<Row>(table: TableFile<Row>, rows_max: number) {
  yield* openZip(table, rows_max) as AsyncIterable<Buffer>
}

function openZip<Row>(table: TableFile<Row>, rows_max: number): Readable {
  const zip = new ZipFile()
  const file = zip.outputStream as Readable
  const rows = sheetRows(table)
  const names: string[] = []
  const fail = (error: Error) => file.destroy(error)
  let current: Readable | undefined

  const progress: Progress = { ahead: null }
  const asked = aboutRows(table)
  if (asked.length > 0) {
    names.push(about)
    zip.addBuffer(Buffer.from(aboutXml(asked)), sheetPath(names.length))
  }
  const first_sheet = names.length
  const addSheet = () => {
    names.push(sheetName(table.title, names.length - first_sheet + 1))
    const sheet = Readable.from(sheetXml(table, rows, progress, rows_max))
    current = sheet
    // The library does not handle errors of its input, and an unhandled error would end the process.
    sheet.on('error', fail)
    sheet.on('end', () => (progress.ahead ? addSheet() : close()))
    zip.addReadStream(sheet, sheetPath(names.length), { compressionLevel: 1 })
  }
  const close = () => {
    for (const [path, xml] of Object.entries(xlsxParts(names, table.columns.map(numberFormat))))
      zip.addBuffer(Buffer.from(declaration + xml), path)
    zip.end()
  }
  zip.on('error', fail)
  finished(file, () => {
    current?.destroy()
    rows.close().catch(() => undefined)
  })
  rows
    .next()
    .then((first) => {
      progress.ahead = first
      addSheet()
    })
    .catch(fail)
  return file
}
