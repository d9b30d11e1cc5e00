// Cells: how what people type into a spreadsheet is read, by kind of value. What is empty never gets here.
import type { z } from 'zod'
import { constants } from '#contract/constants.ts'
import { messages } from '#contract/messages.ts'
import { uncalculated } from '#server/imports/spreadsheets/formulas.ts'

/** What is wrong with a cell. Messages of the contract's own schema come from there. */
export class CellProblem extends Error {
  override name = 'CellProblem'
}

const errorValue = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|ERROR)$/
const unprintable = 'Please remove the unprintable character'

/** One line, without what a spreadsheet program puts where a formula failed. */
export function cleanCell(cell: string): string {
  const text = cell
    .toWellFormed()
    .replace(/\s*[\r\n\t]+\s*/g, ' ')
    .trim()
    // What our own files put before a text that a program would take for a formula.
    .replace(/^'(?=[=+@-])/, '')
  if (/\p{Cc}/u.test(text)) throw new CellProblem(unprintable)
  if (text === uncalculated)
    throw new CellProblem(
      'No program has calculated this formula yet. Open the file in a spreadsheet program and save it again.',
    )
  if (errorValue.test(text)) throw new CellProblem(`The formula in this cell gives ${text}`)
  return text
}

/** A text that the contract's schema takes, as it makes it. */
export const textIn =
  (schema: z.ZodType) =>
  (text: string): string => {
    const result = schema.safeParse(text)
    if (!result.success) throw new CellProblem(result.error.issues[0]?.message ?? messages.fields.notValid)
    return String(result.data)
  }

const sentinel = String(constants.csv_sentinel)

/** As `textIn`, but -1 stands for nothing. */
export const textOrSentinelIn = (schema: z.ZodType) => {
  const read = textIn(schema)
  return (text: string): string | null => (text === sentinel ? null : read(text))
}

/** -1 is the sentinel for "as chosen beside the file"; so is an empty cell. */
export function idIn(text: string): number | null {
  if (text === sentinel) return null
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0) throw new CellProblem(messages.fields.integer)
  return Number(text)
}

/** As `idIn`; or the name of what it is about, which the server looks up. */
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

const date = /(\d{4})-(\d\d?)-(\d\d?)|(\d\d?)\.(\d\d?)\.(\d{4})/
const time = /(\d\d?):(\d\d)(?::(\d\d)(?:\.\d+)?)?/
const offset = /Z|[+-](?:0\d|1[0-5]):[0-5]\d/
const written = new RegExp(`^(?:${date.source})(?:[T ]${time.source}(${offset.source})?)?$`)

/** 2026-12-31, 31.12.2026, either with a time; a day alone is good until it ends. 12/31 and 31/12 cannot be told apart. */
export function momentIn(text: string): string {
  const parts = written.exec(text)
  if (!parts) throw new CellProblem('Please write the date as 2026-12-31')
  const part = (index: number, other = index) => Number(parts[index] ?? parts[other] ?? 0)
  const [year, month, day] = [part(1, 6), part(2, 5), part(3, 4)]
  const hasTime = parts[7] !== undefined
  const [hour, minute, second] = hasTime ? [part(7), part(8), part(9)] : [23, 59, 59]
  const moment = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  const exists =
    year >= 1000 &&
    moment.getUTCMonth() === month - 1 &&
    moment.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60
  if (!exists) throw new CellProblem('There is no such date')
  return moment.toISOString().slice(0, 19) + (parts[10] ?? '')
}
