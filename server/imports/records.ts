// Records: what the reader of a file passes to the server, which validates all of it.
import { z } from 'zod'
import { ImportLeftOut, ImportProblem, problems_max, type OrderOfDays } from '#contract/imports.ts'
import { spreadsheetLimits } from '#server/imports/spreadsheets/limits.ts'
import type { ImportColumn, ImportDefinition, Person, CellValue } from './definition.ts'
import { importColumns } from './headings.ts'

export const preview_rows_max = 20

/** A row of the file, read: null is an empty cell, or a column that is not there. */
export type ImportRecord = Record<string, CellValue> & { row: number; property_id: number }

/** For rows that do not name their property. */
export interface ReaderOptions {
  property_id: number | null
  /** A day like 2026-11-22: people who have left by then, or have not come yet, do not count. */
  today: string
  /** In a student home a lease counts as a stay. */
  leases: boolean
  /** The property is let by leases, which may have begun long ago. */
  lets_by_lease: boolean
  /** People who move in later are read, too: the list has future residents and not only present ones. */
  ahead: boolean
  /** Which of two numbers of a date comes first, if the file does not show it. Null: nobody has said. */
  day_order: OrderOfDays | null
  /** The properties that rows may name. */
  properties: readonly (readonly [id: number, name: string])[]
}

const line = z
  .string()
  .max(255)
  .regex(/^[^\p{Cc}]*$/u)
const id = z.int().positive()
/** More people do not live in one room. */
const people_max = 100
const day = z.iso.date().nullable()
const person: z.ZodType<Person> = z.strictObject({
  first_name: line.nullable(),
  last_name: line,
  email: line.nullable(),
  mobile_number: line.nullable(),
  external_reference: line.nullable(),
  arrives_on: day,
  departs_on: day,
})
/** The columns of a record whose values in the file could not be stored, so that the former ones are kept: `email,mobile_number`. */
const columnNames = z
  .string()
  .max(200)
  .regex(/^[a-z_,]*$/)
  .nullable()
const people = z.array(person).max(people_max)
const shapes: Record<ImportColumn['type'], z.ZodType<CellValue>> = {
  text: line,
  moment: line,
  macaddr: z.string().regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/),
  // Rows may have a name instead, which the server looks up.
  id: z.union([id, line]),
  truth: z.boolean(),
  people,
}

/** The shape of a record of this kind. */
export function recordShape(definition: ImportDefinition): z.ZodType<ImportRecord> {
  const columns = importColumns(definition).map(([name, { type }]): [string, z.ZodType<CellValue>] => [
    name,
    definition.key.columns.includes(name) ? shapes[type] : shapes[type].nullable(),
  ])
  return z.object({ ...Object.fromEntries(columns), row: id, property_id: id, left_out: columnNames.optional() })
}

/** The facts about the file apart from its records. `record` is the shape of a record. */
export const restShape = <R extends z.ZodType>(record: R) =>
  z.object({
    rows: z.int(),
    duplicates: z.int(),
    columns: z.array(z.string()),
    ignored: z.array(z.string()),
    /** Sentences about parts of the file that were not read. */
    notes: z.array(z.string().max(1000)).max(10),
    /** The names of the sheets to choose from, if there are several. */
    sheets: z.array(z.string().max(spreadsheetLimits.sheet_name_max)).max(spreadsheetLimits.sheets_offered_max),
    /** The first rows, as a preview, and whether a later row repeats them. */
    first: z.array(z.object({ record, repeated: z.boolean() })).max(preview_rows_max),
    problems: z.array(ImportProblem).max(problems_max),
    problem_rows: z.int(),
    left_out: z.array(ImportLeftOut).max(problems_max),
    /** The numbers of all rows that have such a cell. */
    left_out_rows: z.array(z.int()).max(spreadsheetLimits.rows_max),
    /** Rows with problems that cannot be assigned to a record: in a list of rooms, to a room. */
    unplaced_rows: z.int(),
  })
export type Rest = z.infer<ReturnType<typeof restShape<z.ZodType<ImportRecord>>>>
/** The result of a check; the reader adds the sheets and its own notes. */
export type Checked = Omit<Rest, 'sheets'>

/** Equal for two rows of the same record, as in the database: `lower(btrim(…))` of each column. */
export const recordKey = ({ key }: ImportDefinition, record: ImportRecord): string =>
  [record.property_id, ...key.columns.map((column) => String(record[column] ?? '').toLowerCase())].join('\n')
