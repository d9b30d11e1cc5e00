// Formulas: names of records never become formulas in an exported file opened by LibreOffice (Debian: apt-get install
// libreoffice-calc). For what a library reads see server/vouchers/export.test.ts.
import { execFile, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { utils, write } from '@e965/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as packages from '#contract/packages.ts'
import * as batches from '#contract/voucher-batches.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'
import { full } from './proof.ts'

/** LibreOffice takes some seconds to start, so it is used only in the full proof. */
const installed = full && spawnSync('soffice', ['--version']).status === 0

/** What a spreadsheet program may take for the beginning of a formula: 40, of which twelve begin with invisible characters. */
const seen = `= + - @ ＝ ＋ － ＠ − ﹦ =- =+ == += -= @= +- -+ '= "= ""= ,= ;= |= \`= {= %0A= \\t=`.split(' ')
const spaces = [' ', '\t', '\r', '\n', '\r\n', '\v', '\f', '\u00A0', '\u2028', '\u3000', '\u200B', '\uFEFF']
const unseen = spaces.map((space) => `${space}=`)
const beginnings = [...seen, ...unseen]
const formats = ['csv', 'xlsx'] as const

let foyer: TestFoyer
let folder: string
beforeAll(async () => {
  if (!installed) return
  foyer = await openFoyer()
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-formulas-'))
})
afterAll(async () => {
  if (!installed) return
  await foyer.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** The files as opened by LibreOffice: one document each, in which formulas are marked as such. */
async function opened(names: string[]): Promise<Map<string, string>> {
  const out = path.join(folder, 'opened')
  const profile = pathToFileURL(path.join(folder, 'profile')).href
  const args = ['--headless', `-env:UserInstallation=${profile}`, '--convert-to', 'fods', '--outdir', out]
  // With the same name, csv and xlsx would become one document.
  await promisify(execFile)('soffice', [...args, ...names.map((name) => path.join(folder, name))], {
    timeout: 1_200_000,
  })
  return new Map(names.map((name) => [name, fs.readFileSync(path.join(out, `${path.parse(name).name}.fods`), 'utf8')]))
}
const formulasIn = (document: string) =>
  [...document.matchAll(/table:formula="([^"]*)"/g)].map(([, formula]) => formula)

test.skipIf(!installed)(
  'a sheet opened by LibreOffice has no formula, whatever its records are called',
  { timeout: 1_800_000 },
  async ({ task }) => {
    const editor = await foyer.customer()
    const files = new Map<string, Buffer>()
    let [named, refused] = [0, 0]
    for (const [number, beginning] of beginnings.entries()) {
      const name = `${beginning}1+1`
      const made = await foyer.ask(packages.create, { name }, editor)
      if (made.status !== 201) {
        refused++
        continue
      }
      named++
      const property = await foyer.property(editor, { name })
      await foyer.account(editor, { name, property_id: property.id })
      const { id } = await foyer.voucherBatch(editor, {
        quantity: 2,
        property_id: property.id,
        package_id: made.body.data.id,
      })
      for (const format of formats)
        files.set(
          `codes-${number}-${format}.${format}`,
          (await foyer.file(batches.exportCodes, { id, format }, editor)).bytes,
        )
    }
    for (const format of formats)
      for (const [of, { exportList }] of Object.entries({ accounts, packages, batches }))
        files.set(`${of}-${format}.${format}`, (await foyer.file(exportList, { format }, editor)).bytes)
    // Proves that a formula would be noticed.
    const hostile = utils.book_new(utils.aoa_to_sheet([['Name'], [{ t: 'n', f: '1+1' }]]))
    files.set('hostile-xlsx.xlsx', write(hostile, { type: 'buffer', bookType: 'xlsx' }) as Buffer)
    files.set('hostile-csv.csv', Buffer.from('Name\n=1+1\n'))

    for (const [name, bytes] of files) fs.writeFileSync(path.join(folder, name), bytes)
    const documents = await opened([...files.keys()])
    const found = [...documents].flatMap(([name, document]) =>
      formulasIn(document).map((formula) => `${name}: ${formula}`),
    )
    expect(found.toSorted()).toEqual([expect.stringMatching(/^hostile-csv/), expect.stringMatching(/^hostile-xlsx/)])
    // Proves that the names are in the files.
    const names = [...documents.values()].join('\n').split('1+1').length - 1
    expect(names).toBeGreaterThan(named * formats.length)
    task.meta.figures =
      `${named} beginnings in ${files.size - 2} files of csv and xlsx, 0 formulas; ${refused} refused as names; ` +
      'both files with a formula were noticed'
  },
)
