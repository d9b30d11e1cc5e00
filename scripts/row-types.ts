// Row types: compares the rows of SQL that are typed by hand with the columns that they name, by reading the sources: a column that is
// selected as it is must have the type that the migrations gave it (server/db/tables.ts). What is computed, cast or renamed is passed over,
// and so is what a condition (`is not null`, `= any`) narrows.
import fs from 'node:fs'

type Columns = Map<string, string>
type Tables = Map<string, Columns>

/** Per table its columns' types, as they are written. */
export function tablesIn(source: string): Tables {
  const shapes = new Map(
    [...source.matchAll(/export interface (\w+) \{\n([\s\S]*?)\n\}/g)].map(([, name = '', body = '']) => [
      name,
      new Map([...withoutComments(body).matchAll(/^\s+(\w+): (.+)$/gm)].map(([, key = '', type = '']) => [key, type])),
    ]),
  )
  const all = shapes.get('DB') ?? new Map<string, string>()
  return new Map(
    [...all].flatMap(([table, shape]) => (shapes.has(shape) ? [[table, shapes.get(shape) ?? new Map()]] : [])),
  )
}

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\//g, '')

interface Type {
  of: string
  isNullable: boolean
}
const known: Record<string, string> = { Numeric: 'number' }
function typeOf(written: string): Type {
  const [, inner = written] = /^Generated<(.+)>$/.exec(written) ?? []
  const parts = inner.split('|').map((part) => part.trim())
  const of = parts.filter((part) => part !== 'null').map((part) => known[part] ?? part)
  return { of: of.toSorted().join(' | '), isNullable: parts.includes('null') }
}

/** Parts between separators that stand in no bracket; in SQL `<` is none. */
function partsOf(text: string, separators: RegExp, brackets = '{([})]'): string[] {
  const parts = ['']
  let depth = 0
  const half = brackets.length / 2
  for (const sign of text) {
    const at = brackets.indexOf(sign)
    if (at >= 0) depth += at < half ? 1 : -1
    if (depth === 0 && separators.test(sign)) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts.map((part) => part.trim()).filter(Boolean)
}

/** From an opening sign to the one that closes it. */
function enclosed(text: string, from: number, [opens, closes]: readonly [string, string]): string {
  let depth = 1
  let at = from
  for (; at < text.length && depth > 0; at++) {
    if (text[at] === opens) depth++
    else if (text[at] === closes) depth--
  }
  return text.slice(from, at - 1)
}

/** A statement in backquotes: what is put in does not end it. */
function statementAt(text: string, from: number): string {
  let at = from
  while (at < text.length && text[at] !== '`') {
    if (text[at] === '\\') at++
    else if (text.startsWith('${', at)) at += 2 + enclosed(text, at + 2, ['{', '}']).length
    at++
  }
  return text.slice(from, at)
}

/** The columns that are answered as they are, with the alias they are named by. */
function columnsIn(statement: string): Map<string, string> {
  const [, returned] = /\breturning\b([\s\S]*)$/.exec(statement) ?? []
  const [, selected = ''] = /^\s*select\s+(?:distinct\s+)?([\s\S]*)$/.exec(statement) ?? []
  const listed = returned ?? partsOf(selected.replaceAll(/\bfrom\b/g, '\u0000'), /\0/)[0] ?? ''
  return new Map(
    partsOf(listed, /,/).flatMap((item): [string, string][] => {
      const [, alias = '', column] = /^(?:(\w+)\.)?(\w+)$/.exec(item) ?? []
      return column === undefined ? [] : [[column, alias]]
    }),
  )
}

/** By alias, and by name where a table has none. What is joined from the left may be absent, whatever its columns say. */
function namedIn(statement: string, tables: Tables): Map<string, string> {
  const found = statement.matchAll(/\b(?:from|join|update|into)\s+(\w+)(?:\s+as\s+(\w+))?/g)
  return new Map([...found].flatMap(([, table = '', alias]) => (tables.has(table) ? [[alias ?? table, table]] : [])))
}

interface Differing {
  line: number
  column: string
  written: string
  has: string
}

/** That of an interface of the same file. */
function shapeNamed(name: string, source: string): string {
  const { index, 0: opening = '' } = new RegExp(`(?:interface ${name} |type ${name} = )\\{`).exec(source) ?? {}
  return index === undefined ? '' : enclosed(source, index + opening.length, ['{', '}'])
}

export function differingIn(source: string, tables: Tables): { compared: number; differing: Differing[] } {
  const differing: Differing[] = []
  let compared = 0
  for (const { index, 0: opening } of source.matchAll(/sql<(?=\{|\w+>)/g)) {
    const from = index + opening.length
    const type = enclosed(source, from, ['<', '>'])
    if (!source.startsWith('>`', from + type.length)) continue
    const shape = type.startsWith('{') ? type.slice(1, -1) : shapeNamed(type, source)
    const statement = statementAt(source, from + type.length + '>`'.length)
    const [columns, named] = [columnsIn(statement), namedIn(statement, tables)]
    for (const property of partsOf(withoutComments(shape), /[;\n,]/, '{([<})]>')) {
      const [, column = '', written = ''] = /^(\w+)\??: ([\s\S]+)$/.exec(property) ?? []
      const alias = columns.get(column)
      if (alias === undefined) continue
      const table = alias === '' && named.size === 1 ? [...named.values()][0] : named.get(alias)
      const has = tables.get(table ?? '')?.get(column)
      if (has === undefined) continue
      compared++
      if (
        differs(typeOf(written), typeOf(has), () =>
          new RegExp(`\\b${column}\\s+(?:is not null|= any\\()`).test(statement),
        )
      )
        differing.push({ line: source.slice(0, index).split('\n').length, column, written, has })
    }
  }
  return { compared, differing }
}

/** A name, or words, in place of a text says more than the column does; of JSON only the code knows what it holds. */
const isNarrower = (written: string, has: string) =>
  (has === 'string' && /^['A-Z(]/.test(written)) || has.startsWith('Json')
const differs = (written: Type, has: Type, isNarrowed: () => boolean) =>
  (written.of !== has.of && !isNarrower(written.of, has.of)) || (has.isNullable && !written.isNullable && !isNarrowed())

/** Of all sources below a folder, one line each. */
export function differingRows(folder: string): { compared: number; lines: string[] } {
  const tables = tablesIn(fs.readFileSync('server/db/tables.ts', 'utf8'))
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.ts$/.test(name))
  const found = files.map((name) => ({ name, ...differingIn(fs.readFileSync(`${folder}/${name}`, 'utf8'), tables) }))
  return {
    compared: found.reduce((sum, one) => sum + one.compared, 0),
    lines: found.flatMap(({ name, differing }) =>
      differing.map(
        ({ line, column, written, has }) => `${folder}/${name}:${line}  ${column} is ${has}, and written as ${written}`,
      ),
    ),
  }
}
