// Table: the one description of an exported file: the request, its columns, rows and totals. Each of the four formats is made from
// it, while it is sent.
import type { Readable } from 'node:stream'

export const formats = ['csv', 'xlsx', 'xls', 'pdf'] as const
export type Format = (typeof formats)[number]

/** The types of values of each kind. A number that must keep all its digits is text, as the database writes it. */
interface Values {
  text: string | number | boolean
  number: number | bigint | string
  /** In the unit of its currency. */
  money: number | bigint | string
  gigabytes: number | bigint | string
  /** Seconds. */
  duration: number | bigint | string
  /** An instant, shown in the time zone of the row. */
  moment: Date | string
  /** A calendar day, `2026-11-25`. */
  date: string
}
export type Kind = keyof Values
export type Value = Values[Kind] | null | undefined

interface ColumnOf<Row, K extends Kind> {
  key: string
  title: string
  kind: K
  value(row: Row): Values[K] | null | undefined
  /** Digits after the point, if not those of the kind: some currencies have 0 or 3. */
  places?: number
}
export type Column<Row> = { [K in Kind]: ColumnOf<Row, K> }[Kind]

export interface TableFile<Row> {
  /** The name of the sheet, the head of each page, and the file's name. */
  title: string
  /** Without an extension. By default the title. */
  file_name?: string
  /** Describes the request. A workbook shows it on its first sheet, a pdf on its first page; a csv has only the table. */
  asked: readonly { label: string; value: string }[]
  columns: readonly Column<Row>[]
  /** Rows as they are read, many at a time, because the cost of a single row counts a million times. */
  pages: Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>
  /** Below the last row, by the column's key. A csv has none, because programs would read them as a row. */
  totals?: Readonly<Record<string, Value>>
  /** IANA name of the zone in which moments are shown; a function where rows are of several places. */
  zone: string | ((row: Row) => string)
}

/** As `download` handlers return it. */
export interface MadeFile {
  file_name: string
  content_type: string
  content: Readable
}

type Page<Row> = readonly Row[]
/** An iterator over pages of either kind. Callers that stop early have to call `return`. */
export function iteratorOf<Row>(pages: TableFile<Row>['pages']): AsyncIterator<Page<Row>> | Iterator<Page<Row>> {
  return Symbol.asyncIterator in pages ? pages[Symbol.asyncIterator]() : pages[Symbol.iterator]()
}

/** How much is written at a time. */
export const chunk_chars = 64 * 1024
