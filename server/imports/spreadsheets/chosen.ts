// Chosen: the one sheet of a file that is read. People put covers, sums and lists of words beside the list that they mean.
import { limits, UnreadableFile } from './limits.ts'
import type { Likeness, Row, Sheet } from './sheet.ts'
import { listed, quoted } from './words.ts'

/** By so many rows one sees what a sheet is. */
const looked_at = 40

export interface Chosen {
  sheet: Sheet
  notes: string[]
  /** The sheets of which a person may take any, by name; none where there is nothing to choose. */
  offered: string[]
}

/**
 * The sheet with most columns of the list; where another has more than half as many, a person has to say which is meant.
 * `wanted` is what they said.
 */
export function chosen(sheets: readonly Sheet[], likeness: Likeness, wanted: string | null): Chosen {
  const filled = sheets.map((sheet) => ({ sheet, first: firstOf(sheet) })).filter(({ first }) => first.length > 0)
  const shown = filled.filter(({ sheet }) => !sheet.hidden)
  const [alone] = filled.length === 0 ? sheets : []
  if (alone && wanted === null) return { sheet: alone, notes: [], offered: [] }
  const likely = shown
    .map(({ sheet, first }) => ({ sheet, found: likeness(first) }))
    .toSorted((one, other) => other.found - one.found)
  const [best] = likely
  if (!best) throw wanted === null ? new UnreadableFile('allHidden') : new UnreadableFile('noSuchSheet', [wanted])
  const equal = likely.filter(({ found }) => found > best.found / 2)
  const inOrder = shown.filter(({ sheet }) => equal.some((one) => one.sheet === sheet))
  const names = [...new Set(inOrder.map(({ sheet }) => nameOf(sheet)))]
  const offered = equal.length > 1 ? names.slice(0, limits.sheets_offered_max) : []
  if (wanted === null && offered.length > 0) throw new UnreadableFile('severalSheets', offered)
  const sheet = wanted === null ? best.sheet : shown.find((one) => nameOf(one.sheet) === wanted)?.sheet
  if (!sheet) throw new UnreadableFile('noSuchSheet', [wanted ?? ''])
  return { sheet, notes: notesOf(sheet, filled), offered }
}

function firstOf(sheet: Sheet): Row[] {
  const rows: Row[] = []
  for (const row of sheet.rows()) {
    if (row[1].some((cell) => cell.trim() !== '')) rows.push(row)
    if (rows.length === looked_at) break
  }
  return rows
}

function notesOf(read: Sheet, filled: { sheet: Sheet }[]): string[] {
  const others = filled.filter(({ sheet }) => sheet !== read)
  if (others.length === 0) return []
  const names = others
    .slice(0, limits.sheets_named_max)
    .map(({ sheet }) => quoted([nameOf(sheet)]) + (sheet.hidden ? ' (hidden)' : ''))
  if (others.length > names.length) names.push('others')
  return [`Only ${quoted([nameOf(read)])} was read, not ${listed(names)}.`]
}

const nameOf = ({ name }: Sheet) => (name ?? '').slice(0, limits.sheet_name_max)
