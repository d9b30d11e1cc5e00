// Visible cells: the visible content of a workbook's sheet. A merged cell appears in every row that it spans, and hidden rows and columns
// are left out and reported.
import { utils, type CellObject, type ColInfo, type Range, type RowInfo } from '@e965/xlsx'
import { textOfCell } from './cell-text.ts'
import { spreadsheetLimits } from './limits.ts'
import type { Across, Row, Sheet } from './sheet.ts'
import { listed, rangesOf } from './words.ts'

/** A sheet as SheetJS reads it. */
export interface DrawnSheet {
  '!data'?: (CellObject | undefined)[][]
  '!merges'?: Range[]
  '!rows'?: (RowInfo | undefined)[]
  '!cols'?: (ColInfo | undefined)[]
}

/** Rows that are collapsed in an outline do not count as hidden: a plus sign shows that they exist. */
const isHidden = (line: RowInfo | ColInfo | undefined) => line?.hidden === true && !line.level

/** Limited to one column beyond the maximum, which is enough to see that there are too many. */
const columnsOf = (grid: readonly (readonly unknown[] | undefined)[]) => {
  const width = grid.reduce((most, cells) => Math.max(most, cells?.length ?? 0), 0)
  return Array.from({ length: Math.min(width, spreadsheetLimits.columns_max + 1) }, (_, index) => index)
}

export function visibleCellsOf(name: string, hidden: boolean, drawn: DrawnSheet, since1904: boolean): Sheet {
  const shownIn = (cell: CellObject | undefined) => textOfCell(cell, since1904)
  const grid = drawn['!data'] ?? []
  const columns = columnsOf(grid)
  const isShown = columns.map((column) => !isHidden(drawn['!cols']?.[column]))
  const isRowHidden = (row: number) => isHidden(drawn['!rows']?.[row])
  const mergesFrom = Map.groupBy(drawn['!merges'] ?? [], ({ s }) => s.r)
  const isFilled = (row: number, column: number) => shownIn(grid[row]?.[column]).trim() !== ''

  function* rows(): Generator<Row> {
    const merges = new Map<number, Merge>()
    for (let row = 0; row < grid.length; row++) {
      const cells = grid[row]
      for (const { s, e } of mergesFrom.get(row) ?? [])
        if (s.c < columns.length)
          merges.set(s.c, { text: shownIn(cells?.[s.c]), to: Math.min(e.c, columns.length - 1), until: e.r, from: row })
      if (isRowHidden(row)) continue
      const texts = columns.map((column) => (isShown[column] ? shownIn(cells?.[column]) : ''))
      yield [row + 1, ...withMerges(texts, merges, row, isShown)]
    }
  }

  return {
    name,
    hidden,
    rows,
    notes() {
      const numbers = [...grid.keys()]
      const letters = columns
        .filter((column) => !isShown[column] && numbers.some((row) => isFilled(row, column)))
        .map((column) => utils.encode_col(column))
      const hiddenRows = numbers.filter((row) => isRowHidden(row) && columns.some((column) => isFilled(row, column)))
      return [
        ...(letters.length > 0 ? [hiddenNote('column', letters.length, listed(letters))] : []),
        ...(hiddenRows.length > 0 ? [hiddenNote('row', hiddenRows.length, rangesOf(hiddenRows.map(shownNumber)))] : []),
      ]
    },
  }
}

const hiddenNote = (noun: string, count: number, which: string) =>
  `Hidden, and therefore not read: ${noun}${count === 1 ? '' : 's'} ${which}.`

const shownNumber = (row: number) => row + 1

interface Merge {
  text: string
  /** Its last column, its first row and its last. */
  to: number
  from: number
  until: number
}

/** The row with its merged cells in place, unless it has no other content. Cells covered by a merged cell are not visible. */
function withMerges(
  texts: string[],
  merges: Map<number, Merge>,
  row: number,
  isShown: boolean[],
): [string[], Across[]] {
  const across: Across[] = []
  for (const [column, { to, from, until }] of merges) {
    if (until < row) {
      merges.delete(column)
      continue
    }
    texts.fill('', row === from ? column + 1 : column, to + 1)
    if (to > column) across.push([column, to])
  }
  if (texts.every((text) => text.trim() === '')) return [texts, across]
  for (const [column, { text, to }] of merges) {
    const place = isShown.indexOf(true, column)
    if (place >= 0 && place <= to) texts[place] = text
  }
  return [texts, across]
}
