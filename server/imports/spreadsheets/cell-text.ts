// Cell text: the text of a workbook's cell as a person would type it.
import { SSF, type CellObject } from '@e965/xlsx'

/**
 * Numbers keep all their digits (`4.47E+11` is not a phone number) and the leading zeros of their format; dates are written in the
 * unambiguous ISO form.
 */
export function textOfCell(cell: CellObject | undefined, since1904: boolean): string {
  if (cell?.v === undefined || cell.t === 'z') return ''
  if (cell.t === 'b') return cell.v ? 'true' : 'false'
  if (cell.t === 'e') return cell.w ?? '#ERROR'
  if (cell.t !== 'n') return String(cell.v)
  const number = Number(cell.v)
  if (typeof cell.z === 'string' && SSF.is_date(cell.z)) return dateText(number, since1904)
  const shown = cell.w?.trim() ?? ''
  const digits = shown.replace(/[\s()+-]/g, '')
  return /^0\d*$/.test(digits) && Number(digits) === number ? shown : plain(number)
}

/** A serial day of a spreadsheet: 46022 is 2025-12-31, or with 1904 dates four years and a day later. With a time only if it has one. */
function dateText(serial: number, since1904: boolean): string {
  const at = SSF.parse_date_code(serial, { date1904: since1904 }) as {
    y: number
    m: number
    d: number
    H: number
    M: number
    S: number
  } | null
  if (!at) return String(serial)
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0')
  const day = `${String(at.y).padStart(4, '0')}-${two(at.m)}-${two(at.d)}`
  return serial % 1 === 0 ? day : `${day}T${two(at.H)}:${two(at.M)}:${two(at.S)}`
}

const plain = (number: number) => (Number.isInteger(number) ? number.toFixed(0) : String(number))
