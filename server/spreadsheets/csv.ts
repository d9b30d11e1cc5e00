// CSV as people have it: in the encoding of their spreadsheet program, with its separator, and with line breaks in quotes.
import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { decoded } from './decoded.ts'
import { limits, UnreadableFile } from './limits.ts'
import type { Sheet } from './sheet.ts'

/** A record longer than that is no row of a table: most often a quotation mark was never closed. */
const record_length_max = 100_000

/** Every record, blank ones too, so that rows keep the numbers that a spreadsheet program shows. */
export function sheetOfCsv(bytes: Buffer): Sheet {
  let records: string[][] | undefined
  return {
    name: null,
    hidden: false,
    *rows() {
      records ??= recordsIn(bytes)
      for (const [index, cells] of records.entries()) yield [index + 1, cells]
    },
    unread: () => [],
  }
}

function recordsIn(bytes: Buffer): string[][] {
  const { text, delimiter } = separated(decoded(bytes))
  try {
    return parse(text, {
      delimiter,
      relax_quotes: true,
      relax_column_count: true,
      max_record_size: record_length_max,
      to: limits.rows_max + 2,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new UnreadableFile(/QUOTE|MAX_RECORD/.test(error.code) ? 'unclosedQuote' : 'damaged')
  }
}

const delimiters = [',', ';', '\t', '|']
/** So much of a text tells its separator. */
const first_length = 4000

/**
 * The separator is the one that `sep=` names; or the one that most of the first lines have, for a title above the headings
 * has none and a name may hold a comma; of two, the one that the first line has more often. Quoted ones do not count.
 */
function separated(text: string): { text: string; delimiter: string } {
  const named = /^sep=(.)\r?\n/i.exec(text)
  if (named?.[1] !== undefined) return { text: text.slice(named[0].length), delimiter: named[1] }
  const lines = text
    .slice(0, first_length)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(/"[^"]*"/g, ''))
  const inLines = (delimiter: string) => lines.filter((line) => line.includes(delimiter)).length
  const inFirst = (delimiter: string) => lines[0]?.split(delimiter).length ?? 0
  const [delimiter] = delimiters.toSorted(
    (one, other) => inLines(other) - inLines(one) || inFirst(other) - inFirst(one),
  )
  return { text, delimiter: delimiter ?? ',' }
}
