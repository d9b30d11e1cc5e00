// Problems file: what is wrong with a spreadsheet, as a spreadsheet, to be worked off beside the original.
import type { z } from 'zod'
import type { ImportProblem } from '#contract/imports.ts'

type Problem = z.output<typeof ImportProblem>

/** Quoted; what a spreadsheet would take for a formula becomes text (the messages may quote a cell). */
const cell = (value: string | number | null): string => {
  const text = String(value ?? '')
  return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}

/** With a byte order mark: without it, spreadsheets read UTF-8 as something else. */
export function problemsFile(problems: readonly Problem[], of: string): File {
  const lines = [['Row', 'Column', 'Problem'], ...problems.map(({ row, column, message }) => [row, column, message])]
  const text = lines.map((line) => line.map(cell).join(',')).join('\r\n')
  return new File([`\uFEFF${text}\r\n`], `${of.replace(/\.\w+$/, '')} - problems.csv`, { type: 'text/csv' })
}
