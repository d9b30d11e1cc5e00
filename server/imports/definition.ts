// Definition: what is specific to one kind of import. It is declared as data, without the database, because the process that reads the
// untrusted file loads it, too.
import type { z } from 'zod'
import type { RefTarget } from '#contract/ref-target.ts'
import type { TenantTable } from '#server/access/reach.ts'
import type { SheetFault } from '#server/imports/spreadsheets/limits.ts'
import { macAddress as mac } from '#contract/mac-address.ts'
import { idOrNameIn, momentIn, textIn, truthIn } from './cells.ts'
import type { Contacts } from './contacts.ts'

/** A person within a record of another kind: a guest of a room. Days are like 2026-11-22. */
export interface Person {
  first_name: string | null
  last_name: string
  email: string | null
  mobile_number: string | null
  external_reference: string | null
  arrives_on: string | null
  departs_on: string | null
}
export type CellValue = string | number | boolean | null | Person[]

/** How one column of the file is recognised, read and stored. By default it is a column of the table, too. */
export interface ImportColumn {
  type: 'text' | 'id' | 'truth' | 'moment' | 'macaddr' | 'people'
  /**
   * Headings for it, in the form of `bare`, in order of preference: of a `Phone` and a `Mobile`, the mobile number is taken.
   */
  headings: readonly string[]
  /** Reads a cell that is not empty. Throws `CellProblem`. */
  read(text: string): CellValue
  /** For contact data: finds it in a cell. What cannot be stored is left out, without refusing the row. */
  contacts?: (cell: string) => Contacts
  /** New records need it, and an empty cell does not delete it. The columns of the key must be filled in every row. */
  needed?: true
  /** Columns that are joined by a space if the file has them instead of this one: a first and a last name. */
  parts?: Readonly<Record<string, readonly string[]>>
  /** The value for a missing or empty cell; existing records get it only if the file has the column. */
  whenEmpty?: CellValue
  /**
   * The column has ids of this table, which must be in reach. Rows without one get the id that is chosen with the file under the
   * column's name; if none is chosen, a record keeps its value.
   */
  refersTo?: RefTarget
  /** It names another record of the property, whose id is stored. */
  finds?: { table: TenantTable; by: string; stored: string; noun: string }
  /**
   * No two records of a property have the same value: its name, and the message if another record has it. `fold`: the stored column with
   * its folded form, in which two that look alike are the same.
   */
  unique?: { noun: string; taken: string; fold?: 'username_key' }
  /** It is stored elsewhere, by `afterStoring`. */
  apart?: true
}

export interface ImportDefinition {
  kind: 'accounts' | 'devices' | 'rooms'
  table: 'accounts' | 'devices' | 'rooms'
  /** The URL of this module, which exports `check`, for the reader of the file. */
  checker: string
  columns: Readonly<Record<string, ImportColumn>>
  key: {
    /** Rows that agree in these columns, ignoring case, are the same record of a property, which is overwritten. */
    columns: readonly string[]
    /** The database has a unique index on (customer_id, property_id, lower(btrim(…)) …) where deleted_at is null. */
    unique: boolean
    /** The message if two records of the property match a row, where that is possible. */
    ambiguous?: string
  }
  /** Why a file without a column for the key is refused. */
  withoutKey: SheetFault
}

type More = Omit<ImportColumn, 'type' | 'headings' | 'read'>
type OfText = More & { read?: ImportColumn['read'] }

/** A text that the contract's schema accepts. */
export const text = (schema: z.ZodType, headings: readonly string[], more: OfText = {}): ImportColumn => ({
  type: 'text',
  headings,
  read: textIn(schema),
  ...more,
})
export const reference = (refersTo: RefTarget, headings: readonly string[]): ImportColumn => ({
  type: 'id',
  headings,
  read: idOrNameIn,
  refersTo,
})
export const truth = (whenEmpty: boolean, headings: readonly string[]): ImportColumn => ({
  type: 'truth',
  headings,
  read: truthIn,
  whenEmpty,
})
/** With an offset, or in the property's own time. */
export const moment = (headings: readonly string[]): ImportColumn => ({ type: 'moment', headings, read: momentIn })
export const macAddress = (headings: readonly string[], more: More = {}): ImportColumn => ({
  type: 'macaddr',
  headings,
  read: textIn(mac),
  ...more,
})

/** In every import, each row may name its property. */
export const propertyColumn: ImportColumn = {
  type: 'id',
  headings: ['propertyid', 'property', 'propertyname'],
  read: idOrNameIn,
}
