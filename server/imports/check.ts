// Check: turns the rows of a spreadsheet into records of a kind, without duplicates, and collects all problems. This runs in the
// reader; the server gets the records.
import { messages } from '#contract/messages.ts'
import { sameFold } from '#contract/folded.ts'
import { UnreadableFile } from '#server/imports/spreadsheets/limits.ts'
import type { Check, Likeness, Row } from '#server/imports/spreadsheets/sheet.ts'
import { conversionNotes } from './calendars.ts'
import { CellProblem, cleanCell, momentIn } from './cells.ts'
import { DayOrder } from './days.ts'
import type { ImportColumn, ImportDefinition } from './definition.ts'
import { cellOf, importColumns, findColumns, type FoundColumns } from './headings.ts'
import { LeftOuts, Problems } from './problems.ts'
import { recordKey, preview_rows_max, type Checked, type ImportRecord, type ReaderOptions } from './records.ts'
import { isCountLine, isFoot } from './rent-roll-words.ts'

/** What a definition's module exports as `check`. */
export const checkOf =
  (definition: ImportDefinition): Check<ReaderOptions> =>
  (rows, options) => {
    const problems = new Problems()
    const leftOuts = new LeftOuts()
    const { columns, days, count, records, first, duplicates } = gather(definition, rows, {
      options,
      problems,
      leftOuts,
    })
    const last = new Map(records)
    refuseShared(definition, records, problems)
    const rest: Checked = {
      rows: count,
      duplicates,
      columns: [...columns.at.keys()],
      ignored: columns.ignored,
      first: first.map((record) => ({ record, repeated: last.get(recordKey(definition, record)) !== record })),
      problems: problems.list,
      problem_rows: problems.row_count,
      ...leftOuts.besides(problems),
      unplaced_rows: problems.row_count,
      notes: [...days.values()].flatMap(({ notes, converted }) => [...notes, ...conversionNotes(converted)]),
    }
    return { records: records.values(), rest }
  }

/** What it exports as `likeness`: the number of columns found, if a row names those of the key and has rows below it. */
export const likenessOf =
  (definition: ImportDefinition): Likeness =>
  (first) => {
    const columns = findColumns(definition, first)
    return columns && (first.at(-1)?.[0] ?? 0) > columns.row ? columns.at.size : 0
  }

/** Rows at the start of a file among which its headings are searched. */
const first_rows = 40

interface Reading {
  options: ReaderOptions
  problems: Problems
  leftOuts: LeftOuts
}

/** The last row of a key wins, and keeps its position in the file. */
function gather(definition: ImportDefinition, rows: () => Iterable<Row>, reading: Reading) {
  const { leftOuts } = reading
  const start: Row[] = []
  for (const row of rows()) if (start.push(row) === first_rows) break
  if (start.length === 0) throw new UnreadableFile('empty')
  const columns = findColumns(definition, start)
  if (!columns) throw new UnreadableFile(definition.withoutKey)
  const header = start.find(([row]) => row === columns.row)?.[1].join('\n')
  const days = daysOf(definition, columns, rows, reading.options)
  const records = new Map<string, ImportRecord>()
  const first: ImportRecord[] = []
  let count = 0
  let duplicates = 0
  for (const [row, cells] of rows()) {
    if (row <= columns.row || cells.join('\n') === header || isNoRecord(columns, cells)) continue
    count++
    const record = recordIn(definition, { columns, days, row, cells }, reading)
    if (!record) continue
    if (first.length < preview_rows_max) first.push(record)
    const key = recordKey(definition, record)
    const former = records.get(key)
    if (former) {
      duplicates++
      leftOuts.forget(former.row)
      // The new one takes its place at the end.
      records.delete(key)
    }
    records.set(key, record)
  }
  if (count === 0) throw new UnreadableFile('headerOnly')
  return { columns, days, count, records, first, duplicates }
}

/** `Total: 12`, `Printed 25/11/2026`, `Page 1 of 2`: a line on its own in a list of several columns. */
function isNoRecord({ at }: FoundColumns, cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  return at.size > 1 && filled.length <= 2 && (isCountLine(filled.join(' ')) || isFoot(filled.join(' ')))
}

/** The order of day and month in each column of moments. */
const daysOf = (
  definition: ImportDefinition,
  columns: FoundColumns,
  rows: () => Iterable<Row>,
  options: ReaderOptions,
) =>
  new Map(
    importColumns(definition)
      .filter(([, { type }]) => type === 'moment')
      .map(([name, column]) => [
        name,
        new DayOrder(function* () {
          for (const [row, cells] of rows())
            if (row > columns.row) yield cellOf(columns, name, column, (index) => cells[index]?.trim() ?? '')
        }, options.day_order ?? 'ask'),
      ]),
  )

interface RowIn {
  columns: FoundColumns
  days: ReadonlyMap<string, DayOrder>
  row: number
  cells: string[]
}

/** The row as a record; undefined if it has a problem. */
function recordIn(definition: ImportDefinition, { columns, days, row, cells }: RowIn, reading: Reading) {
  const { problems, leftOuts, options } = reading
  const record: ImportRecord = { row, property_id: 0 }
  const left = new Set<string>()
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
  const leftOut: [name: string, value: string, sentence: string][] = []
  const valueIn = (name: string, column: ImportColumn) => {
    if (column.contacts) {
      const { found, lost } = contactIn(column.contacts, columns.at.get(name) ?? [], cells)
      for (const { value, sentence } of lost) leftOut.push([name, value, sentence])
      if (found === null && lost.length > 0) left.add(name)
      return found
    }
    const text = cellOf(columns, name, column, (index) => cleanCell(cells[index] ?? ''))
    if (text === '' && definition.key.columns.includes(name)) throw new CellProblem(messages.fields.required)
    if (text === '') return null
    if (column.type === 'moment') return momentOf(text, days.get(name))
    return column.read(text)
  }
  for (const [name, column] of importColumns(definition))
    attempt(name, () => {
      const value = valueIn(name, column)
      record[name] = name === 'property_id' ? placeOf(value as number | string | null, options) : value
    })
  if (!sound) return undefined
  for (const cell of leftOut) leftOuts.add(row, ...cell)
  if (left.size > 0) record['left_out'] = [...left].join(',')
  return record
}

/** The contact of the first column that has one; of several in a cell, the first. The others are reported as left out. */
function contactIn(read: NonNullable<ImportColumn['contacts']>, columns: readonly number[], cells: readonly string[]) {
  const lost = []
  for (const at of columns) {
    const { found, left } = read(cellText(cells[at] ?? ''))
    lost.push(...left)
    const [first, ...more] = found
    if (first === undefined) continue
    for (const value of more) lost.push({ value, sentence: `A guest has one: ${first} is kept` })
    return { found: first, lost }
  }
  return { found: null, lost }
}

/** Failed and never calculated formulas are problems here as in any other cell. */
const cellText = (cell: string) => cell.split('\n').map(cleanCell).join('\n')

/** A moment with its time, or a date in the format of the list, which means the end of that day. */
function momentOf(text: string, days: DayOrder | undefined): string {
  try {
    return momentIn(text, days?.converted)
  } catch (error) {
    if (!(error instanceof CellProblem) || !days) throw error
    const day = days.dayIn(text)
    const [time] = /\d\d?:\d\d(?::\d\d)?$/.exec(text) ?? []
    return momentIn(time === undefined ? day : `${day} ${time}`)
  }
}

/** The property chosen for the whole file, or the row's own. If none is chosen, each row must name one. */
function placeOf(given: number | string | null, { property_id: chosen, properties }: ReaderOptions): number {
  const named = typeof given === 'string' ? idNamed(given, properties) : given
  if (named !== null && chosen !== null && named !== chosen)
    throw new CellProblem('This file is imported into another property')
  const property_id = named ?? chosen
  if (property_id === null) throw new CellProblem('Say in each row which property it is for, or choose one')
  return property_id
}

function idNamed(name: string, properties: ReaderOptions['properties']): number {
  const [one, ...more] = properties.filter(([, known]) => known.trim().toLowerCase() === name.toLowerCase())
  if (!one) throw new CellProblem(`There is no property “${name}” here. Choose one, or write its id`)
  if (more.length > 0) throw new CellProblem(`There are several properties “${name}”. Write the id`)
  return one[0]
}

/** Removes rows whose unique value is also in an earlier row. */
function refuseShared(definition: ImportDefinition, records: Map<string, ImportRecord>, problems: Problems) {
  for (const [name, { unique }] of Object.entries(definition.columns)) {
    if (!unique) continue
    const rows = new Map<string, number>()
    for (const [key, record] of records) {
      const value = record[name]
      if (value === null || value === undefined) continue
      const shared = `${record.property_id}\n${unique.fold ? sameFold(String(value)) : String(value).toLowerCase()}`
      const former = rows.get(shared)
      rows.set(shared, record.row)
      if (former === undefined) continue
      problems.add(record.row, name, `Row ${former} has this ${unique.noun} too`)
      records.delete(key)
    }
  }
}
