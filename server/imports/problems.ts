// Problems: the problems in the rows of a file: the first hundred, and the number of rows that have any.
import type { z } from 'zod'
import { problems_max, type ImportLeftOut, type ImportProblem } from '#contract/imports.ts'

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

/** The values of good rows that are not stored: the first hundred cells, and the number of rows. */
export class LeftOuts {
  readonly list: LeftOutCell[] = []
  private readonly rows = new Set<number>()

  add(row: number, column: string, value: string, sentence: string) {
    this.rows.add(row)
    if (this.list.length < problems_max)
      this.list.push({ row, column, value: value.slice(0, value_length_max), sentence })
  }

  get row_count() {
    return this.rows.size
  }
}
const value_length_max = 200
