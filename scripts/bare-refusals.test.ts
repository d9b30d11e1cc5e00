// Bare refusals: which assertions ask a refused call for its status alone, and that each exception is of a file that is there.
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { bare, checkRefusals } from '#scripts/bare-refusals.ts'

const found = (line: string, file = 'server/resources/rooms/rooms.test.ts') =>
  checkRefusals(new Map([[file, `import { expect } from 'vitest'\n${line}\n`]]))

test.each([
  'expect((await foyer.ask(rooms.get, { id }, who)).status).toBe(404)',
  'expect(status, url).toBe(409)',
  'expect(await statusOf(id)).toBe(403)',
  'expect(answer.statusCode).toEqual(400)',
  'expect(answer.status).toBe(refusals.forbidden.status)',
  'expect(await foyer.ask(rooms.get, { id }, who)).toMatchObject({ status: 422 })',
  'expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])',
  'expect(new Set(statuses)).toEqual(new Set([422, 429]))',
  'expect(statuses).toEqual([...Array<number>(10).fill(200), 429])',
  'expect([name, statusCode]).toEqual([name, name === "x" ? 404 : 200])',
  'expect([answer.status, answer.headers["cache-control"]]).toEqual([404, "no-store"])',
  "expect([answer.status, Object.keys(errorsOf(answer))]).toEqual([422, ['name']])",
  'expect(answer).toMatchObject({ status: 422, body: { errors: { name: [expect.any(String)] } } })',
  'await expect.poll(async () => (await foyer.ask(rooms.get, { id }, who)).status).toBe(404)',
  'await expect(storage.read(7, hash)).rejects.toMatchObject({ status: 503, retry_after_s: 5 })',
  'const refusedOn = (field) => ({ status: 422, body: { errors: { [field]: [expect.any(String)] } } })',
])('%s asks for a status alone', (line) => {
  expect(found(line)).toEqual([expect.stringContaining('rooms.test.ts:2  asks a refused call for its status alone')])
})

test.each([
  'expectRefused(await foyer.ask(rooms.get, { id }, who), notFound())',
  'expect(answer).toMatchObject({ status: 409, body: { message: messages.imports.undoneAlready } })',
  "expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('Please choose')])",
  "expect(answer).toMatchObject({ status: 401, body: { message: 'Unauthenticated.' } })",
  'expect([status, text]).toEqual([422, expect.stringMatching(/at once/)])',
  'expect(answer.status).not.toBe(429)',
  'expect(answer.status).toBe(201)',
  'expect(portal.image).toMatchObject({ width: 750, height: 404 })',
  'expect(days).toMatchObject([{ seconds: 300, up: 500 }])',
])('%s does not', (line) => {
  expect(found(line)).toEqual([])
})

test('an exception is of an assertion that is there', () => {
  expect(bare.filter(({ file }) => !fs.existsSync(file))).toEqual([])
  const [one] = bare
  expect(found('expect(1).toBe(1)', one?.file)).toEqual([expect.stringContaining('which asks no such thing')])
})
