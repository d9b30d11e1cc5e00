// CSV as people have it: in the encoding of their spreadsheet program, with its separator, and with line breaks in quotes.
import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { limits, UnreadableFile } from './limits.ts'

/** A record longer than that is no row of a table: most often a quotation mark was never closed. */
const record_length_max = 100_000

/** Every record, blank ones too, so that rows keep the numbers that a spreadsheet program shows. */
export function* rowsOfCsv(bytes: Buffer): Generator<string[]> {
  const { text, delimiter } = separated(decoded(bytes))
  try {
    yield* parse(text, {
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

/** UTF-16 shows by its mark, or by its many zero bytes; UTF-8 by being valid; all else is what Windows saves. */
function decoded(bytes: Buffer): string {
  const encoding = utf16(bytes)
  if (encoding) return new TextDecoder(encoding).decode(bytes)
  // Text has no zero bytes: this is a program, a picture or the like.
  if (bytes.includes(0)) throw new UnreadableFile('notSpreadsheet')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function utf16(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // Without the mark: Latin letters have a zero in every second byte, and none in the others.
  const start = bytes.subarray(0, 400)
  const zeros = [0, 0]
  start.forEach((byte, index) => (zeros[index % 2] = (zeros[index % 2] ?? 0) + (byte === 0 ? 1 : 0)))
  const [even = 0, odd = 0] = zeros
  if (even === 0 && odd > start.length / 3) return 'utf-16le'
  if (odd === 0 && even > start.length / 3) return 'utf-16be'
  return undefined
}

const delimiters = [',', ';', '\t', '|']

/** The separator is the one that stands in the first line most often, outside quotes; or the one that `sep=` names. */
function separated(text: string): { text: string; delimiter: string } {
  const named = /^sep=(.)\r?\n/i.exec(text)
  if (named?.[1] !== undefined) return { text: text.slice(named[0].length), delimiter: named[1] }
  const header = /[^\r\n]+/.exec(text)?.[0].replace(/"[^"]*"/g, '') ?? ''
  const counts = delimiters.map((delimiter) => header.split(delimiter).length)
  return { text, delimiter: delimiters[counts.indexOf(Math.max(...counts))] ?? ',' }
}
