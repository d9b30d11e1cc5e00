// Reader: the process that reads and checks an untrusted spreadsheet. It gets the file as its input, no secrets, no right to write or
// to start anything, and little memory and time. When all is read it writes one line of JSON per record.
import { once } from 'node:events'
import fs from 'node:fs'
import { chooseSheet } from './choose-sheet.ts'
import { sheetOfCsv } from './csv.ts'
import { spreadsheetLimits, UnreadableFile } from './limits.ts'
import type { Checker, Likeness, ReaderLine, Row, Sheet } from './sheet.ts'

const input = 0
/** Lines are written in pieces of about this size. */
const piece_length = 64 * 1024

/** The rows that are not empty. */
function* rowsIn(sheet: Sheet): Generator<Row> {
  for (const [number, cells, across] of sheet.rows()) {
    while (cells.length > 0 && cells.at(-1)?.trim() === '') cells.pop()
    if (cells.length === 0) continue
    if (number > spreadsheetLimits.rows_max + 1) throw new UnreadableFile('tooManyRows')
    if (cells.length > spreadsheetLimits.columns_max) throw new UnreadableFile('tooManyColumns')
    yield [number, cells.map((cell) => cell.slice(0, spreadsheetLimits.cell_length_max)), across]
  }
}

/** The kind of file is recognised by its first bytes, not by its name. */
async function sheetsIn(bytes: Buffer, likeness: Likeness): Promise<Sheet[]> {
  const start = bytes.subarray(0, 4).toString('hex')
  const isMarkup = /^(\ufeff|\s)*<(\?xml|!doctype|!--|html|head|body|meta|style|table|workbook)/i.test(
    bytes.toString('utf8', 0, 200),
  )
  if (start !== '504b0304' && start !== 'd0cf11e0' && !isMarkup) return [sheetOfCsv(bytes, likeness)]
  const { sheetsOfWorkbook } = await import('./workbook.ts')
  return sheetsOfWorkbook(bytes)
}

async function* linesOf(bytes: Buffer, checker: string, options: string, wanted: string): AsyncGenerator<ReaderLine> {
  try {
    const { check, likeness } = (await import(checker)) as Checker
    const { sheet, notes, offered } = chooseSheet(
      await sheetsIn(bytes, likeness),
      likeness,
      JSON.parse(wanted) as string | null,
    )
    const { records, rest } = check(() => rowsIn(sheet), JSON.parse(options))
    for (const record of records) yield { record }
    yield { rest: { ...rest, notes: [...notes, ...sheet.notes(), ...rest.notes], sheets: offered } }
  } catch (error) {
    yield error instanceof UnreadableFile ? { unreadable: error.why, names: error.names } : { unreadable: 'damaged' }
  }
}

/** Waits until the output is read, so that little is buffered. */
async function write(piece: string) {
  if (!process.stdout.write(piece)) await once(process.stdout, 'drain')
}

let piece = ''
const [checker = '', options = '', wanted = ''] = process.argv.slice(2)
for await (const line of linesOf(fs.readFileSync(input), checker, options, wanted)) {
  piece += `${JSON.stringify(line)}\n`
  if (piece.length < piece_length) continue
  await write(piece)
  piece = ''
}
await write(piece)
