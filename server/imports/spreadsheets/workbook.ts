// Workbooks: .xlsx and .xls, read by SheetJS, which trusts the content of files. So this is only loaded in the confined reader process,
// and SheetJS never gets the original zip: only the parts that were inflated here, under a counter.
import { buffer } from 'node:stream/consumers'
import { read } from '@e965/xlsx'
import { ZipFile } from 'yazl'
import { refuseEndlessColumns, refuseEndlessRecords, refuseEndlessSpans } from './column-limit.ts'
import { decodeText, declaredEncodingIn } from './decode-text.ts'
import { withoutEntities } from './entities.ts'
import { markUncalculated } from './formulas.ts'
import { spreadsheetLimits, UnreadableFile } from './limits.ts'
import { visibleCellsOf, type DrawnSheet } from './visible-cells.ts'
import type { Sheet } from './sheet.ts'
import { inflatedParts } from './unzip.ts'

/** The sheets, in their order. `bytes` are a zip, a compound file or markup. */
export async function sheetsOfWorkbook(bytes: Buffer): Promise<Sheet[]> {
  const workbook = readWorkbook(await contentOf(bytes))
  const isPage = workbook.bookType === 'html'
  // Workbooks from old Macs count days from 1904.
  const since1904 = Boolean(workbook.Workbook?.WBProps?.date1904)
  const sheets = workbook.SheetNames.flatMap((name, index) => {
    const sheet = workbook.Sheets[name] as DrawnSheet | undefined
    const hidden = (workbook.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0
    // A chart that fills a sheet has no cells.
    return sheet?.['!data'] ? [visibleCellsOf(isPage ? `Table ${index + 1}` : name, hidden, sheet, since1904)] : []
  })
  if (sheets.length === 0) throw new UnreadableFile('damaged')
  return sheets
}

async function contentOf(bytes: Buffer): Promise<Buffer | string> {
  const start = bytes.readUInt32BE(0)
  if (start === 0x504b0304) return rezipped(markUncalculated(sizable(await inflatedParts(bytes, isNeeded))))
  if (start === 0xd0cf11e0) {
    refuseEndlessRecords(bytes)
    return bytes
  }
  const markup = withoutEntities(decodeText(bytes, declaredEncodingIn(bytes)))
  refuseEndlessSpans(markup)
  return markup
}

/** Without pictures, drawings, macros and printer settings, which have no data about guests. */
const isNeeded = (name: string) =>
  /\.(xml|rels)$/i.test(name) &&
  !/(^|\/)(media|drawings|charts|theme|embeddings|customXml|pivot\w*|externalLinks|docProps)\//i.test(name)

const tag_start = '<'.charCodeAt(0)
/** The cost of parsing depends on the number of tags, and few compressed bytes can hold many. */
function sizable(parts: Map<string, Buffer>) {
  let tags = 0
  for (const content of parts.values())
    for (let at = 0; at < content.length; at++) if (content[at] === tag_start) tags++
  if (tags > spreadsheetLimits.tags_max) throw new UnreadableFile('tooMuch')
  refuseEndlessColumns(parts.values())
  return parts
}

/** A new zip without compression, which the parser gets instead of the untrusted one. */
async function rezipped(parts: Map<string, Buffer>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of parts) zip.addBuffer(content, name, { compress: false })
  zip.end()
  return buffer(zip.outputStream)
}

function readWorkbook(content: Buffer | string) {
  try {
    return read(content, {
      type: typeof content === 'string' ? 'string' : 'buffer',
      dense: true,
      sheetRows: spreadsheetLimits.rows_max + 2,
      cellFormula: false,
      cellHTML: false,
      cellNF: true,
      cellText: true,
      // Needed for information about hidden columns and rows.
      cellStyles: true,
      // In an HTML page everything is text: `007` is not 7, and `1/2/2026` is not a date.
      raw: true,
    })
  } catch (error) {
    throw new UnreadableFile(/password|encrypt/i.test(String(error)) ? 'locked' : 'damaged')
  }
}
