// Table: the one description of a file that leaves Foyer: what was asked, its columns, its rows and their totals. Each of the
// four formats is made from it, while it is sent.
import type { Readable } from 'node:stream'

export const formats = ['csv', 'xlsx', 'xls', 'pdf'] as const
export type Format = (typeof formats)[number]

/** What a value of each kind is given as. A number that must keep all its digits comes as text, as the database writes it. */
interface Values {
  text: string | number | boolean
  number: number | bigint | string
  /** In the unit of its currency. */
  money: number | bigint | string
  gigabytes: number | bigint | string
  /** Seconds. */
  duration: number | bigint | string
  /** An instant; it is shown on the clock of the row's place. */
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
  /** Digits after the point, where a reader should see others than those of the kind: money of some currencies has 0 or 3. */
  places?: number
}
export type Column<Row> = { [K in Kind]: ColumnOf<Row, K> }[Kind]

export interface TableFile<Row> {
  /** The name of the sheet, the head of each page, and the file's name. */
  title: string
  /** Without an ending. The title unless it is given. */
  file_name?: string
  /** What the file is an answer to. A workbook says it on a first sheet, a pdf on its first page; a csv has only the table. */
  asked: readonly { label: string; value: string }[]
  columns: readonly Column<Row>[]
  /** Rows as they are read, many at a time: what a row costs by itself is paid a million times. */
  pages: Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>
  /** Below the last row, by the column's key. A csv has none: what reads it would take them for a row. */
  totals?: Readonly<Record<string, Value>>
  /** IANA name of the clock on which moments are shown; a function where rows are of several places. */
  zone: string | ((row: Row) => string)
}

/** As `download` handlers answer it. */
export interface MadeFile {
  file_name: string
  content_type: string
  content: Readable
}

type Page<Row> = readonly Row[]
/** Pages of both kinds, asked for one at a time. Whoever stops early has to call `return`. */
export function iteratorOf<Row>(pages: TableFile<Row>['pages']): AsyncIterator<Page<Row>> | Iterator<Page<Row>> {
  return Symbol.asyncIterator in pages ? pages[Symbol.asyncIterator]() : pages[Symbol.iterator]()
}

/** So much is written at a time. */
export const chunk_chars = 64 * 1024
