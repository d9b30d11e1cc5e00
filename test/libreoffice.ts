// LibreOffice: a reader of exported files (Debian: apt-get install libreoffice-calc), for tests that are skipped if it is
// not installed.
import { execFile, spawnSync } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'

export const hasLibreOffice = spawnSync('soffice', ['--version']).status === 0

/** Comma-separated, quoted where needed, UTF-8, values instead of their display, every sheet. */
const csv_of_every_sheet = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1'

interface Opening {
  /** How to read its columns, if the file does not specify that itself. */
  filter?: string
}

/** The lines of every sheet of each file, as LibreOffice reads them, by file name and sheet name. */
export async function readByLibreOffice(
  files: Readonly<Record<string, Buffer>>,
  { filter }: Opening = {},
): Promise<Map<string, Map<string, string[][]>>> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'foyer-office-'))
  try {
    const names = Object.keys(files)
    // Files that differ only in their extension would be converted into the same file.
    const given = names.map((name, number) => `f${number}${path.extname(name)}`)
    for (const [number, name] of names.entries())
      await fs.writeFile(path.join(folder, given[number] ?? ''), files[name] ?? '')
    const profile = `-env:UserInstallation=${pathToFileURL(path.join(folder, 'profile')).href}`
    const options = ['--headless', ...(filter ? [`--infilter=${filter}`] : []), '--convert-to', csv_of_every_sheet]
    await promisify(execFile)('soffice', [profile, ...options, '--outdir', 'read', ...given], { cwd: folder })
    const read = await fs.readdir(path.join(folder, 'read'))
    const sheetsOf = async (number: number) => {
      const own = new RegExp(`^f${number}-(.+)\\.csv$`)
      const sheets = read.flatMap((name) => {
        const sheet = own.exec(name)?.[1]
        return sheet === undefined ? [] : [{ name, sheet }]
      })
      return new Map(
        await Promise.all(
          sheets.map(async ({ name, sheet }) => {
            const text = await fs.readFile(path.join(folder, 'read', name))
            const lines: string[][] = parse(text, { relax_column_count: true })
            return [sheet, lines] as const
          }),
        ),
      )
    }
    return new Map(await Promise.all(names.map(async (name, number) => [name, await sheetsOf(number)] as const)))
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}
