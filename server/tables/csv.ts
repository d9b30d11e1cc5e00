// csv: UTF-8 with a byte order mark, so that Excel reads it correctly, and no cell that a spreadsheet program takes for a formula.
// Values are exact, and the same in every language.
import { addDays, day_ms } from '#contract/days.ts'
import { Readable } from 'node:stream'
import { clockOf } from '#server/time/wall-clock.ts'
import { digitsOf, cellInstant, isDay, durationText, cellNumber, two, asText, zoneOf } from './cells.ts'
import { chunk_chars, type Column, type Kind, type TableFile, type Value } from './table.ts'

/** What begins a formula in some program (OWASP, CSV injection), also as full-width characters. */
const begins_formula = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/
const wants_quotes = /[",;\t\r\n']|^\s|\s$/
/** Most typed text is neither, which takes one test to find out. */
const harmless = /^[\p{L}\p{N}](?:[^",;\t\r\n']*[^",;'\s])?$/u

/** Typed text, in a form that spreadsheet programs do not interpret. */
function field(typed: string): string {
  if (harmless.test(typed)) return typed
  const text = begins_formula.test(typed) ? `'${typed}` : typed
  return wants_quotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A value that is not of its column's kind is written as text. */
const writers: Record<Exclude<Kind, 'moment'>, (value: NonNullable<Value>) => string> = {
  text: (value) => field(asText(value)),
  number: digits,
  money: digits,
  gigabytes: digits,
  duration(value) {
    const seconds = cellNumber(value)
    return seconds === null ? field(asText(value)) : durationText(seconds, true)
  },
  date: (value) => (isDay(value) ? value : field(asText(value))),
}
function digits(value: NonNullable<Value>): string {
  return digitsOf(value) ?? field(asText(value))
}

/** `2026-10-25T01:30:00+01:00`. Rows are mostly in order of time, so the text of the day is reused. */
function momentWriter() {
  let written = { day: Number.NaN, text: '' }
  return (value: NonNullable<Value>, zone: string) => {
    const ms = cellInstant(value)
    if (ms === null) return field(asText(value))
    const { shown_ms, offset_minutes } = clockOf(zone)(ms)
    const day = Math.floor(shown_ms / day_ms)
    if (day !== written.day) written = { day, text: addDays('1970-01-01', day) }
    const seconds = Math.floor((shown_ms - day * day_ms) / 1000)
    const minutes = Math.floor(seconds / 60)
    const ahead = Math.abs(offset_minutes)
    const time = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}`
    return `${written.text}T${time}${offset_minutes < 0 ? '-' : '+'}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`
  }
}

function cellWriter<Row>(column: Column<Row>, table: TableFile<Row>): (row: Row) => string {
  const written = <V extends Value>(value: V, write: (given: NonNullable<V>) => string) =>
    value === null || value === undefined ? '' : write(value)
  if (column.kind === 'moment') {
    const write = momentWriter()
    return (row) => written(column.value(row), (moment) => write(moment, zoneOf(table, row)))
  }
  const write = writers[column.kind]
  return (row) => written(column.value(row), write)
}

export const writeCsv = <Row>(table: TableFile<Row>): Readable => Readable.from(chunks(table))

async function* chunks<Row>(table: TableFile<Row>) {
  const cells = table.columns.map((column) => cellWriter(column, table))
  let text = `\uFEFF${table.columns.map(({ title }) => field(title)).join(',')}\r\n`
  for await (const page of table.pages)
    for (const row of page) {
      let isFirst = true
      for (const cell of cells) {
        text += isFirst ? cell(row) : `,${cell(row)}`
        isFirst = false
      }
      text += '\r\n'
      if (text.length < chunk_chars) continue
      yield text
      text = ''
    }
  yield text
}
