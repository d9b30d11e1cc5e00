// Rent roll days: dates as a list writes them. Whether the day or the month comes first is told by the whole column, or asked.
import { CellProblem, momentIn } from './cells.ts'

const slashed = /^(\d\d?)[/-](\d\d?)[/-](\d{4})(?:[ T].*)?$/
const named = /^(?:(\d\d?)[ -](\p{L}{3,9})\.?,?[ -](\d{4})|(\p{L}{3,9})\.? (\d\d?)(?:st|nd|rd|th)?,? (\d{4}))$/u
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** What comes first in dates with strokes, as far as all of a list tell. They are looked at when one is in doubt. */
export class DayOrder {
  private readonly all: () => Iterable<string>
  private order: { dayFirst: boolean; monthFirst: boolean } | undefined

  constructor(all: () => Iterable<string>) {
    this.all = all
  }

  /** 2026-12-31 of 31/12/2026, 12/31/2026, 31.12.2026, 31 Dec 2026 or 2026-12-31. Throws `CellProblem`. */
  dayIn(text: string): string {
    const [, first, second, year] = slashed.exec(text) ?? []
    if (first !== undefined && second !== undefined && year !== undefined) {
      const isDayFirst = this.isDayFirst(Number(first), Number(second))
      return isDayFirst ? isoDay(year, second, first) : isoDay(year, first, second)
    }
    const parts = named.exec(text)
    if (!parts) return momentIn(text).slice(0, 10)
    const month = months.indexOf((parts[2] ?? parts[4] ?? '').slice(0, 3).toLowerCase()) + 1
    return isoDay(parts[3] ?? parts[6] ?? '', String(month), parts[1] ?? parts[5] ?? '')
  }

  private isDayFirst(first: number, second: number): boolean {
    if (first > 12) return true
    if (second > 12 || first === second) return false
    this.order ??= orderOf(this.all())
    if (this.order.dayFirst !== this.order.monthFirst) return this.order.dayFirst
    throw new CellProblem(`${first}/${second} may be either day. Please write the date as 2026-12-31`)
  }
}

function orderOf(texts: Iterable<string>) {
  const order = { dayFirst: false, monthFirst: false }
  for (const text of texts) {
    const [, first, second] = slashed.exec(text) ?? []
    if (Number(first) > 12) order.dayFirst = true
    if (Number(second) > 12) order.monthFirst = true
  }
  return order
}

const isoDay = (year: string, month: string, day: string) => momentIn(`${year}-${month}-${day}`).slice(0, 10)
