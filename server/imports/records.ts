// Records: what the reader of a file hands to the server, which believes none of it unseen.
import { z } from 'zod'
import { ImportLeftOut, ImportProblem } from '#contract/imports.ts'
import { limits } from '#server/imports/spreadsheets/limits.ts'
import type { Column, ImportDefinition, Person, Value } from './definition.ts'
import { columnsOf } from './headings.ts'

export const problems_max = 100
export const preview_rows_max = 20

/** A row of the file, read: null is an empty cell, or a column that is not there. */
export type ImportRecord = Record<string, Value> & { row: number; property_id: number }

/** Where the rows belong that do not say it. */
export interface ReaderOptions {
  property_id: number | null
  /** A day such as 2026-11-22: who has left by then, or is still to come, is not there. */
  today: string
  /** In a student home a lease is a stay. */
  leases: boolean
  /** Who moves in later is read, too: the list says who is to live there, and not only who does. */
  ahead: boolean
  /** The properties that rows may name, where they name them. */
  properties: readonly (readonly [id: number, name: string])[]
}

const line = z
  .string()
  .max(255)
  .regex(/^[^\p{Cc}]*$/u)
const id = z.int().positive()
/** More do not live in one room. */
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
/** The columns of a record of which the file has something that is not kept: what stands there stays. `email,mobile_number`. */
const columnNames = z
  .string()
  .max(200)
  .regex(/^[a-z_,]*$/)
  .nullable()
const people = z.array(person).max(people_max)
const shapes: Record<Column['type'], z.ZodType<Value>> = {
  text: line,
  moment: line,
  macaddr: z.string().regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/),
  // What the rows name in its place, the server looks up.
  id: z.union([id, line]),
  truth: z.boolean(),
  people,
}

/** The shape of a record of this kind. */
export function recordShape(definition: ImportDefinition): z.ZodType<ImportRecord> {
  const columns = columnsOf(definition).map(([name, { type }]): [string, z.ZodType<Value>] => [
    name,
    definition.key.columns.includes(name) ? shapes[type] : shapes[type].nullable(),
  ])
  return z.object({ ...Object.fromEntries(columns), row: id, property_id: id, left_out: columnNames.optional() })
}

/** What else there is to say of the file. `record` is a record of the kind. */
export const restShape = <R extends z.ZodType>(record: R) =>
  z.object({
    rows: z.int(),
    duplicates: z.int(),
    columns: z.array(z.string()),
    ignored: z.array(z.string()),
    /** What of the file was not read though it is there, in sentences. */
    notes: z.array(z.string().max(1000)).max(10),
    /** The sheets that may be meant as well, by name, where there are several. */
    sheets: z.array(z.string().max(limits.sheet_name_max)).max(limits.sheets_offered_max),
    /** The first rows, for a person to look at, and whether a later one repeats it. */
    first: z.array(z.object({ record, repeated: z.boolean() })).max(preview_rows_max),
    problems: z.array(ImportProblem).max(problems_max),
    problem_rows: z.int(),
    left_out: z.array(ImportLeftOut).max(problems_max),
    left_out_rows: z.int(),
    /** Rows with problems of which nobody can tell what they are about: of a list of rooms, which room. */
    unplaced_rows: z.int(),
  })
export type Rest = z.infer<ReturnType<typeof restShape<z.ZodType<ImportRecord>>>>
/** What a check has to say; the sheets are the reader's, and notes of the file itself follow. */
export type Checked = Omit<Rest, 'sheets'>

/** What makes two rows the same record of a property, as the database has it: `lower(btrim(…))` of each column. */
export const keyOf = ({ key }: ImportDefinition, record: ImportRecord): string =>
  [record.property_id, ...key.columns.map((column) => String(record[column] ?? '').toLowerCase())].join('\n')
