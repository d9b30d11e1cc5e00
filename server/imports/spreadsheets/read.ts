// Read: the content of an uploaded spreadsheet, read and checked in a confined process (server/turns/confined.ts).
import type { Readable } from 'node:stream'
import { atOnce, Turns } from '#server/turns/turns.ts'
import { ProcessFailed, confined, scriptBeside, type Caps } from '#server/turns/confined.ts'
import { spreadsheetLimits, spreadsheetSentences, UnreadableFile, type SheetFault } from './limits.ts'
import type { ReaderLine } from './sheet.ts'

/** Measured: 50,000 rows of a workbook take 430 MB and 2 to 5 s of one core, of a CSV 150 MB and 0.3 s. */
const caps: Caps = { heap_mb: 512, data_mb: 1536, cpu_s: 20 }
const output_bytes_max = 128 * 1024 * 1024

const readers = new Turns(atOnce(2))

interface CheckedBy {
  /** The URL of a module with a `check`, and the options for it. */
  checker: string
  options: object
  /** The sheet to read, by name; null: chosen by its content. */
  sheet: string | null
}

/**
 * The records of the file and finally, under `rest`, the other results of its check. Throws `UnreadableFile`.
 * A node reads two files at the same time; whose file is next is decided before (server/turns/shares.ts).
 */
export async function* readRecords(
  file: { path: string },
  by: CheckedBy,
): AsyncGenerator<{ record: unknown } | { rest: unknown }> {
  using _turn = await readers.take()
  yield* readIn(file, by)
}

async function* readIn({ path }: { path: string }, { checker, options, sheet }: CheckedBy) {
  const script = scriptBeside(import.meta.dirname, 'reader')
  try {
    yield* confined(
      { script, args: [checker, JSON.stringify(options), JSON.stringify(sheet)], input: path, caps },
      linesOf,
    )
  } catch (error) {
    throw error instanceof ProcessFailed ? new UnreadableFile('tooMuch') : error
  }
}

async function* linesOf(output: Readable) {
  output.setEncoding('utf8')
  let length = 0
  let rest = ''
  for await (const piece of output as AsyncIterable<string>) {
    length += piece.length
    if (length > output_bytes_max) throw new UnreadableFile('tooMuch')
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield parsed(line)
  }
}

function parsed(text: string) {
  const line = JSON.parse(text) as ReaderLine
  if ('unreadable' in line)
    throw isWhy(line.unreadable)
      ? new UnreadableFile(line.unreadable, namesIn(line.names))
      : new UnreadableFile('damaged')
  return line
}

const isWhy = (word: unknown): word is SheetFault =>
  typeof word === 'string' && Object.hasOwn(spreadsheetSentences, word)

const namesIn = (names: unknown) =>
  Array.isArray(names)
    ? names
        .slice(0, spreadsheetLimits.sheets_offered_max)
        .map((name) => String(name).slice(0, spreadsheetLimits.sheet_name_max))
    : []
