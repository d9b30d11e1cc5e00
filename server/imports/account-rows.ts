// Account rows: a list of guests as it stands in a spreadsheet, gathered by name, with all that is wrong in it. This runs in the
// reader; the server gets the records.
import { accountColumns } from '#contract/imports.ts'
import { messages } from '#contract/messages.ts'
import { UnreadableFile, type Check } from '#server/spreadsheets/limits.ts'
import { CellProblem, cleanCell, columnsIn, readCell, type Columns } from './account-columns.ts'
import { keyOf, Problems, type AccountRecord, type Rest } from './account-records.ts'

const preview_rows_max = 20

export const check: Check = async (rows) => {
  let columns: Columns | undefined
  const records = new Map<string, AccountRecord>()
  const problems = new Problems()
  const first: AccountRecord[] = []
  const counts = { rows: 0, duplicates: 0 }
  for await (const [number, cells] of rows) {
    if (!columns) {
      columns = knownColumns(cells)
      continue
    }
    counts.rows++
    const record = recordIn(columns, number, cells, problems)
    if (!record) continue
    if (first.length < preview_rows_max) first.push(record)
    // The last one wins, and stands where it stood in the file.
    if (records.delete(keyOf(record))) counts.duplicates++
    records.set(keyOf(record), record)
  }
  if (!columns) throw new UnreadableFile('empty')
  if (counts.rows === 0) throw new UnreadableFile('headerOnly')
  const rest: Rest = {
    ...counts,
    columns: [...columns.at.keys()],
    ignored: columns.ignored,
    first,
    problems: problems.list,
    problem_rows: problems.row_count,
  }
  return { records: records.values(), rest }
}

function knownColumns(header: string[]): Columns {
  const columns = columnsIn(header)
  const named = (['name', 'first_name', 'last_name'] as const).some((heading) => columns.at.has(heading))
  if (!named) throw new UnreadableFile('noName')
  return columns
}

/** The row as a record; undefined when something in it is wrong. */
function recordIn({ at }: Columns, row: number, cells: string[], problems: Problems): AccountRecord | undefined {
  const record: Record<string, unknown> = { row }
  const cell = (heading: Parameters<typeof at.get>[0]) => cleanCell(cells[at.get(heading) ?? -1] ?? '')
  let sound = true
  for (const column of accountColumns)
    try {
      const text =
        column === 'name' && !at.has('name') ? `${cell('first_name')} ${cell('last_name')}`.trim() : cell(column)
      if (text === '' && column === 'name') throw new CellProblem(messages.fields.required)
      record[column] = text === '' ? null : readCell[column](text)
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error
      problems.add(row, column, error.message)
      sound = false
    }
  return sound ? (record as unknown as AccountRecord) : undefined
}
