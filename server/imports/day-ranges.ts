// Day ranges: the days in a line of text, as people write them in many languages: `3 May 2027`, `1-3 May 2027`, `24.–26.12.2026`,
// `30 April to 2 May 2027`, `2026-12-24 – 2027-01-02`.
import { CellProblem } from './cells.ts'
import type { DayOrder } from './days.ts'
import { monthNamed } from './months.ts'

const day = String.raw`(\d\d?(?:st|nd|rd|th|er|º|\.)?)`
const word = String.raw`([\p{L}\p{M}]{3,14}\.?)`
const number = String.raw`(\d\d?)`
const year = String.raw`(\d{4})`
/** `de` in Spanish and Portuguese. */
const of = String.raw`\s*(?:de\s+|d[’'])?`
const comma = String.raw`(?:\s+de)?,?\s*`
const to = String.raw`\s*(?:[-–—~〜～/&]|(?:to|until|till|through|and|bis|und|au|et|al|a|à|e|y|tot|en|til|do)(?=\s))\s*`
const sign = '([./])'

/**
 * How a day, or a first and a last one, is written, and what a date is made of. `borrows`: the first has the year of the last, or the
 * one before.
 */
const shapes: { pattern: string; first: string; last?: string; borrows?: true }[] = [
  { pattern: `${year}[-./]${number}[-./]${number}`, first: '$1-$2-$3' },
  { pattern: `${year}[年년]\\s*${number}[月월]\\s*${number}[日일]?`, first: '$1-$2-$3' },
  { pattern: `${year}年${number}月${number}日?${to}${number}日`, first: '$1-$2-$3', last: '$1-$2-$4' },
  { pattern: `${year}年${number}月${number}日?${to}${number}月${number}日`, first: '$1-$2-$3', last: '$1-$4-$5' },
  { pattern: `${number}${sign}${number}\\2${year}`, first: '$1$2$3$2$4' },
  { pattern: `${number}-${number}-${year}`, first: '$1-$2-$3' },
  { pattern: `${number}\\.?${to}${number}${sign}${number}\\3${year}`, first: '$1$3$4$3$5', last: '$2$3$4$3$5' },
  {
    pattern: `${number}${sign}${number}\\2?${to}${number}\\2${number}\\2${year}`,
    first: '$1$2$3$2$6',
    last: '$4$2$5$2$6',
    borrows: true,
  },
  { pattern: `${day}${of}${word}${comma}${year}`, first: '$1 $2 $3' },
  { pattern: `${day}${to}${day}${of}${word}${comma}${year}`, first: '$1 $3 $4', last: '$2 $3 $4' },
  {
    pattern: `${day}${of}${word}${to}${day}${of}${word}${comma}${year}`,
    first: '$1 $2 $5',
    last: '$3 $4 $5',
    borrows: true,
  },
  { pattern: `${word}\\s+${day},?\\s+${year}`, first: '$1 $2 $3' },
  { pattern: `${word}\\s+${day}${to}${day},?\\s+${year}`, first: '$1 $2 $4', last: '$1 $3 $4' },
  {
    pattern: `${word}\\s+${day}${to}${word}\\s+${day},?\\s+${year}`,
    first: '$1 $2 $5',
    last: '$3 $4 $5',
    borrows: true,
  },
]
const readers = shapes.map((shape) => ({ ...shape, at: new RegExp(`${shape.pattern}(?!\\d)`, 'iuy') }))

interface Found {
  dates: string[]
  borrows: boolean
  length: number
}

/** The longest that begins here. */
function foundAt(line: string, index: number): Found | null {
  let found: Found | null = null
  for (const { at, first, last, borrows = false } of readers) {
    at.lastIndex = index
    const [text] = at.exec(line) ?? []
    if (text === undefined || text.length <= (found?.length ?? 0)) continue
    const dates = [first, ...(last === undefined ? [] : [last])].map((template) => {
      at.lastIndex = 0
      return text.replace(at, template)
    })
    if (dates.every(hasMonth)) found = { dates, borrows, length: text.length }
  }
  return found
}

/** Every word in it is the name of a month. */
const hasMonth = (date: string) =>
  (date.match(/[\p{L}\p{M}]{3,}/gu) ?? []).every((name) => monthNamed(name) !== undefined)

interface DatedLine {
  /** As `DayOrder` reads them. */
  dates: string[]
  borrows: boolean
  /** What stands around them. */
  rest: string
}

/** Longer lines are no holidays. */
const line_length_max = 400

/** The dates in a line. */
export function datesIn(line: string): DatedLine {
  const dated: DatedLine = { dates: [], borrows: false, rest: '' }
  const text = line.slice(0, line_length_max)
  for (let index = 0; index < text.length;) {
    const begins = /[\p{L}\p{N}]/u.test(text[index] ?? '') && !/[\p{L}\p{N}./-]/u.test(text[index - 1] ?? ' ')
    const found = begins ? foundAt(text, index) : null
    if (found) {
      dated.dates.push(...found.dates)
      dated.borrows ||= found.borrows
    }
    dated.rest += found ? ' ' : (text[index] ?? '')
    index += found?.length ?? 1
  }
  return dated
}

/** The first and the last day of a line, both included. Throws `CellProblem`. */
export function rangeOf({ dates, borrows }: DatedLine, order: DayOrder): { starts_on: string; ends_on: string } {
  const [first, last = first, another] = dates
  if (first === undefined || last === undefined)
    throw new CellProblem('No date was found. Please write it as 2026-12-24')
  if (another !== undefined) throw new CellProblem('There are more than two dates. Please write one time on a line')
  const ends_on = order.dayIn(last)
  const starts_on = order.dayIn(first)
  if (starts_on <= ends_on) return { starts_on, ends_on }
  if (!borrows) throw new CellProblem('The last day cannot be before the first')
  const before = first.replace(/\d{4}/, (text) => String(Number(text) - 1))
  return { starts_on: order.dayIn(before), ends_on }
}
