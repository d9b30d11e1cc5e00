// Cells: what a spreadsheet that leaves Foyer may hold. A text is a text, whatever it begins with.

/** A text, a number, or nothing. Moments are given as text, in the time zone of their place. */
export type Cell = string | number | null

/** A spreadsheet on its way out: made while it is sent, and never held whole. */
export interface Sheet {
  columns: readonly string[]
  rows: Iterable<readonly Cell[]> | AsyncIterable<readonly Cell[]>
}

/** So much is written at a time. */
export const chunk_chars = 64 * 1024
