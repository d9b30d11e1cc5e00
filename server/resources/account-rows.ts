// Account rows: a list of guests as it stands in a spreadsheet, gathered by name, with all that is wrong in it.
import type { z } from 'zod'
import { accountColumns, type ImportProblem } from '#contract/imports.ts'
import { words } from '#contract/words.ts'
import type { Row } from '#server/spreadsheets/limits.ts'
import { CellProblem, cleanCell, columnsIn, readCell, type AccountRecord, type Columns } from './account-columns.ts'

const problems_max = 100
const preview_rows_max = 20

/** What is wrong, the first hundred of it in words. */
export class Problems {
  readonly list: z.infer<typeof ImportProblem>[] = []
  readonly rows = new Set<number>()

  add(row: number, column: string | null, message: string) {
    this.rows.add(row)
    if (this.list.length < problems_max) this.list.push({ row, column, message })
  }
}

/** The whole file cannot be used; the message says why. */
export class UselessFile extends Error {
  override name = 'UselessFile'
}

export interface Gathered {
  columns: Columns
  rows: number
  duplicates: number
  /** By property and name: a row that repeats a name has replaced the one before. */
  records: Map<string, AccountRecord>
  /** The first rows, for a person to look at. */
  first: AccountRecord[]
  problems: Problems
}

/** What makes two rows the same account: as the database has it, `lower(btrim(name))` within a property. */
export const keyOf = ({ property_id, name }: AccountRecord) => `${property_id ?? ''}\n${name.toLowerCase()}`

export async function gather(rows: AsyncIterable<Row>): Promise<Gathered> {
  let gathered: Gathered | undefined
  for await (const [number, cells] of rows) {
    if (gathered) take(gathered, number, cells)
    else
      gathered = {
        columns: knownColumns(cells),
        rows: 0,
        duplicates: 0,
        records: new Map(),
        first: [],
        problems: new Problems(),
      }
  }
  if (!gathered) throw new UselessFile('This file is empty.')
  if (gathered.rows === 0) throw new UselessFile('This file has a header and nothing below it. Add a row for each account.') // prettier-ignore
  return gathered
}

function knownColumns(header: string[]): Columns {
  const columns = columnsIn(header)
  if (!columns.at.has('name') && !columns.at.has('first_name') && !columns.at.has('last_name'))
    throw new UselessFile(`There is no column for the name. The first row must name the columns: ${accountColumns.join(', ')}.`) // prettier-ignore
  return columns
}

function take(gathered: Gathered, number: number, cells: string[]) {
  const { columns, problems, records, first } = gathered
  gathered.rows++
  const record = recordIn(columns, number, cells, problems)
  if (!record) return
  if (first.length < preview_rows_max) first.push(record)
  // The last one wins, and stands where it stood in the file.
  if (records.delete(keyOf(record))) gathered.duplicates++
  records.set(keyOf(record), record)
}

/** The row as a record; undefined when something in it is wrong. */
function recordIn({ at }: Columns, row: number, cells: string[], problems: Problems): AccountRecord | undefined {
  const record: Record<string, unknown> = { row }
  const cell = (heading: Parameters<typeof at.get>[0]) => cleanCell(cells[at.get(heading) ?? -1] ?? '')
  let sound = true
  for (const column of accountColumns)
    try {
      const text = column === 'name' && !at.has('name') ? `${cell('first_name')} ${cell('last_name')}`.trim() : cell(column) // prettier-ignore
      if (text === '' && column === 'name') throw new CellProblem(words.fields.required)
      record[column] = text === '' ? null : readCell[column](text)
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error
      problems.add(row, column, error.message)
      sound = false
    }
  return sound ? (record as unknown as AccountRecord) : undefined
}
