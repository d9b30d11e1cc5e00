// Reader: the process that reads and checks a stranger's spreadsheet. It gets the file as its input, no secrets, no right to
// write or to start anything, and little memory and time. When all is read it writes one line of JSON for each record.
import { once } from 'node:events'
import fs from 'node:fs'
import { rowsOfCsv } from './csv.ts'
import { limits, UnreadableFile, type Check, type Line, type Row } from './limits.ts'

const input = 0
/** Lines are written in pieces of about this size. */
const piece_length = 64 * 1024

/** The rows that have something in them. */
async function* rowsIn(bytes: Buffer): AsyncGenerator<Row> {
  let number = 0
  for await (const cells of await everyRow(bytes)) {
    number++
    while (cells.length > 0 && cells.at(-1)?.trim() === '') cells.pop()
    if (cells.length === 0) continue
    if (number > limits.rows_max + 1) throw new UnreadableFile('tooManyRows')
    if (cells.length > limits.columns_max) throw new UnreadableFile('tooManyColumns')
    yield [number, cells.map((cell) => cell.slice(0, limits.cell_length_max))]
  }
}

/** What it is, is told by its first bytes; its name is only a name. */
async function everyRow(bytes: Buffer): Promise<Iterable<string[]> | AsyncIterable<string[]>> {
  const start = bytes.subarray(0, 4).toString('hex')
  const isMarkup = /^(\ufeff|\s)*<(\?xml|html|table|workbook)/i.test(bytes.toString('utf8', 0, 200))
  if (start !== '504b0304' && start !== 'd0cf11e0' && !isMarkup) return rowsOfCsv(bytes)
  const { rowsOfWorkbook } = await import('./workbook.ts')
  return rowsOfWorkbook(bytes)
}

async function* linesOf(bytes: Buffer, checker: string, options: string): AsyncGenerator<Line> {
  try {
    const { check } = (await import(checker)) as { check: Check<unknown> }
    const { records, rest } = await check(rowsIn(bytes), JSON.parse(options))
    for (const record of records) yield { record }
    yield { rest }
  } catch (error) {
    yield { unreadable: error instanceof UnreadableFile ? error.why : 'damaged' }
  }
}

/** Waits while nobody takes what was written, so that little lies between. */
async function write(piece: string) {
  if (!process.stdout.write(piece)) await once(process.stdout, 'drain')
}

let piece = ''
for await (const line of linesOf(fs.readFileSync(input), process.argv[2] ?? '', process.argv[3] ?? '')) {
  piece += `${JSON.stringify(line)}\n`
  if (piece.length < piece_length) continue
  await write(piece)
  piece = ''
}
await write(piece)
