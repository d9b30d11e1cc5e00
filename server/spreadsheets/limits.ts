// Limits of a spreadsheet: how much of one is read, why one is not, and what its reader tells the server.

export const limits = {
  /** Below the header. */
  rows_max: 60_000,
  columns_max: 50,
  /** Longer texts are cut: no field takes as many, so the row is refused for it anyway. */
  cell_length_max: 1000,
  /** A workbook is a zip: what its directory may promise, and what it may turn out to hold. */
  zip_entries_max: 500,
  inflated_bytes_max: 64 * 1024 * 1024,
  inflated_ratio_max: 300,
  /** 60,000 rows of 14 columns, written at length. */
  tags_max: 6_000_000,
  /** Below this, a sheet of a thousand equal rows may well shrink to a thousandth. */
  ratio_from_bytes: 8 * 1024 * 1024,
} as const

/** Why a file is not read. The reader says the word; the sentence is the server's own. */
export const sentences = {
  notSpreadsheet: 'This is not a spreadsheet. Save it as .csv, .xls or .xlsx and try again.',
  locked: 'This workbook is protected by a password. Save it without one and try again.',
  damaged: 'This file is damaged or incomplete. Open it in a spreadsheet program, save it again and try again.',
  tooMuch: 'This workbook holds more than can be read. Copy the rows you need into a new one and try again.',
  tooManyRows: `This file has more than ${limits.rows_max.toLocaleString('en-GB')} rows. Split it and import the parts one by one.`,
  tooManyColumns: `This file has more than ${limits.columns_max} columns. Leave only those you need.`,
  empty: 'This file is empty.',
  headerOnly: 'This file has a header and nothing below it. Add a row for each record.',
  noName: 'There is no column for the name. The first row must name the columns, as the sample file does.',
  noRoom: 'There is no column for the room. Name it Room or Unit, with the guests beside it, as the sample file does.',
  unclosedQuote: 'A quotation mark is opened and never closed, so the rows cannot be told apart.',
} as const
export type Unreadable = keyof typeof sentences

/** A row with something in it, and its number as a spreadsheet program shows it. */
export type Row = [number: number, cells: string[]]

/**
 * What a list of something is checked by, in the reader: a module exports it as `check`. Records go to the server one by
 * one, then what else there is to say of the file. The options come from the server, as JSON.
 */
export type Check<O> = (rows: AsyncIterable<Row>, options: O) => Promise<{ records: Iterable<object>; rest: object }>
/** The lines that the reader writes, the last of which is no record. */
export type Line = { record: unknown } | { rest: unknown } | { unreadable: unknown }

/** Says why a file is not read. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
  readonly why: Unreadable
  constructor(why: Unreadable) {
    super(sentences[why])
    this.why = why
  }
}
