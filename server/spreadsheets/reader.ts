// Reader: the process that reads a stranger's spreadsheet. It gets the file as its input, no secrets, no right to write or
// to start anything, and little memory and time; it writes one line of JSON for each row and is gone.
import { once } from 'node:events'
import fs from 'node:fs'
import { rowsOfCsv } from './csv.ts'
import { limits, UnreadableFile, type Line } from './limits.ts'

const input = 0
/** Rows are written in pieces of about this size. */
const piece_length = 64 * 1024

let piece = ''
const lineOf = (line: Line) => `${JSON.stringify(line)}\n`
/** Waits while nobody takes what was written, so that little lies here. */
async function flush() {
  const ready = process.stdout.write(piece)
  piece = ''
  if (!ready) await once(process.stdout, 'drain')
}

async function read(bytes: Buffer) {
  let number = 0
  for await (const cells of await rowsIn(bytes)) {
    number++
    while (cells.length > 0 && cells.at(-1)?.trim() === '') cells.pop()
    if (cells.length === 0) continue
    if (number > limits.rows_max + 1) throw new UnreadableFile('tooManyRows')
    if (cells.length > limits.columns_max) throw new UnreadableFile('tooManyColumns')
    piece += lineOf([number, cells.map((cell) => cell.slice(0, limits.cell_length_max))])
    if (piece.length > piece_length) await flush()
  }
}

/** What it is, is told by its first bytes; its name is only a name. */
async function rowsIn(bytes: Buffer): Promise<Iterable<string[]> | AsyncIterable<string[]>> {
  const start = bytes.subarray(0, 4).toString('hex')
  const isMarkup = /^(\ufeff|\s)*<(\?xml|html|table|workbook)/i.test(bytes.toString('utf8', 0, 200))
  if (start !== '504b0304' && start !== 'd0cf11e0' && !isMarkup) return rowsOfCsv(bytes)
  const { rowsOfWorkbook } = await import('./workbook.ts')
  return rowsOfWorkbook(bytes)
}

try {
  await read(fs.readFileSync(input))
} catch (error) {
  piece += lineOf({ unreadable: error instanceof UnreadableFile ? error.why : 'damaged' })
}
await flush()
