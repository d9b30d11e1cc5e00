// Format: what Prettier leaves to people: long lines, what is kept from it, and types that are claimed against the compiler.

import fs from 'node:fs'
import { expect, test } from 'vitest'

const folders = ['contract', 'portal', 'server', 'web', 'test', 'scripts', 'bench']

/** The lines of all sources, each with its place: `web/main.tsx:7`. */
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
/** Nothing while they are few enough; else all of them, for the one too many may be any. */
const tooMany = (places: string[], most: number) => (places.length > most ? places : [])

test('no line has more than 140 characters', () => {
  expect(placesOf(lines.filter(({ text }) => /.{141}/u.test(text)))).toEqual([])
})

test('little is kept from Prettier', () => {
  const kept = lines.filter(({ text }) => /\/[/*] prettier-ignore/.test(text))
  expect(tooMany(placesOf(kept), 25)).toEqual([])
})

test('product code seldom claims a type that the compiler cannot see', () => {
  const claims = lines.filter(
    ({ file, text }) =>
      /^(contract|portal|server|web)\//.test(file) &&
      !file.includes('.test.') &&
      // In a comment these are words.
      !/^\s*(\/\/|\/?\*)/.test(text) &&
      /\bas (never|unknown as)\b/.test(text),
  )
  expect(tooMany(placesOf(claims), 9)).toEqual([])
})
