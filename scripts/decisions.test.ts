// Decisions: the index lists each once, and what they and the other pages link to is there.
import fs from 'node:fs'
import path from 'node:path'
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

const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'GLOSSARY.md', 'CHANGELOG.md'].concat(
  fs
    .readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
)
const fileOf = (page: string, link: string) => path.join(path.dirname(page), link)

test('each file that a page links to is there', () => {
  const missing = pages.flatMap((page) =>
    [...fs.readFileSync(page, 'utf8').matchAll(/\]\((?![a-z]+:)([^)#\s]+)/g)]
      .map(([, link]) => String(link))
      .filter((link) => !fs.existsSync(fileOf(page, link)))
      .map((link) => `${page}: ${link}`),
  )
  expect(missing).toEqual([])
})

test('each file that ARCHITECTURE.md names is there', () => {
  const named = fs
    .readFileSync('ARCHITECTURE.md', 'utf8')
    .match(/\b(contract|portal|scripts|server|test|web)\/[\w/.-]+\.tsx?/g)
  expect(named?.filter((file) => !fs.existsSync(file))).toEqual([])
})

test('a file that the name of something links to has it, or is called that', () => {
  const foreign = pages.flatMap((page) =>
    [...fs.readFileSync(page, 'utf8').matchAll(/\[`([^`]+?)[/…]?`\]\((?![a-z]+:)([^)#\s]+)/g)]
      .map(([, name, link]) => ({ name: String(name), file: fileOf(page, String(link)) }))
      .filter(({ name, file }) => !file.includes(name) && !fs.readFileSync(file, 'utf8').includes(name))
      .map(({ name, file }) => `${page}: ${name} is not in ${file}`),
  )
  expect(foreign).toEqual([])
})
