// Rent roll headings: where the columns of a room list stand, under titles, in one line or two, in several languages.
import type { Across, Row } from '#server/imports/spreadsheets/sheet.ts'
import { bare, columnsMeant, headingWords, meaningsIn, ofNames, type Heading } from './heading-words.ts'

export type { Heading } from './heading-words.ts'

/** What Foyer's own file of rooms calls them: elsewhere it may be the number of a row. */
const own = 'number'
const known = meaningsIn<Heading>({ ...headingWords, number: [...headingWords.number, own] })
const numberWords = new Set<string>(headingWords.number)

/** Where each heading stands: in one column, or in several that it reaches over; of contacts, in all that may hold one. */
export type Columns = ReadonlyMap<Heading, readonly number[]>

export interface Headings {
  columns: Columns
  /** Further columns of people: `Tenant 2`. */
  more: readonly number[]
  /** What stands in the one line or the two, as compared: printed pages repeat them. */
  lines: readonly string[]
  /** The headings that mean nothing here. */
  ignored: string[]
  /** The number of the last row that they take. */
  row: number
}

/** How far down the headings may stand. */
const title_rows_max = 30

/** The headings that say most, of all that stand at the start of the rows. */
export function headingsIn(first: readonly Row[]): Headings | undefined {
  const found = first.slice(0, title_rows_max).flatMap((row, index) => {
    const one = ofOne(row)
    const next = first[index + 1]
    return (next && ofTwo(row, next, one)) ?? one ?? []
  })
  const most = Math.max(...found.map(({ columns }) => columns.size))
  return found.find(({ columns }) => columns.size === most)
}

/** `Unit | Guest | Phone`. A title such as `Rooms` stands alone; so does the only heading of a list of numbers. */
export function ofOne([row, cells, across]: Row): Headings | undefined {
  const texts = spread(cells, across)
  const at = find(texts.map((text) => [text]))
  const filled = cells.filter((cell) => bare(cell) !== '').length
  if (!hasNumber(at, texts) || (at.size < 2 && filled > 1)) return undefined
  return headings(at, row, [[cells, across ?? []]])
}

/** Whether a cell of a row is what rooms are called, to look no further where none is. */
export const mayBeHeading = (cells: readonly string[]) =>
  cells.some((cell) => cell.length < 40 && !/\d/.test(cell) && numberWords.has(bare(cell)))

function hasNumber(at: ReadonlyMap<Heading, readonly number[]>, texts: readonly string[]): boolean {
  const [number] = at.get('number') ?? []
  if (number === undefined) return false
  return bare(texts[number] ?? '') !== own || texts.some((text) => bare(text) === 'occupancy')
}

/** `Unit | Guest | Move` above `No. | Name | In | Out`: either line, or what both say together, names a column. */
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
  const said = find(texts)
  const alone = find(upper.map((text, index) => [lower[index] ? '' : text]))
  const at = new Map([...alone, ...said])
  const [number] = at.get('number') ?? []
  if (said.size === 0 || number === undefined) return undefined
  // Below the heading of the rooms stands more of it, or nothing: a number there makes it the first room.
  const below = lower[number] ?? ''
  const isHeading = below === '' || (!/\d/.test(below) && said.get('number')?.[0] === number)
  const enough = at.size >= (one?.columns.size ?? 0) && at.size > (ofOne([row, cells, across])?.columns.size ?? 0)
  if (!isHeading || !enough) return undefined
  return headings(at, row, [
    [above[1], above[2] ?? []],
    [cells, across ?? []],
  ])
}

/** The columns of each heading, the best first; `texts` are what each column may be called. */
const find = (texts: readonly (readonly string[])[]): Map<Heading, number[]> =>
  ofNames(columnsMeant(known, texts), 'name', 'last_name', 'first_name')

/** Of these kinds, what the best column lacks may stand in the next. */
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
  // `Tenant 1`, `Tenant 2`: as many people as there are columns.
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

/** The columns that a merged heading reaches over: programs put the cells below it where they like. */
function reachOf(column: number, lines: readonly HeadingLine[]): number[] {
  const line = lines.findLast(([cells, across]) => (spread(cells, across)[column] ?? '').trim() !== '')
  const [from, to] = line?.[1].find(([first, last]) => first <= column && column <= last) ?? [column, column]
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** The text of a merged cell in each column that it reaches over. */
function spread(cells: readonly string[], across: readonly Across[] = []): string[] {
  const texts = Array.from(cells, (cell) => cell)
  for (const [from, to] of across) for (let at = from + 1; at <= to; at++) texts[at] = cells[from] ?? ''
  return Array.from(texts, (text) => text ?? '')
}

export const comparable = (cells: readonly string[]) => cells.map(bare).join('|').replace(/\|+$/, '')
