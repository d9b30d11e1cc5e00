// Account records: what the reader of a list of guests hands to the server.
import { z } from 'zod'
import { ImportProblem } from '#contract/imports.ts'

const problems_max = 100

const line = z
  .string()
  .max(255)
  .regex(/^[^\p{Cc}]*$/u)
const text = line.nullable()
const id = z.int().positive().nullable()
/** A guest account as a row says it. Null is an empty cell, or a column that is not there. */
export const AccountRecord = z.object({
  row: z.int(),
  name: line.min(1),
  email: text,
  mobile_number: text,
  username: text,
  password: text,
  external_reference: text,
  room_number: text,
  package_id: id,
  account_type_id: id,
  property_id: id,
  active: z.boolean().nullable(),
  /** With an offset, or in the property's own time. */
  expires_at: text,
})
export type AccountRecord = z.infer<typeof AccountRecord>

/** What else there is to say of the file. */
export const Rest = z.object({
  rows: z.int(),
  duplicates: z.int(),
  columns: z.array(z.string()),
  ignored: z.array(z.string()),
  /** The first rows, for a person to look at. */
  first: z.array(AccountRecord).max(100),
  problems: z.array(ImportProblem).max(problems_max),
  problem_rows: z.int(),
})
export type Rest = z.infer<typeof Rest>

/** What makes two rows the same account: as the database has it, `lower(btrim(name))` within a property. */
export const keyOf = ({ property_id, name }: Pick<AccountRecord, 'property_id' | 'name'>) =>
  `${property_id ?? ''}\n${name.toLowerCase()}`

/** What is wrong, the first hundred of it in words, after what was found before. */
export class Problems {
  readonly list: z.infer<typeof ImportProblem>[]
  private readonly rows = new Set<number>()
  private readonly rows_before: number

  constructor(list: z.infer<typeof ImportProblem>[] = [], rows_before = 0) {
    this.list = [...list]
    this.rows_before = rows_before
  }

  add(row: number, column: string | null, message: string) {
    this.rows.add(row)
    if (this.list.length < problems_max) this.list.push({ row, column, message })
  }

  /** A row that was found wrong before has no record, so that none is counted twice. */
  get row_count() {
    return this.rows_before + this.rows.size
  }
}
