// Check: the rows of a spreadsheet as records of a kind, each once, with all that is wrong in them. This runs in the reader;
// the server gets the records.
import { messages } from '#contract/messages.ts'
import { UnreadableFile } from '#server/spreadsheets/limits.ts'
import type { Check, Likeness, Row } from '#server/spreadsheets/sheet.ts'
import { CellProblem, cleanCell } from './cells.ts'
import type { ImportDefinition } from './definition.ts'
import { cellOf, columnsOf, findColumns, hasColumn, type FoundColumns } from './headings.ts'
import { Problems } from './problems.ts'
import { keyOf, preview_rows_max, type Checked, type ImportRecord, type ReaderOptions } from './records.ts'

/** What a definition's module exports as `check`. */
export const checkOf =
  (definition: ImportDefinition): Check<ReaderOptions> =>
  (rows, options) => {
    const problems = new Problems()
    const { columns, count, records, first, duplicates } = gather(definition, rows(), options, problems)
    const last = new Map(records)
    refuseShared(definition, records, problems)
    const rest: Checked = {
      rows: count,
      duplicates,
      columns: [...columns.at.keys()],
      ignored: columns.ignored,
      first: first.map((record) => ({ record, repeated: last.get(keyOf(definition, record)) !== record })),
      problems: problems.list,
      problem_rows: problems.row_count,
    }
    return { records: records.values(), rest }
  }

/** What it exports as `likeness`: the first row names the columns, the key's among them, and there are rows below. */
export const likenessOf =
  (definition: ImportDefinition): Likeness =>
  ([header, ...below]) => {
    const columns = findColumns(definition, header?.[1] ?? [])
    return below.length > 0 && hasKey(definition, columns) ? columns.at.size : 0
  }

const hasKey = ({ key, columns }: ImportDefinition, found: FoundColumns) =>
  key.columns.every((name) => hasColumn(found, name, columns[name]))

/** The last row of a key wins, and stands where it stood in the file. */
function gather(definition: ImportDefinition, rows: Iterable<Row>, options: ReaderOptions, problems: Problems) {
  let columns: FoundColumns | undefined
  const records = new Map<string, ImportRecord>()
  const first: ImportRecord[] = []
  let count = 0
  let duplicates = 0
  for (const [row, cells] of rows) {
    if (!columns) {
      columns = knownColumns(definition, cells)
      continue
    }
    count++
    const record = recordIn(definition, columns, { row, cells, problems, options })
    if (!record) continue
    if (first.length < preview_rows_max) first.push(record)
    const key = keyOf(definition, record)
    if (records.delete(key)) duplicates++
    records.set(key, record)
  }
  if (!columns) throw new UnreadableFile('empty')
  if (count === 0) throw new UnreadableFile('headerOnly')
  return { columns, count, records, first, duplicates }
}

function knownColumns(definition: ImportDefinition, header: string[]): FoundColumns {
  const columns = findColumns(definition, header)
  if (!hasKey(definition, columns)) throw new UnreadableFile(definition.withoutKey)
  return columns
}

interface RowIn {
  row: number
  cells: string[]
  problems: Problems
  options: ReaderOptions
}

/** The row as a record; undefined when something in it is wrong. */
function recordIn(definition: ImportDefinition, columns: FoundColumns, { row, cells, problems, options }: RowIn) {
  const record: ImportRecord = { row, property_id: 0 }
  let sound = true
  const attempt = (name: string, read: () => void) => {
    try {
      read()
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error
      problems.add(row, name, error.message)
      sound = false
    }
  }
  for (const [name, column] of columnsOf(definition))
    attempt(name, () => {
      const text = cellOf(columns, name, column, (index) => cleanCell(cells[index] ?? ''))
      if (text === '' && definition.key.columns.includes(name)) throw new CellProblem(messages.fields.required)
      const value = text === '' ? null : column.read(text)
      record[name] = name === 'property_id' ? placeOf(value as number | null, options.property_id) : value
    })
  return sound ? record : undefined
}

/** The property chosen for the whole file, or the row's own. A file without one must name it in each row. */
function placeOf(named: number | null, chosen: number | null): number {
  if (named !== null && chosen !== null && named !== chosen)
    throw new CellProblem('This file is imported into another property')
  const property_id = named ?? chosen
  if (property_id === null) throw new CellProblem('Say in each row which property it is for, or choose one')
  return property_id
}

/** Takes the rows away whose unique value stands in an earlier row, too. */
function refuseShared(definition: ImportDefinition, records: Map<string, ImportRecord>, problems: Problems) {
  for (const [name, { unique }] of Object.entries(definition.columns)) {
    if (!unique) continue
    const rows = new Map<string, number>()
    for (const [key, record] of records) {
      const value = record[name]
      if (value === null || value === undefined) continue
      const shared = `${record.property_id}\n${String(value).toLowerCase()}`
      const former = rows.get(shared)
      rows.set(shared, record.row)
      if (former === undefined) continue
      problems.add(record.row, name, `Row ${former} has this ${unique.noun} too`)
      records.delete(key)
    }
  }
}
