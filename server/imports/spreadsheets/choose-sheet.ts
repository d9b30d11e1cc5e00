// Choose sheet: chooses the one sheet of a file that is read. Workbooks also have cover sheets, totals and look-up lists.
import { spreadsheetLimits, UnreadableFile } from './limits.ts'
import type { Likeness, Row, Sheet } from './sheet.ts'
import { listed, quoted } from './words.ts'

/** The number of rows by which sheets are judged. */
const looked_at = 40

export interface ChosenSheet {
  sheet: Sheet
  notes: string[]
  /** The names of the sheets that the user can choose from; empty if there is no choice. */
  offered: string[]
}

/**
 * The sheet with most columns of the list; if another one has more than half as many, the user has to choose. `wanted` is their
 * choice.
 */
export function chooseSheet(sheets: readonly Sheet[], likeness: Likeness, wanted: string | null): ChosenSheet {
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
  const offered = equal.length > 1 ? names.slice(0, spreadsheetLimits.sheets_offered_max) : []
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
    .slice(0, spreadsheetLimits.sheets_named_max)
    .map(({ sheet }) => quoted([nameOf(sheet)]) + (sheet.hidden ? ' (hidden)' : ''))
  if (others.length > names.length) names.push('others')
  return [`Only ${quoted([nameOf(read)])} was read, not ${listed(names)}.`]
}

const nameOf = ({ name }: Sheet) => (name ?? '').slice(0, spreadsheetLimits.sheet_name_max)
