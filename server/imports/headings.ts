// Headings: which column of a file is which, whatever the case, spaces and punctuation of its first row.
import { propertyColumn, type Column, type ImportDefinition } from './definition.ts'

export interface FoundColumns {
  /** Where each stands in a row: columns, and the parts of columns. */
  at: Map<string, number>
  /** Headings that say nothing to us. */
  ignored: string[]
}

/** As headings are compared. */
export const squashed = (heading: string) => heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** Every column that a row may have, the property's among them. */
export const columnsOf = ({ columns }: ImportDefinition): [string, Column][] =>
  Object.entries({ ...columns, property_id: propertyColumn })

export function findColumns(definition: ImportDefinition, header: string[]): FoundColumns {
  const names = header.map(squashed)
  const at = new Map<string, number>()
  const find = (name: string, headings: readonly string[]) => {
    const known = headings.find((heading) => names.includes(heading))
    if (known !== undefined) at.set(name, names.indexOf(known))
  }
  for (const [name, column] of columnsOf(definition)) {
    find(name, column.headings)
    for (const [part, headings] of Object.entries(column.parts ?? {})) find(part, headings)
  }
  const taken = new Set(at.values())
  return {
    at,
    ignored: header.map((heading) => heading.trim()).filter((heading, index) => heading && !taken.has(index)),
  }
}

/** The cell of a column, or those of its parts. */
export function cellOf({ at }: FoundColumns, name: string, column: Column, read: (index: number) => string): string {
  const index = at.get(name)
  if (index !== undefined) return read(index)
  return Object.keys(column.parts ?? {})
    .map((part) => read(at.get(part) ?? -1))
    .join(' ')
    .trim()
}

export const hasColumn = ({ at }: FoundColumns, name: string, column: Column | undefined): boolean =>
  at.has(name) || Object.keys(column?.parts ?? {}).some((part) => at.has(part))
