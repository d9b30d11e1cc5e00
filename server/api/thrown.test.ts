// Thrown: whatever is thrown, the code that handles it goes on: it answers, writes its line and knows for whom it failed.
import fs from 'node:fs'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { refusals } from '#contract/errors.ts'
import { FailedFor, openAttempts } from '#server/access/each-customer.ts'
import { handleError } from '#server/api/refusals.ts'
import { textOf } from '#server/errors/thrown.ts'
import { openLog } from '#server/watch/log.ts'
import { expectRefused } from '#test/refused.ts'

const unreadable = new Error('x')
Object.defineProperty(unreadable, 'message', {
  get() {
    throw new Error('not even its message can be read')
  },
})
const revoked = Proxy.revocable({}, {})
revoked.revoke()
const oddities: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a text', 'oops'],
  ['a number', 7n],
  ['a symbol', Symbol('oops')],
  ['an object without a prototype', Object.create(null)],
  ['an object with text that cannot be had', { toString: () => ({}) }],
  // Its code is a number.
  ['a time limit', new DOMException('too late', 'TimeoutError')],
  ['an error whose code is an object', Object.assign(new Error('x'), { code: Object.create(null) })],
  ['an error caused by an oddity', new Error('x', { cause: Object.create(null) })],
]
const unreadables: [string, unknown][] = [
  ['an error that cannot be read', unreadable],
  ['a revoked proxy', revoked.proxy],
]

test.each([...oddities, ...unreadables])('%s has words, and a line in the log', (_, thrown) => {
  expect(textOf(thrown)).toEqual(expect.any(String))
  const lines: string[] = []
  openLog({ format: 'json', level: 'warn' }, { write: (line: string) => void lines.push(line) }).warn(
    { err: thrown },
    'it failed',
  )
  expect(lines).toEqual([expect.stringContaining('it failed')])
})

test.each(oddities)('%s, thrown by a call, is answered', async (_, thrown) => {
  const app = Fastify()
  app.setErrorHandler(handleError)
  app.get('/', async () => Promise.reject(thrown as Error))
  expectRefused(await app.inject('/'), refusals.broken)
  await app.close()
})

test('what fails for some customers names them, whatever was thrown, and is attempted for all', async () => {
  const { attempt, done } = openAttempts()
  const all = [...oddities, ...unreadables]
  for (const [index, [what, thrown]] of all.entries())
    expect(await attempt(index % 2, what, () => Promise.reject(thrown as Error))).toBe(false)
  expect(await attempt(5, 'good', async () => {})).toBe(true)
  let failure: unknown
  try {
    done()
  } catch (error) {
    failure = error
  }
  expect(failure).toBeInstanceOf(FailedFor)
  expect(failure).toMatchObject({ customer_ids: [0, 1], errors: { length: all.length } })
  expect(textOf(failure)).toContain('and 2 more')
})

test('no code asks something thrown for its text in a way that may throw', () => {
  const sources = fs
    .readdirSync('server', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
  const risky = sources.filter((file) =>
    /\bString\((err|error|thrown|reason|cause)\)|\((err|error|thrown) as Error\)\.message/.test(
      fs.readFileSync(`server/${file}`, 'utf8'),
    ),
  )
  // The one place that may, and a process that only reads files and whose failure is an answer.
  expect(risky.toSorted()).toEqual(['errors/thrown.ts', 'imports/spreadsheets/workbook.ts'])
})
