// Rent roll cells: the cell of a row below a heading, and the problem with one.
import { CellProblem } from './cells.ts'
import type { Columns, Heading } from './rent-roll-headings.ts'

/** The cell below a heading, in any of the columns that it spans. */
export function cellIn(cells: readonly string[], columns: Columns, name: Heading): string {
  for (const at of columns.get(name) ?? []) {
    const text = cells[at]?.trim() ?? ''
    if (text !== '') return text
  }
  return ''
}

/** A problem in the cell of one column. */
export class ColumnProblem extends CellProblem {
  readonly column: string
  constructor(column: string, message: string) {
    super(message)
    this.column = column
  }
}

export function inColumn<R>(column: Heading, read: () => R): R {
  try {
    return read()
  } catch (error) {
    if (error instanceof CellProblem && !(error instanceof ColumnProblem))
      throw new ColumnProblem(column, error.message)
    throw error
  }
}
