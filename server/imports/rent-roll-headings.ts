// Rent roll headings: finds the columns of a room list, whose headings may be below titles, in one line or two, and in several languages.
import type { Across, Row } from '#server/imports/spreadsheets/sheet.ts'
import { bare, columnsMeant, headingWords, meaningsIn, ofNames, type Heading } from './heading-words.ts'

export type { Heading } from './heading-words.ts'

/** The heading of room numbers in Foyer's own files; elsewhere it may be a row number. */
const own = 'number'
const known = meaningsIn<Heading>({ ...headingWords, number: [...headingWords.number, own] })
const numberWords = new Set<string>(headingWords.number)

/** The columns of each heading: one, or several if it spans them; for contacts, all that may have one. */
export type Columns = ReadonlyMap<Heading, readonly number[]>

export interface Headings {
  columns: Columns
  /** Further columns of people: `Tenant 2`. */
  more: readonly number[]
  /** The one or two heading lines, in comparable form, because printed pages repeat them. */
  lines: readonly string[]
  /** Headings that are not recognised. */
  ignored: string[]
  /** The number of the last heading row. */
  row: number
}

/** The rows within which the headings must be. */
const title_rows_max = 30

/** Of the possible headings in the first rows, those that name most columns. */
export function headingsIn(first: readonly Row[]): Headings | undefined {
  const found = first.slice(0, title_rows_max).flatMap((row, index) => {
    const one = ofOne(row)
    const next = first[index + 1]
    return (next && ofTwo(row, next, one)) ?? one ?? []
  })
  const most = Math.max(...found.map(({ columns }) => columns.size))
  return found.find(({ columns }) => columns.size === most)
}

/** `Unit | Guest | Phone`. A single cell may be a title such as `Rooms`, or the only heading of a list of numbers. */
export function ofOne([row, cells, across]: Row): Headings | undefined {
  const texts = spread(cells, across)
  const at = find(texts.map((text) => [text]))
  const filled = cells.filter((cell) => bare(cell) !== '').length
  if (!hasNumber(at, texts) || (at.size < 2 && filled > 1)) return undefined
  return headings(at, row, [[cells, across ?? []]])
}

/** Whether a row has a heading for rooms; a quick test to avoid the full search. */
export const mayBeHeading = (cells: readonly string[]) =>
  cells.some((cell) => cell.length < 40 && !/\d/.test(cell) && numberWords.has(bare(cell)))

function hasNumber(at: ReadonlyMap<Heading, readonly number[]>, texts: readonly string[]): boolean {
  const [number] = at.get('number') ?? []
  if (number === undefined) return false
  return bare(texts[number] ?? '') !== own || texts.some((text) => bare(text) === 'occupancy')
}

/** `Unit | Guest | Move` above `No. | Name | In | Out`: a column is named by either line, or by both together. */
function ofTwo(above: Row, [row, cells, across]: Row, one: Headings | undefined): Headings | undefined {
  const upper = spread(above[1], above[2])
  const lower = spread(cells, across)
  const count = Math.max(upper.length, lower.length)
  let carried = ''
  const texts = Array.from({ length: count }, (_, index) => {
    const below = lower[index] ?? ''
    carried = upper[index] || carried
    return below === '' ? [] : [`${carried} ${below}`, below]
  })
  const named = find(texts)
  const alone = find(upper.map((text, index) => [lower[index] ? '' : text]))
  const at = new Map([...alone, ...named])
  const [number] = at.get('number') ?? []
  if (named.size === 0 || number === undefined) return undefined
  // Below the heading of rooms there is more of the heading, or nothing: a number there would be the first room.
  const below = lower[number] ?? ''
  const isHeading = below === '' || (!/\d/.test(below) && named.get('number')?.[0] === number)
  const enough = at.size >= (one?.columns.size ?? 0) && at.size > (ofOne([row, cells, across])?.columns.size ?? 0)
  if (!isHeading || !enough) return undefined
  return headings(at, row, [
    [above[1], above[2] ?? []],
    [cells, across ?? []],
  ])
}

/** The columns of each heading, the best first; `texts` are the possible headings of each column. */
const find = (texts: readonly (readonly string[])[]): Map<Heading, number[]> =>
  ofNames(columnsMeant(known, texts), 'name', 'last_name', 'first_name')

/** For these kinds, a value that is missing in the best column may be in the next. */
const several: ReadonlySet<Heading> = new Set<Heading>(['email', 'mobile_number'])

type HeadingLine = [cells: readonly string[], across: readonly Across[]]

function headings(at: ReadonlyMap<Heading, readonly number[]>, row: number, lines: HeadingLine[]): Headings {
  const titleOf = (column: number) =>
    lines
      .map(([cells]) => cells[column]?.trim() ?? '')
      .join(' ')
      .trim()
  const [name] = at.get('name') ?? []
  const numbered = (column: number) => bare(titleOf(column)).replace(/\d+$/, '')
  // `Tenant 1`, `Tenant 2`: one person per column.
  const more = (at.get('name') ?? []).filter(
    (column) => name !== undefined && column !== name && numbered(column) === numbered(name),
  )
  const columns = new Map(
    [...at].map(([kind, found]) => {
      const used = several.has(kind) ? found : found.slice(0, 1)
      return [kind, used.flatMap((column) => reachOf(column, lines))] as const
    }),
  )
  const taken = new Set([...columns.values(), more].flat())
  const count = Math.max(...lines.map(([cells]) => cells.length))
  const titles = Array.from({ length: count }, (_, column) => (taken.has(column) ? '' : titleOf(column)))
  return {
    columns,
    more,
    lines: lines.map(([cells]) => comparable(cells)),
    ignored: titles.filter((title) => title !== ''),
    row,
  }
}

/** The columns that a merged heading spans: the cells below it may be in any of them. */
function reachOf(column: number, lines: readonly HeadingLine[]): number[] {
  const line = lines.findLast(([cells, across]) => (spread(cells, across)[column] ?? '').trim() !== '')
  const [from, to] = line?.[1].find(([first, last]) => first <= column && column <= last) ?? [column, column]
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** Repeats the text of a merged cell in each column that it spans. */
function spread(cells: readonly string[], across: readonly Across[] = []): string[] {
  const texts = Array.from(cells, (cell) => cell)
  for (const [from, to] of across) for (let at = from + 1; at <= to; at++) texts[at] = cells[from] ?? ''
  return Array.from(texts, (text) => text ?? '')
}

export const comparable = (cells: readonly string[]) => cells.map(bare).join('|').replace(/\|+$/, '')
