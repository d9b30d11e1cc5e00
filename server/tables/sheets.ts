// Sheets: what both kinds of workbook share: the names of sheets, and the first sheet, which describes the request.
import { cellsOf, totalsRow, type SheetCell } from './cells.ts'
import { iteratorOf, type TableFile } from './table.ts'

const name_max = 31
/** Characters that no sheet name may have: Excel would refuse the whole file. */
const forbidden = /[[\]:*?/\\\p{Cc}\uFFFE\uFFFF]/gu
/** The name of the first sheet. */
export const about = 'About'

/** `Sessions`, then `Sessions (2)`. */
export function sheetName(title: string, number: number): string {
  const ending = number === 1 ? '' : ` (${number})`
  const clean = title.toWellFormed().replace(forbidden, ' ').replace(/^'+/, '').replace(/\s+/g, ' ').trim()
  const cut = clean
    .slice(0, name_max - ending.length)
    .toWellFormed()
    .replaceAll('\uFFFD', '')
    .replace(/[\s']+$/, '')
  const name = `${cut === '' || /^(about|history)$/i.test(cut) ? 'Table' : cut}${ending}`
  return name
}

/** The description of the request, line by line; empty if there is none. */
export function aboutRows<Row>({ title, asked, zone }: TableFile<Row>): [string, string][] {
  if (asked.length === 0) return []
  const clock = typeof zone === 'string' ? zone : 'Of each place'
  return [['', title], ...asked.map(({ label, value }): [string, string] => [label, value]), ['Time zone', clock]]
}

/** Rows of cells, the totals last, with `isTotal`. `next` returns null at the end. */
export function sheetRows<Row>(table: TableFile<Row>) {
  const pages = iteratorOf(table.pages)
  let page: readonly Row[] = []
  let at = 0
  const cells = cellsOf(table, 'sheet')
  const totals = totalsRow(table, 'sheet')
  let hasEnded = false
  return {
    async next(): Promise<{ cells: SheetCell[]; isTotal: boolean } | null> {
      while (!hasEnded) {
        const row = page[at++]
        if (row !== undefined) return { cells: cells(row), isTotal: false }
        const given = await pages.next()
        if (given.done === true) {
          hasEnded = true
          return totals && { cells: totals, isTotal: true }
        }
        page = given.value
        at = 0
      }
      return null
    },
    async close() {
      hasEnded = true
      await pages.return?.()
    },
  }
}
export type SheetRows = ReturnType<typeof sheetRows>

/** The width of a column, in characters. */
export const widthOf = (kind: TableFile<never>['columns'][number]['kind']) =>
  ({ text: 24, number: 12, money: 14, gigabytes: 12, duration: 12, moment: 17, date: 12 })[kind]
