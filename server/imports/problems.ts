// Problems: the problems in the rows of a file: the first hundred, and the number of rows that have any.
import type { z } from 'zod'
import { problems_max, type ImportLeftOut, type ImportProblem } from '#contract/imports.ts'
import type { Rest } from './records.ts'

type Problem = z.infer<typeof ImportProblem>

export class Problems {
  readonly list: Problem[]
  private readonly rows = new Set<number>()
  private readonly rows_before: number

  /** Continues from the problems found before. A row with a problem has no record, so that none is counted twice. */
  constructor(list: Problem[] = [], rows_before = 0) {
    this.list = [...list]
    this.rows_before = rows_before
  }

  add(row: number, column: string | null, message: string) {
    this.rows.add(row)
    if (this.list.length < problems_max) this.list.push({ row, column, message })
  }

  /** Whether this instance has a problem for the row. */
  has(row: number) {
    return this.rows.has(row)
  }

  get row_count() {
    return this.rows_before + this.rows.size
  }

  get inOrder() {
    return this.list.toSorted((one, other) => one.row - other.row)
  }

  asMessages(rows: number): string[] {
    return [
      `${this.row_count} of ${rows} rows cannot be imported, so nothing was.`,
      ...this.list.map(({ row, column, message }) => `Row ${row}${column === null ? '' : `, ${column}`}: ${message}`),
    ]
  }
}

type LeftOutCell = z.infer<typeof ImportLeftOut>

/** The values of good rows that are not stored. Only the first cells are kept; of all rows, which have one. */
export class LeftOuts {
  private readonly cells: LeftOutCell[] = []
  private readonly rows = new Set<number>()

  add(row: number, column: string, value: string, sentence: string) {
    this.rows.add(row)
    if (this.cells.length < cells_kept_max)
      this.cells.push({ row, column, value: value.slice(0, value_length_max), sentence })
  }

  /** For a row that a later one of the same name replaces: nothing of it is stored. */
  forget(row: number) {
    this.rows.delete(row)
  }

  /** Those of rows that have no problem themselves: of the others, nothing is stored. */
  besides(problems: Problems): Pick<Rest, 'left_out' | 'left_out_rows'> {
    const left_out_rows = [...this.rows].filter((row) => !problems.has(row))
    return { left_out: leftOutOf(left_out_rows, this.cells), left_out_rows }
  }
}
const value_length_max = 200
/** More than are listed, because some are of rows that turn out to have problems. */
const cells_kept_max = 10 * problems_max

/** The first hundred cells of these rows. */
export function leftOutOf(rows: readonly number[], cells: readonly LeftOutCell[]): LeftOutCell[] {
  const asked = new Set(rows)
  return cells.filter(({ row }) => asked.has(row)).slice(0, problems_max)
}
