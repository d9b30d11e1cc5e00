// Column limit: limits the number of columns that a workbook declares. Its parser makes an object for each, and a few bytes can
// declare billions.
import { spreadsheetLimits, UnreadableFile } from './limits.ts'

function refuseMore(claims: Iterable<number>) {
  let claimed = 0
  for (const claim of claims) {
    claimed += Math.max(1, claim)
    if (claimed > spreadsheetLimits.columns_claimed_max) throw new UnreadableFile('tooMuch')
  }
}

/** `<col min="3" max="16384" hidden="1"/>` in the parts of an .xlsx. */
export const refuseEndlessColumns = (parts: Iterable<Buffer>) => refuseMore(claimsIn(parts))

function* claimsIn(parts: Iterable<Buffer>) {
  for (const part of parts)
    for (let at = part.indexOf('col'); at >= 0; at = part.indexOf('col', at + 1)) {
      if (part[at - 1] !== bracket && part[at - 1] !== colon) continue
      const tag = part.toString('latin1', at, at + tag_length)
      yield numberOf(tag, 'max') - numberOf(tag, 'min') + 1
    }
}
const bracket = 0x3c
const colon = 0x3a
const tag_length = 300
const numberOf = (tag: string, name: 'min' | 'max') =>
  Number(new RegExp(`^[^>]*\\b${name}=["'](\\d+)`).exec(tag)?.[1] ?? 0)

/** `<Column ss:Span="16383"/>` in XML of Excel 2003. */
export const refuseEndlessSpans = (markup: string) => refuseMore(spansIn(markup))

function* spansIn(markup: string) {
  for (const [, span] of markup.matchAll(/<(?:\w+:)?column\b[^>]*?\bspan=["'](\d+)/gi)) yield Number(span)
}

/** In an .xls it is a record with its kind, its length, and its first and last column. */
export const refuseEndlessRecords = (bytes: Buffer) => refuseMore(recordsIn(bytes))

const kind = Buffer.from([0x7d, 0x00, 0x0c, 0x00])
function* recordsIn(bytes: Buffer) {
  for (let at = bytes.indexOf(kind); at >= 0 && at + 8 <= bytes.length; at = bytes.indexOf(kind, at + 1))
    yield bytes.readUInt16LE(at + 6) - bytes.readUInt16LE(at + 4) + 1
}
