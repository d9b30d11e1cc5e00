// Cells: reads what people type into a spreadsheet, by kind of value. Empty cells never get here.
import { calendarDay } from '#contract/days.ts'
import type { z } from 'zod'
import { constants } from '#contract/constants.ts'
import { messages } from '#contract/messages.ts'
import { uncalculated } from '#server/imports/spreadsheets/formulas.ts'
import { inGregorian, type Converted } from './calendars.ts'

/** A problem of a cell. Where the contract's schema rejects a value, the message is the schema's. */
export class CellProblem extends Error {
  override name = 'CellProblem'
}

const errorValue = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|ERROR)$/
const unprintable = 'Please remove the unprintable character'

/** The text as one line; a formula that failed or was never calculated is a problem. */
export function cleanCell(cell: string): string {
  const text = cell
    .toWellFormed()
    .replace(/\s*[\r\n\t]+\s*/g, ' ')
    .trim()
    // Our own files put this mark before text that a program would take for a formula.
    .replace(/^'(?=[=+@-])/, '')
  if (/\p{Cc}/u.test(text)) throw new CellProblem(unprintable)
  if (text === uncalculated)
    throw new CellProblem(
      'No program has calculated this formula yet. Open the file in a spreadsheet program and save it again.',
    )
  if (errorValue.test(text)) throw new CellProblem(`The formula in this cell gives ${text}`)
  return text
}

/** Text that the contract's schema accepts, in the schema's output form. */
export const textIn =
  (schema: z.ZodType) =>
  (text: string): string => {
    const result = schema.safeParse(text)
    if (!result.success) throw new CellProblem(result.error.issues[0]?.message ?? messages.fields.notValid)
    return String(result.data)
  }

const sentinel = String(constants.csv_sentinel)

/** As `textIn`, but -1 means no value. */
export const textOrSentinelIn = (schema: z.ZodType) => {
  const read = textIn(schema)
  return (text: string): string | null => (text === sentinel ? null : read(text))
}

/** -1 means "as chosen with the file", and so does an empty cell. */
export function idIn(text: string): number | null {
  if (text === sentinel) return null
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0) throw new CellProblem(messages.fields.integer)
  return Number(text)
}

/** As `idIn`, or a name, which the server looks up. */
export function idOrNameIn(text: string): number | string | null {
  if (text === sentinel || /^\d+$/.test(text)) return idIn(text)
  if (!/\p{L}/u.test(text) || text.length > name_length_max) throw new CellProblem(messages.fields.integer)
  return text
}
const name_length_max = 255

const truths = new Map([
  ...'true yes y 1 active enabled on expired aktiv ja actif activa activo oui sí si attivo sim ativo tak да активен'
    .split(' ')
    .map((word) => [word, true] as const),
  ...'false no n 0 inactive disabled off draft inaktiv nein inactif inactivo non inattivo não inativo nie нет'
    .split(' ')
    .map((word) => [word, false] as const),
])
export function truthIn(text: string): boolean {
  const truth = truths.get(text.toLowerCase())
  if (truth === undefined) throw new CellProblem('Please write true or false')
  return truth
}

const noSuchDate = 'There is no such date'
const date = /(\d{4})-(\d\d?)-(\d\d?)|(\d\d?)\.(\d\d?)\.(\d{4})/
const time = /(\d\d?):(\d\d)(?::(\d\d)(?:\.\d+)?)?/
const offset = /Z|[+-](?:0\d|1[0-5]):[0-5]\d/
const written = new RegExp(`^(?:${date.source})(?:[T ]${time.source}(${offset.source})?)?$`)

/**
 * 2026-12-31, 31.12.2026, either with a time; a date alone means the end of that day. `1/2/2026` is ambiguous, and refused. Years of
 * another calendar are converted.
 */
export function momentIn(text: string, converted: Converted = new Map()): string {
  const parts = written.exec(text)
  if (!parts) throw new CellProblem('Please write the date as 2026-12-31')
  const part = (index: number, other = index) => Number(parts[index] ?? parts[other] ?? 0)
  const date = inGregorian(part(1, 6), part(2, 5), part(3, 4), converted)
  if (!date) throw new CellProblem(noSuchDate)
  const [year, month, day] = date
  const hasTime = parts[7] !== undefined
  const [hour, minute, second] = hasTime ? [part(7), part(8), part(9)] : [23, 59, 59]
  const shown = calendarDay(year, month, day)
  if (shown === null || hour > 23 || minute > 59 || second > 59) throw new CellProblem(noSuchDate)
  if (year < 1900) throw new CellProblem(messages.fields.year)
  const time = [hour, minute, second].map((one) => String(one).padStart(2, '0')).join(':')
  return `${shown}T${time}${parts[10] ?? ''}`
}
