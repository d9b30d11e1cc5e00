// Format: what Prettier does not check: long lines, ignored code, and type assertions that bypass the compiler.

import fs from 'node:fs'
import { expect, test } from 'vitest'

const folders = ['contract', 'catalogue', 'portal', 'server', 'web', 'test', 'scripts', 'bench']

/** The lines of all sources, each with its location: `web/main.tsx:7`. */
const lines = folders
  .flatMap((folder) => fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
  .concat(fs.readdirSync('.'))
  .filter((file) => /\.(tsx?|mjs|js|css)$/.test(file))
  .flatMap((file) =>
    fs
      .readFileSync(file, 'utf8')
      .split('\n')
      .map((text, index) => ({ file, place: `${file}:${index + 1}`, text })),
  )
const placesOf = (found: typeof lines) => found.map(({ place }) => place)
/** Empty up to the limit; above it all of them, as any one could be removed. */
const tooMany = (places: string[], most: number) => (places.length > most ? places : [])

test('no line has more than 140 characters', () => {
  // A sentence of the catalogue is one line, to be found as it is read.
  const isSentence = ({ file, text }: (typeof lines)[number]) =>
    file.startsWith('catalogue/') && /^\s*'|^ *[\w'-]+: '/.test(text)
  // Drawn from the database, whose comments stand in one line.
  const isDrawn = ({ file }: (typeof lines)[number]) => file === 'server/db/tables.ts'
  expect(placesOf(lines.filter((line) => /.{141}/u.test(line.text) && !isSentence(line) && !isDrawn(line)))).toEqual([])
})

test('little code is excluded from Prettier', () => {
  const ignored = lines.filter(({ text }) => /\/[/*] prettier-ignore/.test(text))
  expect(tooMany(placesOf(ignored), 25)).toEqual([])
})

test('product code seldom asserts a type that the compiler cannot check', () => {
  const assertions = lines.filter(
    ({ file, text }) =>
      /^(contract|portal|server|web)\//.test(file) &&
      !file.includes('.test.') &&
      // Ignores comments.
      !/^\s*(\/\/|\/?\*)/.test(text) &&
      /\bas (never|unknown as)\b/.test(text),
  )
  expect(tooMany(placesOf(assertions), 9)).toEqual([])
})
