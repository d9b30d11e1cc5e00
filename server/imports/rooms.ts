// Room import: the rooms of a property and their present residents, one record per room, however many rows it has.
import { number } from '#contract/rooms.ts'
import { UnreadableFile } from '#server/imports/spreadsheets/limits.ts'
import type { Check } from '#server/imports/spreadsheets/sheet.ts'
import { reference, text, type ImportDefinition } from './definition.ts'
import { LeftOuts, Problems } from './problems.ts'
import { preview_rows_max, type Checked, type ReaderOptions } from './records.ts'
import { readRentRoll } from './rent-roll.ts'

export { likeness } from './rent-roll.ts'

export const roomImport: ImportDefinition = {
  kind: 'rooms',
  table: 'rooms',
  checker: import.meta.url,
  // The headings are found by the rent roll, which combines rows; this is only how each column is stored.
  columns: {
    number: text(number, []),
    package_id: reference('packages', []),
    guests: { type: 'people', headings: [], read: () => null, apart: true },
  },
  key: { columns: ['number'], unique: true },
  withoutKey: 'noRoom',
}

export const check: Check<ReaderOptions> = (rows, { property_id, today, leases, lets_by_lease, ahead, day_order }) => {
  if (property_id === null) throw new UnreadableFile('noRoom')
  const problems = new Problems()
  const leftOuts = new LeftOuts()
  const roll = readRentRoll(rows, { today, leases, lets_by_lease, ahead, day_order, problems, leftOuts })
  const records = roll.rooms.map(({ row, number, guests, doubtful }) => ({
    row,
    number,
    guests,
    property_id,
    package_id: null,
    // A row of this room could not be read, so its present guests are kept.
    ...(doubtful && { left_out: 'guests' }),
  }))
  const rest: Checked = {
    rows: roll.rows,
    duplicates: roll.duplicates,
    columns: ['number'],
    ignored: roll.ignored,
    first: records.slice(0, preview_rows_max).map((record) => ({ record, repeated: false })),
    problems: problems.list,
    problem_rows: problems.row_count,
    ...leftOuts.besides(problems),
    unplaced_rows: roll.unplaced_rows,
    notes: roll.notes,
  }
  return { records, rest }
}
