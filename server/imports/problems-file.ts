// Problems file: what was wrong with a spreadsheet, as a spreadsheet, to be worked off beside the original.
import { sql } from 'kysely'
import type { z } from 'zod'
import type { ImportLeftOut, ImportProblem } from '#contract/imports.ts'
import type { listFormats } from '#contract/shapes.ts'
import { notFound } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { FileAnswer } from '#server/files/send.ts'
import type { Column } from '#server/tables/table.ts'
import { writeTable } from '#server/tables/write.ts'

/** `value`: the cell of a good row that was left out; null where the row was refused. `column`: null for the whole row. */
export interface FoundProblem {
  row: number
  column: string | null
  value: string | null
  message: string
}

/** Both kinds in the order of their rows. */
export const foundProblems = (
  problems: readonly z.infer<typeof ImportProblem>[],
  left_out: readonly z.infer<typeof ImportLeftOut>[] = [],
): FoundProblem[] =>
  [
    ...problems.map((problem) => ({ ...problem, value: null })),
    ...left_out.map(({ sentence, ...cell }) => ({ ...cell, message: sentence })),
  ].toSorted((one, other) => one.row - other.row)

/** As the column `imports.problems` holds them; null where there are none. */
export const storedProblems = (found: readonly FoundProblem[]) => (found.length === 0 ? null : JSON.stringify(found))

/** @throws a 404 where the import is out of reach */
export async function problemsOfImport(
  scope: Scope,
  id: number,
): Promise<{ file_name: string; found: FoundProblem[] }> {
  const [row] = await scope.run(sql<{ file_name: string; found: FoundProblem[] }>`
    select coalesce(t.file_name, t.kind) as file_name, coalesce(t.problems, '[]') as found
    from imports as t where t.id = ${id} and ${scope.inReach('imports', 't')}`)
  if (!row) throw notFound()
  return row
}

const columns: Column<FoundProblem>[] = [
  // Row 0 is the file itself.
  { key: 'row', title: 'Row', kind: 'number', value: ({ row }) => (row === 0 ? null : row) },
  { key: 'column', title: 'Column', kind: 'text', value: ({ column }) => column },
  { key: 'problem', title: 'Problem', kind: 'text', value: ({ message }) => message },
  { key: 'value', title: 'Cell left out', kind: 'text', value: ({ value }) => value },
]

/** `of`: the name of the file that was read. */
export const problemsFile = (
  format: (typeof listFormats)[number],
  of: string,
  found: readonly FoundProblem[],
): FileAnswer =>
  writeTable(format, {
    title: 'Problems',
    file_name: `${of.replace(/\.\w+$/, '')}-problems`,
    asked: [],
    columns,
    pages: [found],
    // It has no moments.
    zone: 'UTC',
  })
