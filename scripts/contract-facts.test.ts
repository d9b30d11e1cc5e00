// Contract facts: the contents of the two parts of a contract module in the browser.

import fs from 'node:fs'
import { expect, test } from 'vitest'
import * as groups from '#contract/groups.ts'
import { asksForFacts, partsOf } from './contract-facts.ts'

test('calls are written out without their schemas; the schemas are left to the whole module', () => {
  const { facts, others } = partsOf(groups)
  const list: unknown = JSON.parse(new Map(facts).get('list') ?? '')
  expect(list).toEqual({
    kind: 'read',
    area: 'groups',
    action: 'read',
    method: 'POST',
    path: '/groups',
    takes: 'json',
    gives: 'json',
    status: 200,
    takesIds: false,
  })
  expect(JSON.parse(new Map(facts).get('deactivate') ?? '')).toMatchObject({ takesIds: true })
  expect(others).toEqual(expect.arrayContaining(['Group', 'GroupInput', 'GroupName', 'GroupRow']))
})

test('a file that uses a schema of a module gets the whole module, in whatever way it uses it', () => {
  const source = '#contract/groups.ts'
  const asks = (text: string) => asksForFacts(text, source, ['Group', 'GroupInput'])
  const whole = `import * as groups from '${source}'`
  expect(asks(`${whole}\n// A Group\ncall(groups.list, {})`)).toBe(true)
  expect(asks(`${whole}\nimport type { RowOf } from '#contract/endpoint.ts'\nuseRecord(groups, id)`)).toBe(true)
  expect(asks(`${whole}\nuseResource(groups, groups.GroupInput)`)).toBe(false)
  expect(asks(`${whole}\nconst { GroupInput } = groups`)).toBe(false)
  expect(asks(`${whole}\nimport { GroupInput } from '${source}'`)).toBe(false)
  expect(asks(`import { GroupInput } from '${source}'`)).toBe(false)
})

test('constants are written out, and functions are not', () => {
  const { facts, others } = partsOf({ words: ['a', 'b'], limits: { most: 3 }, ask: () => 1, when: new Date(0) })
  expect(facts).toEqual([
    ['words', '["a","b"]'],
    ['limits', '{"most":3}'],
  ])
  expect(others).toEqual(['ask', 'when'])
})

test('nothing in the browser reads the schemas of an endpoint, which it lacks there', () => {
  const files = fs.globSync('web/**/*.{ts,tsx}').filter((file) => !file.includes('.test.'))
  const asking = files.filter((file) =>
    /\b(?!(?:z|field|styles)\.)\w+\.(input|output)\b/.test(fs.readFileSync(file, 'utf8')),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(asking).toEqual([])
})
