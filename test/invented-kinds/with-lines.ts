// With lines: a module of the contract with some lines more, as whoever adds a field writes them. Everything that imports it gets it so.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const root = path.join(import.meta.dirname, '../..')

/** @param lines what stands after the first place at which each key does */
export async function withLines(file: string, lines: Readonly<Record<string, string>>): Promise<object> {
  let text = fs.readFileSync(path.join(root, file), 'utf8')
  for (const [place, more] of Object.entries(lines)) {
    if (!text.includes(place)) throw new Error(`${file} has no ${place}`)
    text = text.replace(place, place + more)
  }
  const beside = path.dirname(path.join(root, file))
  const written = text
    .replaceAll(/from '\.\/(.+?)'/g, (_, name: string) => `from '${path.join(beside, name)}'`)
    .replaceAll("from 'zod'", `from '${import.meta.resolve('zod')}'`)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'with-lines-'))
  const copy = path.join(folder, path.basename(file))
  fs.writeFileSync(copy, written)
  return (await import(pathToFileURL(copy).href)) as object
}
