// Days: dates as lists write them, in many languages. The whole column shows whether the day or the month comes first; if not, it is a
// problem.
import type { OrderOfDays } from '#contract/imports.ts'
import { UnreadableFile } from '#server/imports/spreadsheets/limits.ts'
import type { Converted } from './calendars.ts'
import { CellProblem, momentIn } from './cells.ts'
import { monthNamed } from './months.ts'

/** A time of day after a date, which is ignored. */
const time = String.raw`(?:[ T,]+\d\d?[:.]\d\d(?:[:.]\d\d(?:\.\d+)?)?\s*(?:[ap]\.?m\.?)?)?`
const numeric = new RegExp(String.raw`^(\d\d?)\s*([/.-])\s*(\d\d?)\s*\2\s*(\d{4}|\d\d)\.?${time}$`, 'i')
const yearFirst = new RegExp(String.raw`^(\d{4})\s*[/.年년-]\s*(\d\d?)\s*[/.月월-]\s*(\d\d?)\s*[日일.]?${time}$`, 'i')
const together = /^(20\d\d|19\d\d|25\d\d|14\d\d)(\d\d)(\d\d)$/
const weekday = String.raw`(?:\p{L}{2,12}\.?,?\s+)?`
const between = String.raw`[\s.\/-]*(?:de\s+)?`
const dayNamed = new RegExp(
  String.raw`^${weekday}(\d\d?)(?:st|nd|rd|th|er|\.|º)?${between}([\p{L}\p{M}]{3,14})\.?,?${between}(\d{4}|\d\d)(?:\s*г\.?)?${time}$`,
  'iu',
)
const monthNamedFirst = new RegExp(
  String.raw`^${weekday}([\p{L}\p{M}]{3,14})\.?[\s-]+(\d\d?)(?:st|nd|rd|th)?,?[\s-]+(\d{4}|\d\d)${time}$`,
  'iu',
)

/** Whether the day or the month comes first in numeric dates, as far as all dates of a list show it. They are read when one is in doubt. */
export class DayOrder {
  readonly converted: Converted = new Map()
  private readonly all: () => Iterable<string>
  private readonly otherwise: OrderOfDays | 'ask' | null
  private order: { dayFirst: boolean; monthFirst: boolean } | undefined
  /** A date that was read in an order that the list does not show. */
  private assumed: string | undefined

  /** `otherwise` is for a list that does not show the order: `ask` refuses it until somebody chooses; null makes each date a problem. */
  constructor(all: () => Iterable<string>, otherwise: OrderOfDays | 'ask' | null = null) {
    this.all = all
    this.otherwise = otherwise
  }

  /** A sentence, if dates were read in an order that the list does not show. */
  get notes(): string[] {
    const first = this.otherwise === 'month_first' ? 'month' : 'day'
    return this.assumed === undefined ? [] : [`Of days such as ${this.assumed} the ${first} was read first.`]
  }

  /** 2026-12-31 for 31/12/2026, 12/31/26, 31.12.2026, 31-Dec-2026, 31.DEC.26, 2026年12月31日 or 20261231. Throws `CellProblem`. */
  dayIn(text: string): string {
    const inOrder = yearFirst.exec(text) ?? together.exec(text)
    if (inOrder) return this.isoDay(inOrder[1], inOrder[2], inOrder[3])
    const [, first, sign, second, year] = numeric.exec(text) ?? []
    if (first !== undefined && second !== undefined && sign !== undefined) {
      const isDayFirst = this.isDayFirst(Number(first), Number(second), sign, text)
      return isDayFirst ? this.isoDay(year, second, first) : this.isoDay(year, first, second)
    }
    const [, day, name, ofYear] = dayNamed.exec(text) ?? []
    if (name !== undefined) return this.isoDay(ofYear, monthIn(name), day)
    const [, before, dayAfter, yearAfter] = monthNamedFirst.exec(text) ?? []
    if (before !== undefined) return this.isoDay(yearAfter, monthIn(before), dayAfter)
    return momentIn(text, this.converted).slice(0, 10)
  }

  private isoDay(year = '', month = '', day = '') {
    return momentIn(`${fullYear(year)}-${month}-${day}`, this.converted).slice(0, 10)
  }

  private isDayFirst(first: number, second: number, sign: string, text: string): boolean {
    if (first > 12) return true
    if (second > 12 || first === second) return false
    this.order ??= orderOf(this.all())
    if (this.order.dayFirst !== this.order.monthFirst) return this.order.dayFirst
    // Nobody writes the month first with dots.
    if (sign === '.' && !this.order.monthFirst) return true
    // A list with both orders is not cured by either.
    if (!this.order.dayFirst && this.otherwise === 'ask') throw new UnreadableFile('dayOrder', [text])
    if (!this.order.dayFirst && this.otherwise !== null) {
      this.assumed ??= text
      return this.otherwise === 'day_first'
    }
    throw new CellProblem(`${first}${sign}${second} may be either day. Please write the date as 2026-12-31`)
  }
}

function orderOf(texts: Iterable<string>) {
  const order = { dayFirst: false, monthFirst: false }
  for (const text of texts) {
    const [, first, , second] = numeric.exec(text) ?? []
    if (Number(first) > 12) order.dayFirst = true
    if (Number(second) > 12) order.monthFirst = true
  }
  return order
}

function monthIn(name: string): string {
  const month = monthNamed(name)
  if (month === undefined)
    throw new CellProblem(`“${name}” is not a month that we know. Please write the date as 2026-12-31`)
  return String(month)
}

/** Two-digit years from 70 on are of the last century. */
const fullYear = (year: string) => (year.length === 4 ? year : String(Number(year) + (Number(year) < 70 ? 2000 : 1900)))
