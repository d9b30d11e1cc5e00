// Statements: repeated ones get a name, so that PostgreSQL parses and plans them once for each connection.
//
// A list's page costs more to plan than to read. Statements sent once or twice get no name, and neither do new ones when there
// are many names already: each takes memory on every connection.
import type { QueryConfig } from 'pg'
import { isPooled } from '#server/start/database-address.ts'

const times_until_named = 3
const names_max = 400
const counted_max = 2000

const seen = new Map<string, number>()
const names = new Map<string, string>()

/** Makes the statements of a database. A pooler gives each transaction another connection, which does not know their names. */
export const statementsOf = (url: string): ((text: string, values: readonly unknown[]) => QueryConfig) =>
  isPooled(url) ? (text, values) => ({ text, values: [...values] }) : statement

function statement(text: string, values: readonly unknown[]): QueryConfig {
  const name = names.get(text) ?? nameFor(text)
  return name === undefined ? { text, values: [...values] } : { name, text, values: [...values] }
}

function nameFor(text: string): string | undefined {
  if (names.size >= names_max) return undefined
  const times = (seen.get(text) ?? 0) + 1
  if (times < times_until_named) {
    if (seen.size >= counted_max) seen.clear()
    seen.set(text, times)
    return undefined
  }
  seen.delete(text)
  const name = `foyer_${names.size + 1}`
  names.set(text, name)
  return name
}
