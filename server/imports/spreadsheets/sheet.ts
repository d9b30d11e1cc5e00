// Sheet: one table of a file, as its reader hands it to whoever checks the rows, and what that answers.

/** From its first column to its last, a merged cell that reaches over several. Its text stands in the first. */
export type Across = readonly [from: number, to: number]
/** A row with something in it, and its number as a spreadsheet program shows it. */
export type Row = [number: number, cells: string[], across?: Across[]]

/** One table of a file: a CSV has one, a workbook several. Only what a person sees of it is given. */
export interface Sheet {
  /** Null where there is but one, which has no name. */
  name: string | null
  hidden: boolean
  /** From the first on, as often as they are asked for. */
  rows(): Iterable<Row>
  /** What of it is hidden and therefore not read, and what is in doubt, in sentences. */
  notes(): string[]
}

/**
 * What a list of something is checked by, in the reader: a module exports it as `check`. Records go to the server one by
 * one, then what else there is to say of the file. The options come from the server, as JSON.
 */
export type Check<O> = (
  rows: () => Iterable<Row>,
  options: O,
) => { records: Iterable<object>; rest: { notes: string[] } }
/** How many columns of the list are found in a sheet that begins so; 0 where it is another. Exported as `likeness`. */
export type Likeness = (first: readonly Row[]) => number
export interface Checker {
  check: Check<unknown>
  likeness: Likeness
}
/** The lines that the reader writes, the last of which is no record. */
export type Line = { record: unknown } | { rest: unknown } | { unreadable: unknown; names?: unknown }
