// Cells: a value of a table as each format needs it. Typed text is text in all of them, whatever it begins with.
import { day_ms, midnightOf } from '#contract/days.ts'
import { clockOf } from '#server/time/wall-clock.ts'
import type { Column, Kind, TableFile, Value } from './table.ts'

/** In a workbook: a number, which its column's format shows as a date and the like, or a text. */
export type SheetCell = number | string | null

interface Plain {
  key: string
  kind: Kind
  places?: number
  value(row: never): Value
}

const epoch_ms = midnightOf('1899-12-30')
/** For earlier days spreadsheet programs disagree, because of their 29 February 1900. */
const first_serial = 61
/** The digits that a spreadsheet keeps of a number; a longer one stays a text. */
const digits_max = 15

const decimal = /^-?\d{1,30}(\.\d{1,30})?$/
const calendar_day = /^\d{4}-\d\d-\d\d$/

const twos = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'))
/** 0 to 99, in two digits. */
export const two = (number: number) => twos[number] ?? String(number)

/** Null where it is not a number. */
export function cellNumber(value: Value): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'string' && decimal.test(value) ? Number(value) : null
}

/** All the digits, as text. */
export function digitsOf(value: Value): string | null {
  if (typeof value === 'string' || typeof value === 'bigint') return decimal.test(String(value)) ? String(value) : null
  return typeof value === 'number' && Number.isFinite(value) ? plain(value) : null
}
const plain = (value: number) =>
  Number.isInteger(value) && Math.abs(value) >= 1e15 ? BigInt(value).toString() : String(value)

export function cellInstant(value: Value): number | null {
  const ms = value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}

export const isDay = (value: Value): value is string => typeof value === 'string' && calendar_day.test(value)
const dayOf = (value: Value): number | null => (isDay(value) ? Date.parse(value) : null)

export const asText = (value: Value): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : value instanceof Date ? value.toISOString() : String(value)

export const zoneOf = <Row>({ zone }: TableFile<Row>, row: Row) => (typeof zone === 'string' ? zone : zone(row))

/** A cell of a workbook: a date as days since 1899-12-30, a duration as a fraction of a day. */
function sheetCell(kind: Kind, value: Value, zone: () => string): SheetCell {
  if (value === null || value === undefined) return null
  switch (kind) {
    case 'text':
      return typeof value === 'number' && Number.isFinite(value) ? value : asText(value)
    case 'number':
    case 'money':
    case 'gigabytes': {
      const digits = digitsOf(value)
      const counted = digits?.replace(/^-?0*\.?0*|\./g, '').length ?? 0
      return typeof value === 'number' || counted <= digits_max ? (cellNumber(value) ?? asText(value)) : asText(value)
    }
    case 'duration': {
      const seconds = cellNumber(value)
      return seconds === null ? asText(value) : seconds / 86_400
    }
    case 'moment': {
      const ms = cellInstant(value)
      return ms === null ? asText(value) : serialOf(clockOf(zone())(ms).shown_ms, value)
    }
    case 'date': {
      const ms = dayOf(value)
      return ms === null ? asText(value) : serialOf(ms, value)
    }
  }
}

function serialOf(shown_ms: number, value: Value): SheetCell {
  const serial = (shown_ms - epoch_ms) / day_ms
  return serial < first_serial ? asText(value) : serial
}

/** `26:05`, or `26:05:30`: hours may exceed 24. */
export function durationText(seconds: number, isExact: boolean): string {
  const size = Math.floor(Math.abs(seconds))
  const text = `${Math.floor(size / 3600)}:${two(Math.floor(size / 60) % 60)}${isExact ? `:${two(size % 60)}` : ''}`
  return seconds < 0 ? `-${text}` : text
}

const places_of: Partial<Record<Kind, number>> = { money: 2, gigabytes: 2 }
export const decimalPlaces = ({ kind, places }: Pick<Plain, 'kind' | 'places'>) => places ?? places_of[kind]

/** As printed on paper. */
function printed(column: Pick<Plain, 'kind' | 'places'>, value: Value, zone: () => string): string {
  if (value === null || value === undefined) return ''
  switch (column.kind) {
    case 'text':
    case 'date':
      return asText(value)
    case 'number':
    case 'money':
    case 'gigabytes':
      return grouped(digitsOf(value) ?? asText(value), decimalPlaces(column))
    case 'duration': {
      const seconds = cellNumber(value)
      return seconds === null ? asText(value) : durationText(seconds, false)
    }
    case 'moment': {
      const ms = cellInstant(value)
      if (ms === null) return asText(value)
      return new Date(clockOf(zone())(ms).shown_ms).toISOString().slice(0, 16).replace('T', ' ')
    }
  }
}

const formatters = new Map<number | undefined, Intl.NumberFormat>()
/** `1234.5` → 1,234.50. The text is formatted as it is: a sum of money may have more digits than a number keeps. */
function grouped(digits: string, places: number | undefined): string {
  if (!decimal.test(digits)) return digits
  const known = formatters.get(places)
  const format =
    known ??
    new Intl.NumberFormat('en-GB', {
      minimumFractionDigits: places ?? 0,
      maximumFractionDigits: places ?? 10,
    })
  if (!known) formatters.set(places, format)
  return format.format(digits as Intl.StringNumericLiteral)
}

const makers = {
  sheet: (column: Plain, value: Value, zone: () => string) => sheetCell(column.kind, value, zone),
  print: (column: Plain, value: Value, zone: () => string) => printed(column, value, zone),
}
type Made = { [M in keyof typeof makers]: ReturnType<(typeof makers)[M]> }

/** The cells of a row in a format. */
export function cellsOf<Row, M extends keyof Made>(table: TableFile<Row>, format: M): (row: Row) => Made[M][] {
  const make = makers[format] as (column: Plain, value: Value, zone: () => string) => Made[M]
  return (row) => {
    const zone = () => zoneOf(table, row)
    return table.columns.map((column) => make(column, column.value(row), zone))
  }
}

/** The cells of the row of totals, or null. The first column without a total has its label. */
export function totalsRow<Row, M extends keyof Made>(table: TableFile<Row>, format: M): (Made[M] | string)[] | null {
  const { totals, columns, zone } = table
  if (!totals) return null
  const make = makers[format] as (column: Plain, value: Value, zone: () => string) => Made[M]
  const named = columns.findIndex(({ key }) => totals[key] === undefined || totals[key] === null)
  return columns.map((column, index) =>
    index === named ? 'Total' : make(column, totals[column.key], () => (typeof zone === 'string' ? zone : 'UTC')),
  )
}

/** How a workbook shows the numbers of a column. */
export function numberFormat<Row>(column: Column<Row>): string {
  const places = decimalPlaces(column)
  switch (column.kind) {
    case 'moment':
      return 'yyyy\\-mm\\-dd\\ hh:mm'
    case 'date':
      return 'yyyy\\-mm\\-dd'
    case 'duration':
      return '[h]:mm'
    case 'money':
    case 'gigabytes':
    case 'number':
      return places === undefined ? 'General' : places === 0 ? '#,##0' : `#,##0.${'0'.repeat(places)}`
    case 'text':
      return 'General'
  }
}
export const isRight = (kind: Kind) => ['number', 'money', 'gigabytes', 'duration'].includes(kind)
