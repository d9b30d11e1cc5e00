// Headings: identifies the columns of a file by the row that names most of them, below any titles.
import type { Row } from '#server/imports/spreadsheets/sheet.ts'
import { propertyColumn, type ImportColumn, type ImportDefinition } from './definition.ts'
import { columnsMeant, meaningsIn, ofNames, type Meanings } from './heading-words.ts'

export interface FoundColumns {
  /** The positions of columns and their parts in a row, the best first. */
  at: ReadonlyMap<string, readonly number[]>
  /** Headings that are not recognised. */
  ignored: string[]
  /** The number of the heading row; 0 if there is none. */
  row: number
}

/** Every column that a row may have, including the property. */
export const importColumns = ({ columns }: ImportDefinition): [string, ImportColumn][] =>
  Object.entries({ ...columns, property_id: propertyColumn })

const meanings = new WeakMap<ImportDefinition, Meanings<string>>()
function meaningsOf(definition: ImportDefinition): Meanings<string> {
  const known = meanings.get(definition)
  if (known) return known
  const lists = importColumns(definition).flatMap(([name, { headings, parts }]): [string, readonly string[]][] => [
    [name, headings],
    ...Object.entries(parts ?? {}),
  ])
  const made = meaningsIn(Object.fromEntries(lists))
  meanings.set(definition, made)
  return made
}

function columnsIn(definition: ImportDefinition, [row, header]: Row): FoundColumns {
  const at = ofNames(
    columnsMeant(
      meaningsOf(definition),
      header.map((heading) => [heading]),
    ),
    'name',
    'last_name',
    'first_name',
  )
  const taken = new Set(
    [...at].flatMap(([name, found]) => (definition.columns[name]?.contacts ? found : found.slice(0, 1))),
  )
  const ignored = header.map((heading) => heading.trim()).filter((heading, index) => heading && !taken.has(index))
  return { at, ignored, row }
}

/** The rows within which the headings must be. */
const title_rows_max = 30

/** The columns by the row that names most of them, including those of the key. */
export function findColumns(definition: ImportDefinition, first: readonly Row[]): FoundColumns | undefined {
  const found = first
    .slice(0, title_rows_max)
    .map((row) => columnsIn(definition, row))
    .filter((columns) => hasKey(definition, columns))
  const most = Math.max(...found.map(({ at }) => at.size))
  return found.find(({ at }) => at.size === most)
}

const hasKey = ({ key, columns }: ImportDefinition, found: FoundColumns) =>
  key.columns.every((name) => hasColumn(found, name, columns[name]))

/** The cell of a column, or those of its parts. */
export function cellOf(
  { at }: FoundColumns,
  name: string,
  column: ImportColumn,
  read: (index: number) => string,
): string {
  const [index] = at.get(name) ?? []
  if (index !== undefined) return read(index)
  return Object.keys(column.parts ?? {})
    .map((part) => read(at.get(part)?.[0] ?? -1))
    .join(' ')
    .trim()
}

const hasColumn = ({ at }: FoundColumns, name: string, column: ImportColumn | undefined): boolean =>
  at.has(name) || Object.keys(column?.parts ?? {}).some((part) => at.has(part))
