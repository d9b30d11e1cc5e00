// Own words: every problem with a field is reported in one of our own sentences, never in a library's; and a list accepts null and
// empty lists as no filter.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fieldErrors } from '#contract/field-errors.ts'
import { messages } from '#contract/messages.ts'
import { may } from '#server/access/policies.ts'
import { askFor, calls, shapeOf, takes, type CallInput } from './calls.ts'
import { openWorld, type World } from './world.ts'

const wrong = [
  null,
  '',
  'x',
  ' ',
  '-',
  'not-an-address@',
  0,
  -1,
  1.5,
  1e12,
  true,
  [],
  ['x'],
  [1.5],
  [null],
  {},
  { x: 1 },
  'y'.repeat(30_000),
  Array(10_000).fill(1),
]

/** Words of zod's own messages. */
const foreign =
  /\b(invalid|expected|received|unrecognized|required|nan|undefined|null|regex|pattern|zod|string|boolean|record|object|array)\b/i
/** Our sentences that contain one of these words. */
const ours = [
  messages.fields.required,
  'This must be an object',
  messages.portal.nameRequired,
  messages.portal.authMethodRequired,
  messages.portal.authMethodMinimum,
  messages.voucherTest.required,
  messages.voucherTest.minimum,
]

const inner = (schema: unknown): z.ZodType | undefined =>
  !(schema instanceof z.ZodType)
    ? undefined
    : 'unwrap' in schema && typeof schema.unwrap === 'function' && !(schema instanceof z.ZodArray)
      ? inner(schema.unwrap())
      : schema

/** Each field, and each inside one that is an object. */
const fieldsIn = (schema: unknown, path: string[] = []): string[][] => {
  const object = inner(schema)
  if (!(object instanceof z.ZodObject)) return path.length > 0 ? [path] : []
  return [
    ...(path.length > 0 ? [path] : []),
    ...Object.entries(object.shape).flatMap(([name, field]) => fieldsIn(field, [...path, name])),
  ]
}
const put = (path: string[], value: unknown): CallInput => {
  const [name = '', ...rest] = path
  return { [name]: rest.length > 0 ? put(rest, value) : value }
}

test.each(calls)('$name has a sentence for every wrong value', ({ endpoint }) => {
  const sentences = fieldsIn(endpoint.input).flatMap((path) =>
    wrong.flatMap((value) => {
      const { error } = endpoint.input.safeParse(put(path, value))
      return error ? Object.values(fieldErrors(error)).flat() : []
    }),
  )
  expect([...new Set(sentences)].filter((sentence) => foreign.test(sentence) && !ours.includes(sentence))).toEqual([])
})

test('what is absent is missed in the same words as what is empty', () => {
  const missed = (endpoint: (typeof calls)[number]['endpoint'], field: string, value: CallInput) => {
    const { error } = endpoint.input.safeParse(value)
    return (error && fieldErrors(error)[field]?.filter((sentence) => sentence.endsWith('is required'))) ?? []
  }
  const fields = calls.flatMap(({ name, endpoint }) =>
    fieldsIn(endpoint.input).flatMap(([field = '', ...inside]) => {
      const words = [...missed(endpoint, field, { [field]: [] }), ...missed(endpoint, field, { [field]: '' })].slice(
        0,
        1,
      )
      const isNeeded = missed(endpoint, field, {}).length > 0
      return inside.length === 0 && words.length > 0 && isNeeded
        ? [{ of: `${name} ${field}`, endpoint, field, words }]
        : []
    }),
  )
  expect(fields.length).toBeGreaterThan(50)
  const differ = fields.flatMap(({ of, endpoint, field, words }) =>
    [{}, { [field]: null }].flatMap((value) => {
      const absent = missed(endpoint, field, value)
      return absent.join() === words.join() ? [] : [`${of}: ${absent.join()}, but empty: ${words.join()}`]
    }),
  )
  expect(differ).toEqual([])
})

describe('a list', () => {
  let world: World
  beforeAll(async () => void (world = await openWorld()))
  afterAll(() => world.close())

  const lists = calls.filter(({ endpoint }) => takes(endpoint, 'filters') && takes(endpoint, 'excludeIds'))

  test.each(lists)('$name takes null for nothing, and an empty list for no filter', async (call) => {
    const { endpoint } = call
    const editor = world.people['customer editor']
    if (!may(editor.user, endpoint)) return
    await world.rest()
    const ask = askFor(call, world.own)
    const filters = inner(shapeOf(endpoint)['filters'])
    const names = filters instanceof z.ZodObject ? Object.keys(filters.shape) : []
    const parents = inner(shapeOf(endpoint)['params'])
    const optional =
      parents instanceof z.ZodObject
        ? Object.entries(parents.shape).filter(([, field]) => (field as z.ZodType).safeParse(undefined).success)
        : []
    const nothing = {
      excludeIds: null,
      exclude_ids: null,
      searchValue: null,
      lastFetchedAt: null,
      sort: null,
      per_page: null,
      cursor: null,
      shouldExclude: null,
      count: null,
      filters: Object.fromEntries(names.map((name) => [name, []])),
      params: { ...(ask['params'] as object), ...Object.fromEntries(optional.map(([name]) => [name, null])) },
    }
    const plain = await world.send(endpoint, ask, editor)
    const asked = await world.send(endpoint, { ...ask, ...nothing }, editor)
    expect(asked.status, asked.text).toBe(200)
    const rowsOf = ({ text }: { text: string }) => (JSON.parse(text) as { data: unknown[] }).data
    expect(rowsOf(asked)).toEqual(rowsOf(plain))
    const refused = await world.send(endpoint, { ...ask, sort: '', per_page: 'many' }, editor)
    expect(refused.text).not.toContain(messages.fields.required)
  })
})
