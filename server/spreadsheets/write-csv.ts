// Writing CSV: UTF-8 with a mark, so that Excel reads it right, and no cell that a spreadsheet program takes for a formula.
import { Readable } from 'node:stream'
import { chunk_chars, type Cell, type Sheet } from './cells.ts'

/** What begins a formula somewhere (OWASP, CSV injection), in its full-width forms too. */
const begins_formula = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/

function field(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = begins_formula.test(cell) ? `'${cell}` : cell
  return /[",;\t\r\n']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const writeCsv = ({ columns, rows }: Sheet): Readable => Readable.from(chunks(columns, rows))

async function* chunks(columns: Sheet['columns'], rows: Sheet['rows']) {
  let text = `\uFEFF${line(columns)}`
  for await (const row of rows) {
    text += line(row)
    if (text.length < chunk_chars) continue
    yield text
    text = ''
  }
  yield text
}

const line = (cells: readonly Cell[]) => `${cells.map(field).join(',')}\r\n`
