// Chosen: the one sheet of a file that is read. People put covers, sums and lists of words beside the list that they mean.
import { limits, UnreadableFile } from './limits.ts'
import type { Likeness, Row, Sheet } from './sheet.ts'
import { listed, quoted } from './words.ts'

/** By so many rows one sees what a sheet is. */
const looked_at = 40

/** The sheet with most columns of the list; where another has more than half as many, a person has to say which is meant. */
export function chosen(sheets: readonly Sheet[], likeness: Likeness): { sheet: Sheet; notes: string[] } {
  const filled = sheets.map((sheet) => ({ sheet, first: firstOf(sheet) })).filter(({ first }) => first.length > 0)
  const shown = filled.filter(({ sheet }) => !sheet.hidden)
  const [alone] = filled.length === 0 ? sheets : []
  if (alone) return { sheet: alone, notes: [] }
  const likely = shown
    .map(({ sheet, first }) => ({ sheet, found: likeness(first) }))
    .toSorted((one, other) => other.found - one.found)
  const [best] = likely
  if (!best) throw new UnreadableFile('allHidden')
  const equal = likely.filter(({ found }) => found > best.found / 2)
  if (equal.length > 1) {
    const names = shown.flatMap(({ sheet }) => (equal.some((one) => one.sheet === sheet) ? [nameOf(sheet)] : []))
    throw new UnreadableFile('severalSheets', names.slice(0, limits.sheets_named_max))
  }
  return { sheet: best.sheet, notes: notesOf(best.sheet, filled) }
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
