// Pasted: cells that were copied in a spreadsheet program, as the file that they could have been saved to. Such programs copy
// them as text: a tab between two cells, and quotes around a cell with a line break, a tab or quotes in it.
import { wholeOf } from '#web/kit/display/numbers.ts'

export interface Pasted {
  file: File
  rows: number
  columns: number
}

/** Undefined where it is no table, which has headings and something below them: such as a word that was still copied. */
export function pastedIn(text: string): Pasted | undefined {
  const cells = text.replace(/^\uFEFF/, '').trimEnd()
  const size = sizeOf(cells)
  if (size.rows < 2) return undefined
  // Where there is no tab, somebody pasted the lines of a file, whose separator is found as that of any other.
  const content = cells.includes('\t') ? `sep=\t\r\n${cells}\r\n` : `${cells}\r\n`
  return { file: new File([content], 'pasted.csv', { type: 'text/csv' }), ...size }
}

/** A cell and what follows it. */
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

const counted = (count: number, one: string) => `${wholeOf(count)} ${count === 1 ? one : `${one}s`}`

export const inWords = ({ rows, columns }: Pick<Pasted, 'rows' | 'columns'>) =>
  `${counted(rows, 'row')}, ${counted(columns, 'column')}`
