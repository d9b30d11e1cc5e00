// Pasted: turns cells copied in a spreadsheet program into a file. Such programs copy them as text, with tabs between cells and
// quotes around cells that contain line breaks, tabs or quotes.
import { counted } from '#web/kit/display/numbers.ts'

export interface Pasted {
  file: File
  rows: number
  columns: number
}

/** Undefined if it is not a table (headings with rows below them), such as a word that was left in the clipboard. */
export function pastedIn(text: string): Pasted | undefined {
  const cells = text.replace(/^\uFEFF/, '').trimEnd()
  const size = sizeOf(cells)
  if (size.rows < 2) return undefined
  // Without tabs these are the lines of a file, whose separator is detected as usual.
  const content = cells.includes('\t') ? `sep=\t\r\n${cells}\r\n` : `${cells}\r\n`
  return { file: new File([content], 'pasted.csv', { type: 'text/csv' }), ...size }
}

/** A cell and the separator or line break after it. */
const cell = /(?:"[^"]*(?:""[^"]*)*"(?=[\t\r\n]|$)|[^\t\r\n]*)(\t|\r\n|\r|\n|$)/gy

function sizeOf(cells: string): { rows: number; columns: number } {
  let [rows, columns, inRow] = [0, 0, 0]
  for (const [, end] of cells.matchAll(cell)) {
    inRow++
    columns = Math.max(columns, inRow)
    if (end === '\t') continue
    rows++
    if (end === '') break
    inRow = 0
  }
  return { rows, columns }
}

export const sizeText = ({ rows, columns }: Pick<Pasted, 'rows' | 'columns'>) =>
  `${counted(rows, 'row')}, ${counted(columns, 'column')}`
