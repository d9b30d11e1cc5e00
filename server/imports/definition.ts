// Definition: what is special about one kind of import. It is declared as data, without the database, because the process
// that reads a stranger's file loads it too.
import type { z } from 'zod'
import type { RefTarget } from '#contract/shapes.ts'
import type { TenantTable } from '#server/access/reach.ts'
import type { Unreadable } from '#server/imports/spreadsheets/limits.ts'
import { macAddress as mac } from '#contract/mac-address.ts'
import { idOrNameIn, momentIn, textIn, truthIn } from './cells.ts'
import type { Contacts } from './contacts.ts'

/** Somebody who stands in a record of another kind: a guest of a room. Days are such as 2026-11-22. */
export interface Person {
  first_name: string | null
  last_name: string
  email: string | null
  mobile_number: string | null
  external_reference: string | null
  arrives_on: string | null
  departs_on: string | null
}
export type Value = string | number | boolean | null | Person[]

/** How one column of the file is recognised, read and stored. Unless told otherwise it is a column of the table, too. */
export interface Column {
  type: 'text' | 'id' | 'truth' | 'moment' | 'macaddr' | 'people'
  /**
   * Headings that mean it, as `bare` makes them. By preference: of a `Phone` and a `Mobile`, the
   * mobile number is taken.
   */
  headings: readonly string[]
  /** What a cell that is not empty says. Throws `CellProblem`. */
  read(text: string): Value
  /** It holds what a guest is reached by: how that is found in a cell. What cannot be kept is left out, and refuses no row. */
  contacts?: (cell: string) => Contacts
  /** A new record cannot be without it, and an empty cell takes it from none. The columns of the key stand in every row. */
  needed?: true
  /** Columns that make up this one, with a space between, where the file has them instead: a first and a last name. */
  parts?: Readonly<Record<string, readonly string[]>>
  /** What no cell, or an empty one, means: stored so, and overwritten with it if the column is there. */
  whenEmpty?: Value
  /**
   * It holds ids of this table, which must be in reach. Rows without one get the id that is chosen beside the file under
   * the column's name; and where none is chosen, a record keeps what it has.
   */
  refersTo?: RefTarget
  /** It names another record of the property, whose id is stored. */
  finds?: { table: TenantTable; by: string; stored: string; noun: string }
  /** No two records of a property have the same: what it is called, and what is said of one that somebody has already. */
  unique?: { noun: string; taken: string }
  /** It is stored elsewhere, by what is run after each chunk. */
  apart?: true
}

export interface ImportDefinition {
  kind: 'accounts' | 'devices' | 'rooms'
  table: 'accounts' | 'devices' | 'rooms'
  /** The address of this module, which exports `check`, for the reader of the file. */
  checker: string
  columns: Readonly<Record<string, Column>>
  key: {
    /** What makes a row the same record as another of its property, ignoring case: it is overwritten. */
    columns: readonly string[]
    /** The database has a unique index on (customer_id, property_id, lower(btrim(…)) …) where deleted_at is null. */
    unique: boolean
    /** Said of a row that two records of the property match, if there can be such. */
    ambiguous?: string
  }
  /** Why a file is not read that has no column for the key. */
  withoutKey: Unreadable
}

type More = Omit<Column, 'type' | 'headings' | 'read'>
type OfText = More & { read?: Column['read'] }

/** A text that the contract's schema takes. */
export const text = (schema: z.ZodType, headings: readonly string[], more: OfText = {}): Column => ({
  type: 'text',
  headings,
  read: textIn(schema),
  ...more,
})
export const reference = (refersTo: RefTarget, headings: readonly string[]): Column => ({
  type: 'id',
  headings,
  read: idOrNameIn,
  refersTo,
})
export const truth = (whenEmpty: boolean, headings: readonly string[]): Column => ({
  type: 'truth',
  headings,
  read: truthIn,
  whenEmpty,
})
/** With an offset, or in the property's own time. */
export const moment = (headings: readonly string[]): Column => ({ type: 'moment', headings, read: momentIn })
export const macAddress = (headings: readonly string[], more: More = {}): Column => ({
  type: 'macaddr',
  headings,
  read: textIn(mac),
  ...more,
})

/** Every import may say in each row which property it is for. */
export const propertyColumn: Column = {
  type: 'id',
  headings: ['propertyid', 'property', 'propertyname'],
  read: idOrNameIn,
}
