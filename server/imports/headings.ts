// Headings: which column of a file is which, in the row that names most of them, under whatever titles stand above.
import type { Row } from '#server/imports/spreadsheets/sheet.ts'
import { propertyColumn, type Column, type ImportDefinition } from './definition.ts'
import { columnsMeant, meaningsIn, ofNames, type Meanings } from './heading-words.ts'

export interface FoundColumns {
  /** Where each stands in a row, the best first: columns, and the parts of columns. */
  at: ReadonlyMap<string, readonly number[]>
  /** Headings that say nothing to us. */
  ignored: string[]
  /** The number of the row that they stand in; 0 where there is none. */
  row: number
}

/** Every column that a row may have, the property's among them. */
export const columnsOf = ({ columns }: ImportDefinition): [string, Column][] =>
  Object.entries({ ...columns, property_id: propertyColumn })

const meanings = new WeakMap<ImportDefinition, Meanings<string>>()
function meaningsOf(definition: ImportDefinition): Meanings<string> {
  const known = meanings.get(definition)
  if (known) return known
  const lists = columnsOf(definition).flatMap(([name, { headings, parts }]): [string, readonly string[]][] => [
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

/** How far down the headings may stand. */
const title_rows_max = 30

/** Of the first rows, the one that names most columns, the key's among them. */
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
export function cellOf({ at }: FoundColumns, name: string, column: Column, read: (index: number) => string): string {
  const [index] = at.get(name) ?? []
  if (index !== undefined) return read(index)
  return Object.keys(column.parts ?? {})
    .map((part) => read(at.get(part)?.[0] ?? -1))
    .join(' ')
    .trim()
}

const hasColumn = ({ at }: FoundColumns, name: string, column: Column | undefined): boolean =>
  at.has(name) || Object.keys(column?.parts ?? {}).some((part) => at.has(part))
