// xls: a BIFF8 workbook, as Excel 97 to 2003 wrote it. Its beginning has all positions, so it is spooled to disk first, and the
// memory used does not grow with it.
import { Readable } from 'node:stream'
import { numberFormat, type SheetCell } from './cells.ts'
import { about, aboutRows, sheetName, sheetRows, widthOf, type SheetRows } from './sheets.ts'
import * as biff from './biff.ts'
import { compoundFile } from './compound-file.ts'
import { openSharedTexts, type SharedTexts } from './shared-texts.ts'
import { openSpool, type Spool } from './spool.ts'
import type { TableFile } from './table.ts'

/** 65,536 with the heading. */
const rows_of_sheet = 65_535
const columns_max = 256

export function writeXls<Row>(table: TableFile<Row>): Readable {
  const rows = sheetRows(table)
  const bytes = workbook(table, rows)
  return new Readable({
    read() {
      bytes.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: Error) => this.destroy(error),
      )
    },
    // While it is being spooled nothing is read, so the rows have to be closed from here when nobody waits for the file any more.
    destroy(error, done) {
      void closeAll(rows, bytes)
      done(error)
    },
  })
}

/** Errors are ignored: nobody waits for the file any more. */
async function closeAll(rows: SheetRows, bytes: AsyncGenerator<Buffer, void, void>) {
  await Promise.allSettled([rows.close(), bytes.return()])
}

async function* workbook<Row>(table: TableFile<Row>, rows: SheetRows): AsyncGenerator<Buffer, void, void> {
  if (table.columns.length > columns_max) throw new Error('more columns than a workbook of this kind can hold')
  await using spools = new AsyncDisposableStack()
  const [cells, texts] = [await openSpool(), await openSpool()]
  for (const spool of [cells, texts]) spools.defer(() => spool.close())
  const shared = openSharedTexts(texts)

  const sheets: biff.NamedSheet[] = []
  const asked = aboutRows(table)
  if (asked.length > 0) {
    sheets.push({ name: about, offset: 0 })
    await writeAbout(cells, shared, asked)
  }
  const widths = table.columns.map(({ kind }) => widthOf(kind))
  const titles = table.columns.map(({ title }) => title)
  const first = sheets.length
  let next = await rows.next()
  do {
    const isFirst = sheets.length === 0
    const offset = cells.size()
    sheets.push({ name: sheetName(table.title, sheets.length - first + 1), offset })
    const sheet = await openSheet(cells, shared, widths)
    await sheet.row(titles, () => biff.styles.bold)
    for (let row = 0; next && row < rows_of_sheet; row++) {
      await sheet.row(next.cells, next.isTotal ? biff.styles.ofTotal : biff.styles.ofColumn)
      next = await rows.next()
    }
    await sheet.end({ isFirst, isFrozen: true })
  } while (next)
  await shared.end()

  const head = biff.workbookHead(table.columns.map(numberFormat), sheets, texts.size())
  const byte_size = head.length + texts.size() + biff.ending.length + cells.size()
  async function* content() {
    yield head
    yield* texts.content()
    yield biff.ending
    yield* cells.content()
  }
  yield* compoundFile('Workbook', byte_size, content())
}

async function writeAbout(cells: Spool, shared: SharedTexts, facts: readonly (readonly [string, string])[]) {
  const sheet = await openSheet(cells, shared, [24, 80])
  for (const line of facts) await sheet.row(line, (column) => (column === 0 ? biff.styles.bold : biff.styles.plain))
  await sheet.end({ isFirst: true, isFrozen: false })
}

async function openSheet(cells: Spool, shared: SharedTexts, widths: readonly number[]) {
  await cells.append(biff.sheetHead(widths))
  const extent_at = cells.size() - biff.extent(0, 0).length
  let rows = 0
  return {
    async row(values: readonly SheetCell[], styleOf: (column: number) => number) {
      const { buffer, at: start } = await cells.room(values.length * biff.cell_bytes_max)
      let at = start
      for (const [column, value] of values.entries()) {
        if (value === null || value === '') continue
        if (typeof value === 'number') {
          at = biff.writeNumber(buffer, at, rows, column, styleOf(column), value)
          continue
        }
        const found = shared.numberOf(value)
        at = biff.writeText(buffer, at, rows, column, styleOf(column), typeof found === 'number' ? found : await found)
      }
      cells.wrote(at)
      rows++
    },
    async end(foot: { isFirst: boolean; isFrozen: boolean }) {
      await cells.append(biff.sheetFoot(foot.isFirst, foot.isFrozen))
      await cells.patch(biff.extent(rows, widths.length), extent_at)
    },
  }
}
