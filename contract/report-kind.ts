// Report kind: what both sides agreed on of one kind of report: its word, by what its rows may be sorted, and the shapes of these.
import { z } from 'zod'

export interface ReportContract {
  word: string
  /** Those of all its views. */
  sorts: readonly string[]
  /** None: it is only ever a file. Each has an id, by which the description of the API names it. */
  rows: readonly z.ZodType[]
}

/** Gigabytes (10⁹ bytes), up and down together, to 3 decimals. */
export const gigabytes = z.number().min(0)
export const seconds = z.int().min(0)
