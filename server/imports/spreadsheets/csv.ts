// CSV as people save it: in the encoding of their spreadsheet program, with its separator, and with line breaks in quotes.
import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { decodeUndeclared } from './decode-text.ts'
import { spreadsheetLimits, UnreadableFile } from './limits.ts'
import type { Likeness, Row, Sheet } from './sheet.ts'

/** A longer record is not a row of a table: most often a quotation mark was never closed. */
const record_length_max = 100_000

/** How much of a text is searched for headings. */
const start_length = 20_000

/**
 * Every record including blank ones, so that rows keep the numbers of a spreadsheet program. `likeness` helps to find the encoding
 * in which the headings are words.
 */
export function sheetOfCsv(bytes: Buffer, likeness: Likeness): Sheet {
  const { text, note } = decodeUndeclared(bytes, (attempt) => likenessOf(attempt, likeness))
  let records: string[][] | undefined
  return {
    name: null,
    hidden: false,
    *rows() {
      records ??= recordsIn(text)
      yield* numbered(records)
    },
    notes: () => (note === undefined ? [] : [note]),
  }
}

function* numbered(records: readonly string[][]): Generator<Row> {
  for (const [index, cells] of records.entries()) yield [index + 1, cells]
}

function likenessOf(text: string, likeness: Likeness): number {
  try {
    const start = text.slice(0, start_length)
    const rows = recordsIn(start.slice(0, start.lastIndexOf('\n') + 1) || start)
    return likeness([...numbered(rows)].filter(([, cells]) => cells.some((cell) => cell.trim() !== '')).slice(0, 40))
  } catch (error) {
    if (error instanceof UnreadableFile) return 0
    throw error
  }
}

function recordsIn(content: string): string[][] {
  const { text, delimiter } = separated(content)
  try {
    return parse(text, {
      delimiter,
      relax_quotes: true,
      relax_column_count: true,
      max_record_size: record_length_max,
      to: spreadsheetLimits.rows_max + 2,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new UnreadableFile(/QUOTE|MAX_RECORD/.test(error.code) ? 'unclosedQuote' : 'damaged')
  }
}

const delimiters = [',', ';', '\t', '|']
/** How much of a text is used to find its separator. */
const first_length = 4000

/**
 * The separator is the one that `sep=` names; otherwise the one that most of the first lines have, because a title above the headings
 * has none and a name may contain a comma; of two, the one that is more frequent in the first line. Quoted ones do not count.
 */
function separated(text: string): { text: string; delimiter: string } {
  // A program that saves such a file again may put that line into quotes, add separators after it …
  const named = /^\uFEFF?(?:"sep=(.)"|sep=(.))[,;\t|]*\r?\n/i.exec(text)
  const rest = text.slice(named?.[0].length ?? 0)
  const declared = named?.[1] ?? named?.[2]
  const lines = rest
    .slice(0, first_length)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(/"[^"]*"/g, ''))
  // … and use another separator than the line still names.
  if (declared !== undefined && (lines.length === 0 || lines.some((line) => line.includes(declared))))
    return { text: rest, delimiter: declared }
  const inLines = (delimiter: string) => lines.filter((line) => line.includes(delimiter)).length
  const inFirst = (delimiter: string) => lines[0]?.split(delimiter).length ?? 0
  const [delimiter] = delimiters.toSorted(
    (one, other) => inLines(other) - inLines(one) || inFirst(other) - inFirst(one),
  )
  return { text: rest, delimiter: delimiter ?? ',' }
}
