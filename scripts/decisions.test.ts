// The index of decisions lists each decision once.
import fs from 'node:fs'
import { expect, test } from 'vitest'

const folder = 'docs/decisions'
const files = fs.readdirSync(folder).filter((name) => /^\d{3}-.*\.md$/.test(name))
const listed = [...fs.readFileSync(`${folder}/README.md`, 'utf8').matchAll(/^- \[\d{3}\]\(([\w-]+\.md)\)/gm)].map(
  ([, name]) => String(name),
)

test('the index of decisions names every decision, and each once', () => {
  expect(listed.toSorted()).toEqual(files.toSorted())
})

test('no two decisions have one number', () => {
  expect(new Set(files.map((name) => name.slice(0, 3))).size).toBe(files.length)
})
