// Cell text: a cell of a workbook as a person would type it.
import { SSF, type CellObject } from '@e965/xlsx'

/**
 * Numbers keep all their digits (`4.47E+11` is no phone number) and the zeros that their format puts before them; dates are
 * written the one way that cannot be misread.
 */
export function textOf(cell: CellObject | undefined, since1904: boolean): string {
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

/** A serial day of a spreadsheet: 46022 is 2025-12-31, or four years and a day later. Without a time of day unless it has one. */
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
