// The first command: `npm start` runs when nothing is installed, so whatever it imports comes with Node or with this repository.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')
const static_import = /^(?:import|export)\s(?:[^'"]*?\sfrom\s+)?'([^']+)'/gm

/** Imports of a file and of those that it imports, each with the file that has it. */
function importsFrom(file: string, seen = new Map<string, string>()): Map<string, string> {
  for (const [, specifier = ''] of fs.readFileSync(path.join(root, file), 'utf8').matchAll(static_import)) {
    const target = specifier.startsWith('#')
      ? specifier.slice(1)
      : specifier.startsWith('.')
        ? path.posix.join(path.posix.dirname(file), specifier)
        : specifier
    if (seen.has(target)) continue
    seen.set(target, file)
    if (/^[#.]/.test(specifier)) importsFrom(target, seen)
  }
  return seen
}

test('commands import nothing that has to be installed first', () => {
  const imports = importsFrom('scripts/run.mjs')
  expect([...imports.keys()]).toContain('scripts/mutations/changes.mjs')
  const foreign = [...imports].filter(([target]) => !/^(node:|scripts\/)/.test(target))
  expect(foreign).toEqual([])
})
