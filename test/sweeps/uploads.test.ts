// Uploads: what a call takes as JSON it takes as a form, too, however an empty field of it is written, and as many values.
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { constants } from '#contract/constants.ts'
import { bytesOf, formOf } from '#test/uploads.ts'
import { askFor, calls, idOf, inside, sample, shapeOf, takes, type Call, type CallInput } from './calls.ts'
import { absent_id, openWorld, type World } from './world.ts'

const uploads = calls.filter(({ endpoint }) => endpoint.takes === 'multipart')

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

const editor = () => world.people['customer editor']

/** What is answered to a form as it is, with the query of its address. */
async function answerOf({ endpoint }: Call, form: FormData, query = ''): Promise<CallInput> {
  await world.rest()
  const { type, bytes } = await bytesOf(form)
  const response = await world.foyer.app.inject({
    method: 'POST',
    url: `/api/v1${endpoint.path}${query}`,
    headers: { authorization: `Bearer ${editor().token}`, 'app-context': 'customer', 'content-type': type },
    payload: bytes,
  })
  expect(response.statusCode, response.body).toBe(200)
  return response.json<{ data: CallInput }>().data
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
    for (const name of Array.isArray(empty) ? [field, `${field}[]`] : [field]) {
      const filled = await answerOf(call, formOf({ ...record, [field]: value }))
      expect(isDeepStrictEqual(filled[field], empty)).toBe(false)
      const after = await answerOf(call, formOf({ ...record, [name]: empty }))
      // Without a short name of its own a portal has that of its name.
      if (field === 'slug') expect(after[field]).not.toBe(value)
      else expect(after[field], name).toEqual(empty)
    }
  })
})

const placed = uploads.filter(({ endpoint }) => takes(endpoint, 'property_id'))

describe('a property in the address', () => {
  test('is taken by each import', () => expect(placed).toHaveLength(3))
  test.each(placed)('is not forgotten where a field of the form is empty: $name', async (call) => {
    const { property_id, ...ask } = { property_id: idOf(world.own, 'properties'), ...askFor(call, world.own) }
    const form = formOf({ ...ask, property_id: null })
    expect(await answerOf(call, form, `?property_id=${property_id}`)).toMatchObject({ total: 1, problem_rows: 0 })
  })
})

/** The lists of each upload, with how many values they take at most. */
const lists = uploads.flatMap((call) =>
  Object.entries(shapeOf(call.endpoint)).flatMap(([field, schema]) => {
    const list = z.toJSONSchema(inside(schema as z.ZodType), { unrepresentable: 'any' })
    return list.type === 'array' ? [{ name: `${field} of ${call.name}`, call, field, most: list.maxItems ?? 0 }] : []
  }),
)

describe('a list', () => {
  test('is found', () => expect(lists.some(({ most }) => most === constants.list.names_max)).toBe(true))
  test.each(lists)('may have as many values as its call promises: $name', async ({ call, field, most }) => {
    const ids = Array.from({ length: most }, (_, index) => absent_id + index)
    await world.rest()
    const { status, text } = await world.send(call.endpoint, { ...askFor(call, world.own), [field]: ids }, editor())
    expect([status, text]).toEqual([422, expect.stringContaining(`{"${field}":["The selected`)])
  })
})
