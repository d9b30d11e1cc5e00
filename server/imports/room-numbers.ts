// Room numbers as lists write them, and as spreadsheet programs change them: 101 to `101.0`, 1-2 to a date, 007 to 7.
import { asciiDigits } from '#contract/digits.ts'
import { CellProblem } from './cells.ts'

const month = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'
const date = new RegExp(`^(?:\\d{4}-\\d\\d-\\d\\d(?:T.*)?|\\d\\d?-(?:${month})(?:-\\d+)?|(?:${month})-\\d+)$`, 'i')

/** The number of a room as on its door. Throws `CellProblem` if a program has changed it beyond recognition. */
export function numberIn(cell: string): string {
  const typed = asciiDigits(cell).replace(/^(\d+)\.0+$/, '$1')
  if (date.test(typed))
    throw new CellProblem('This is a date. Write the number as text: a program may have changed it.')
  if (/^\d(?:[.,]\d+)?E\+?\d+$/i.test(typed) && /[+.,]/.test(typed))
    throw new CellProblem('A program has shortened this number. Write it as text.')
  return typed
}

/** A word or two with a digit: 101, A-12, `Villa 3`. */
export const looksLikeNumber = (text: string) => /\d/.test(text) && text.split(/\s+/).length < 3

/** Equal for two numbers if one has lost its leading zeros. */
export const withoutZeros = (number: string) => number.replace(/^0+(?=\d)/, '')

/** The sequential part of a room number: 101 in `A-101`. */
export const sequenceNumber = (number: string) => {
  const digits = /(\d{1,9})\D*$/.exec(number)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The rooms of one cell: `101, 102` and `101 & 102` are two, since they are written alike; `Block 2, 14` is one. */
export function roomsIn(typed: string): string[] {
  const pieces = typed.split(/\s*[,;&+、，]\s*|\s+(?:and|und|et|y|e|en|og|och|i|и)\s+/iu)
  const [first = typed, ...more] = pieces
  const shapeOf = (number: string) => number.replaceAll(/\d/g, '9')
  const areAlike = looksLikeNumber(first) && more.every((piece) => shapeOf(piece) === shapeOf(first))
  return pieces.length > 1 && areAlike ? pieces : [typed]
}
