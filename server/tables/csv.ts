// csv: UTF-8 with a mark, so that Excel reads it right, and no cell that a spreadsheet program takes for a formula.
import { Readable } from 'node:stream'
import { cellsOf, guarded } from './cells.ts'
import { chunk_chars, type TableFile } from './table.ts'

const quoted = (text: string) => (/[",;\t\r\n']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const line = (fields: readonly string[]) => `${fields.map(quoted).join(',')}\r\n`

export const writeCsv = <Row>(table: TableFile<Row>): Readable => Readable.from(chunks(table))

async function* chunks<Row>(table: TableFile<Row>) {
  const fields = cellsOf(table, 'csv')
  let text = `\uFEFF${line(table.columns.map(({ title }) => guarded(title)))}`
  for await (const row of table.rows) {
    text += line(fields(row))
    if (text.length < chunk_chars) continue
    yield text
    text = ''
  }
  yield text
}
