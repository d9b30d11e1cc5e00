// Uploads: what a call takes as JSON it takes as a form, too: a field is emptied by an empty text.
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { askFor, calls, inside, sample, shapeOf, takes, type Call, type CallInput } from './calls.ts'
import { openWorld, type World } from './world.ts'

const uploads = calls.filter(({ endpoint }) => endpoint.takes === 'multipart')

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

const editor = () => world.people['customer editor']

async function answerOf({ endpoint }: Call, ask: CallInput): Promise<CallInput> {
  await world.rest()
  const { status, text } = await world.send(endpoint, ask, editor())
  expect(status, text).toBe(200)
  return (JSON.parse(text) as { data: CallInput }).data
}

/** The uploads that change a record, with each field that can be empty and what it is then. */
const emptied = uploads
  .filter(({ endpoint }) => endpoint.path.endsWith('-update'))
  .flatMap((call) =>
    Object.entries(shapeOf(call.endpoint)).flatMap(([field, schema]) => {
      const empty = [null, '', [], {}].find((value) => (schema as z.ZodType).safeParse(value).success)
      return empty === undefined || field === 'was' ? [] : [{ name: `${field} of ${call.name}`, call, field, empty }]
    }),
  )

describe('a field that can be empty', () => {
  test('is found', () => expect(emptied.length).toBeGreaterThan(8))
  test.each(emptied)('is emptied once it was filled: $name', async ({ call, field, empty }) => {
    // An active portal needs its logo.
    const { id } = askFor(call, world.own)
    const record = { id, ...(takes(call.endpoint, 'draft') ? { draft: true } : {}) }
    const value = sample(inside(shapeOf(call.endpoint)[field] as z.ZodType), world.own)
    const filled = await answerOf(call, { ...record, [field]: value })
    expect(isDeepStrictEqual(filled[field], empty)).toBe(false)
    const after = await answerOf(call, { ...record, [field]: empty })
    // Without a short name of its own a portal has that of its name.
    if (field === 'slug') expect(after[field]).not.toBe(value)
    else expect(after[field]).toEqual(empty)
  })
})
