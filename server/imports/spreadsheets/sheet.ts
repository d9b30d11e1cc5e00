// Sheet: one table of a file, as it is passed from the reader to the check of its rows, and the result of that check.

/** A merged cell over several columns, from its first to its last. Its text is in the first. */
export type Across = readonly [from: number, to: number]
/** A row that is not empty, with its number as a spreadsheet program shows it. */
export type Row = [number: number, cells: string[], across?: Across[]]

/** One table of a file: a CSV has one, a workbook several. Has only the visible content. */
export interface Sheet {
  /** Null for the only table of a file without names. */
  name: string | null
  hidden: boolean
  /** From the first row on; can be called repeatedly. */
  rows(): Iterable<Row>
  /** Sentences about hidden content, which is not read, and about doubts. */
  notes(): string[]
}

/**
 * Checks a list in the reader; exported by a module as `check`. The records go to the server one by one, followed by the other
 * results. The options come from the server, as JSON.
 */
export type Check<O> = (
  rows: () => Iterable<Row>,
  options: O,
) => { records: Iterable<object>; rest: { notes: string[] } }
/** The number of the list's columns in a sheet with these first rows; 0 if it is something else. Exported as `likeness`. */
export type Likeness = (first: readonly Row[]) => number
export interface Checker {
  check: Check<unknown>
  likeness: Likeness
}
/** The lines that the reader writes; the last one is not a record. */
export type ReaderLine = { record: unknown } | { rest: unknown } | { unreadable: unknown; names?: unknown }
