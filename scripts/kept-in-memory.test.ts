// Kept in memory: the page of what a node keeps in memory names every file of the server that keeps something.
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { exempt, keptIn } from '#scripts/kept-in-memory.ts'

const page = fs.readFileSync('docs/memory.md', 'utf8')
const keeping = fs
  .readdirSync('server', { recursive: true, encoding: 'utf8' })
  .map((name) => `server/${name}`)
  .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|\/simulation\.ts$/.test(name))
  .filter((name) => keptIn(fs.readFileSync(name, 'utf8')).length > 0)
const isExempt = (file: string) => Object.keys(exempt).some((one) => file.startsWith(one))

test('docs/memory.md names each file that keeps something in the memory of a node', () => {
  expect(keeping.filter((file) => !isExempt(file) && !page.includes(`](../${file})`))).toEqual([])
})

test('nothing is exempt that keeps nothing, or is gone', () => {
  expect(Object.keys(exempt).filter((one) => !keeping.some((file) => file.startsWith(one)))).toEqual([])
  const links = [...page.matchAll(/\]\(\.\.\/(server\/[^)]+)\)/g)].map(([, file = '']) => file)
  expect(links.filter((file) => !fs.existsSync(file))).toEqual([])
})

test.each([
  ['const seen = new Map<string, number>()', ['seen']],
  ['export const lines: Lines = new Set()', ['lines']],
  ['let waiting = 0', ['waiting']],
  ["const words = new Set(['a', 'b'])", []],
  ['class One {\n  readonly #of = new Map<string, number>()\n}', ['#of']],
  ['function open() {\n  const at = new Recent<true>(1, 2)\n  return {\n    has: () => at.get(1),\n  }\n}', ['at']],
  ['function open() {\n  const at = new Map()\n  function look() {\n    at.clear()\n  }\n  return look\n}', ['at']],
  ['function sum() {\n  const at = new Map()\n  for (const one of all) at.set(one, 1)\n  return [...at]\n}', []],
])('%s', (source, kept) => expect(keptIn(source)).toEqual(kept))
