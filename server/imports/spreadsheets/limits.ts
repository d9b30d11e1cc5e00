// Limits of a spreadsheet: how much of one is read, and why one is refused.
import { quoted } from './words.ts'

export const spreadsheetLimits = {
  /** Below the header. */
  rows_max: 60_000,
  columns_max: 50,
  /** Longer texts are cut: no field accepts as much, so the row is refused anyway. */
  cell_length_max: 1000,
  /** A workbook is a zip: limits for what its directory declares, and for what is really inflated. */
  zip_entries_max: 500,
  inflated_bytes_max: 64 * 1024 * 1024,
  inflated_ratio_max: 300,
  /** Enough for 60,000 rows of 14 columns in verbose markup. */
  tags_max: 6_000_000,
  /** Below this size the ratio is not checked: a sheet of a thousand equal rows may well compress to a thousandth. */
  ratio_from_bytes: 8 * 1024 * 1024,
  /** For all sheets: a program that hides everything to the right of a list declares 16,384 in each. */
  columns_claimed_max: 1_000_000,
  /** How many sheets are named in a sentence, and offered for a choice; and the longest name. */
  sheets_named_max: 5,
  sheets_offered_max: 50,
  sheet_name_max: 100,
} as const

/** Why a file is refused. The reader gives the key; the sentence is the server's own. */
export const spreadsheetSentences = {
  notSpreadsheet: 'This is not a spreadsheet. Save it as .csv, .xls or .xlsx and try again.',
  locked: 'This workbook is protected by a password. Save it without one and try again.',
  damaged: 'This file is damaged or incomplete. Open it in a spreadsheet program, save it again and try again.',
  tooMuch: 'This workbook holds more than can be read. Copy the rows you need into a new one and try again.',
  tooManyRows:
    `This file has more than ${spreadsheetLimits.rows_max.toLocaleString('en-GB')} rows. Split it and ` +
    'import the parts one by one.',
  tooManyColumns: `This file has more than ${spreadsheetLimits.columns_max} columns. Leave only those you need.`,
  empty: 'This file is empty.',
  headerOnly: 'This file has a header and nothing below it. Add a row for each record.',
  noName:
    'There is no column for the name. The first row must name the columns, as the sample file does. What is hidden is not read.',
  noRoom:
    'There is no column for the room. Name it Room or Unit, with the guests beside it, as the sample file does. ' +
    'What is hidden is not read.',
  allHidden: 'Every sheet of this workbook is hidden. Show the one that you mean, and try again.',
  severalSheets: 'More than one sheet of this workbook holds such a list. Choose the one to import',
  noSuchSheet: 'This file has no such sheet, or it is hidden',
  dayOrder: 'Dates in this file can be read in two ways. Choose whether the day or the month comes first',
  unclosedQuote: 'A quotation mark is opened and never closed, so the rows cannot be told apart.',
} as const
export type SheetFault = keyof typeof spreadsheetSentences

/** A file that is refused, and why. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
  readonly why: SheetFault
  /** The names of the sheets, or the days, that it is about. */
  readonly names: readonly string[]
  constructor(why: SheetFault, names: readonly string[] = []) {
    super(
      names.length === 0
        ? spreadsheetSentences[why]
        : `${spreadsheetSentences[why]}: ${quoted(names, spreadsheetLimits.sheets_named_max)}.`,
    )
    this.why = why
    this.names = names
  }
}
