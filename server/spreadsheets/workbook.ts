// Workbooks: .xlsx and .xls, read by SheetJS, which believes what a file says of itself. So this is only ever loaded in the
// capped reader process, and of a zip it never sees the original: only the parts that were inflated here, under a counter.
import { buffer } from 'node:stream/consumers'
import { read, SSF, type CellObject } from '@e965/xlsx'
import { ZipFile } from 'yazl'
import { limits, UnreadableFile } from './limits.ts'
import { inflatedParts } from './unzip.ts'

/** Every row of the first sheet, blank ones too. `bytes` are a zip, a compound file or XML. */
export async function* rowsOfWorkbook(bytes: Buffer): AsyncGenerator<string[]> {
  const isZip = bytes.readUInt32BE(0) === 0x504b0304
  const content = isZip ? await rezipped(sizable(await inflatedParts(bytes, isNeeded))) : bytes
  for (const row of sheetIn(content)) {
    const cells: string[] = []
    // Columns beyond the limit are looked at once: one more tells that there are too many.
    for (let index = 0; index < Math.min(row?.length ?? 0, limits.columns_max + 1); index++)
      cells.push(textOf(row?.[index]))
    yield cells
  }
}

/** Pictures, drawings, macros and printer settings say nothing about guests. */
const isNeeded = (name: string) =>
  /\.(xml|rels)$/i.test(name) &&
  !/(^|\/)(media|drawings|charts|theme|embeddings|customXml|pivot\w*|externalLinks|docProps)\//i.test(name)

const tag_start = '<'.charCodeAt(0)
/** What a parser costs is told by the tags: few bytes can hold many. */
function sizable(parts: Map<string, Buffer>) {
  let tags = 0
  for (const content of parts.values())
    for (let at = 0; at < content.length; at++) if (content[at] === tag_start) tags++
  if (tags > limits.tags_max) throw new UnreadableFile('tooMuch')
  return parts
}

/** A zip of our own, without compression: what the parser is handed instead of the stranger's. */
async function rezipped(parts: Map<string, Buffer>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of parts) zip.addBuffer(content, name, { compress: false })
  zip.end()
  return buffer(zip.outputStream)
}

function sheetIn(content: Buffer): (CellObject | undefined)[][] {
  const workbook = readWorkbook(content)
  const sheet = workbook.Sheets[workbook.SheetNames[0] ?? '']
  if (!sheet) throw new UnreadableFile('damaged')
  return (sheet as { '!data'?: CellObject[][] })['!data'] ?? []
}

function readWorkbook(content: Buffer) {
  try {
    return read(content, {
      type: 'buffer',
      dense: true,
      sheets: 0,
      sheetRows: limits.rows_max + 2,
      cellFormula: false,
      cellHTML: false,
      cellNF: true,
      cellText: true,
    })
  } catch (error) {
    throw new UnreadableFile(/password|encrypt/i.test(String(error)) ? 'locked' : 'damaged')
  }
}

/**
 * A cell as a person would type it. Numbers keep all their digits (`4.47E+11` is no phone number) and the zeros that
 * their format puts before them; dates are written the one way that cannot be misread.
 */
function textOf(cell: CellObject | undefined): string {
  if (cell?.v === undefined || cell.t === 'z') return ''
  if (cell.t === 'b') return cell.v ? 'true' : 'false'
  if (cell.t === 'e') return cell.w ?? '#ERROR'
  if (cell.t !== 'n') return String(cell.v)
  const number = Number(cell.v)
  if (typeof cell.z === 'string' && SSF.is_date(cell.z)) return dateText(number)
  const shown = cell.w?.trim() ?? ''
  const digits = shown.replace(/[\s()+-]/g, '')
  return /^0\d*$/.test(digits) && Number(digits) === number ? shown : plain(number)
}

/** A serial day of a spreadsheet: 46022 is 2025-12-31. Without a time of day unless it has one. */
function dateText(serial: number): string {
  const at = SSF.parse_date_code(serial) as { y: number; m: number; d: number; H: number; M: number; S: number } | null
  if (!at) return String(serial)
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0')
  const day = `${String(at.y).padStart(4, '0')}-${two(at.m)}-${two(at.d)}`
  return serial % 1 === 0 ? day : `${day}T${two(at.H)}:${two(at.M)}:${two(at.S)}`
}

const plain = (number: number) => (Number.isInteger(number) ? number.toFixed(0) : String(number))
