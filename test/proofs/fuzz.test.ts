// Fuzz: whatever is sent, the answer is one of the API's, reveals nothing internal, and nothing changes that must not.
import { isDeepStrictEqual } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import * as auth from '#contract/auth.ts'
import { isOpen } from '#server/access/policies.ts'
import { password, type Person } from '#test/foyer.ts'
import { openWorld, type World } from '#test/sweeps/world.ts'
import { askFor, calls, rowsOf, takes, type CallInput, type Call } from '#test/sweeps/calls.ts'
import { forbidden, internal, others, strings } from './hostile-values.ts'
import { full, oneIn, seed, share } from './proof.ts'

let world: World
let editor: Person | undefined
/** Each group has its own records, so that none depends on what another removes. */
const inItsOwnWorld = () => {
  beforeAll(async () => {
    editor = undefined
    world = await openWorld()
  })
  afterAll(() => world.close())
}

/** Possible answers to a wrong request. 409 only if a record is still needed, 429 never: the counters are reset. */
const expected = [200, 201, 403, 404, 409, 413, 415, 422]

const again = async () => {
  const { email } = world.people['customer editor'].user
  return world.foyer.signedIn((await world.foyer.get(auth.login, { email, password })).data)
}
/** Signed in again where the call may end the session. */
async function asker({ endpoint, area }: Call): Promise<Person | null> {
  await world.rest()
  if (isOpen(endpoint)) return null
  if (area !== 'sessions') return (editor ??= await again())
  editor = undefined
  return again()
}

// Memory that waits for the garbage collector is not growth.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
function held_mb() {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}
/** Memory in use after everything has been used once: code, pools and caches are not growth either. */
let held_at_first_mb: number | undefined
const warm_after = share(10_000)
/** Far below one kilobyte for each request, with room for what the test runner keeps. */
const growth_max_mb = 40

let sent = 0
async function survives(call: Call, ask: CallInput, who: Person | null, shown: unknown) {
  // This sends more than the ten passwords in a quarter of an hour and the thirty codes a minute that a person is allowed.
  if (call.area === 'vouchers' || call.endpoint.path.startsWith('/auth/')) await world.rest()
  // The strictest limit is 30 in a minute.
  if (++sent % 20 === 0) await world.rest()
  if (sent === warm_after) held_at_first_mb = held_mb()
  const { status, text } = await world.send(call.endpoint, ask, who)
  const described = `${call.name} ${JSON.stringify(shown)?.slice(0, 200)} → ${status} ${text.slice(0, 300)}`
  if (!expected.includes(status)) throw new Error(described)
  const words = status >= 400 ? internal.exec(text)?.[0] : undefined
  if (words !== undefined) throw new Error(`shows "${words}": ${described}`)
  return { status }
}

/** Values that a URL or a form can contain at all. */
const inAddress = ({ endpoint }: Call, [name = '']: string[], value: unknown) =>
  endpoint.method === 'GET' || endpoint.takes === 'multipart' || endpoint.path.includes(`{${name}}`)
    ? ['string', 'number', 'boolean'].includes(typeof value) && String(value).isWellFormed()
    : true

/** Every place for a value in an input: fields, and fields of nested objects. */
function places(schema: z.ZodType, path: string[] = []): string[][] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as z.ZodRawShape).flatMap(([name, field]) => {
      const here = [...path, name]
      return [here, ...places(field as z.ZodType, here)]
    })
  return 'unwrap' in schema && typeof schema.unwrap === 'function' && !(schema instanceof z.ZodArray)
    ? places(schema.unwrap() as z.ZodType, path)
    : []
}
const withValue = (ask: CallInput, [name = '', ...rest]: string[], value: unknown): CallInput => ({
  ...ask,
  [name]: rest.length === 0 ? value : withValue((ask[name] ?? {}) as CallInput, rest, value),
})

/** All values, or a few: for fields that take no text, and for calls that hash a password, which takes long. */
const some = (values: unknown[], few: boolean) => (few ? values.filter((_, index) => index % 6 === 0) : values)

function attempts(call: Call, place: string[]) {
  const takesText = strings.some((text) => at(call.endpoint.input, place).safeParse(text).success)
  const all = [...some(strings, !takesText || isOpen(call.endpoint)), ...some(others, isOpen(call.endpoint))]
  return all.filter((value) => inAddress(call, place, value))
}
function at(schema: z.ZodType, [name, ...rest]: string[]): z.ZodType {
  if (name === undefined) return schema
  if (schema instanceof z.ZodObject) return at((schema.shape as Record<string, z.ZodType>)[name] ?? z.never(), rest)
  return 'unwrap' in schema && typeof schema.unwrap === 'function'
    ? at(schema.unwrap() as z.ZodType, [name, ...rest])
    : z.never()
}

/** The full proof tries every value in every field; the sample one value in each. */
const tries_of_field = full ? Infinity : 1

describe('a hostile value in any field', () => {
  inItsOwnWorld()
  test.each(oneIn(3, calls))('$name', { timeout: 900_000 }, async (call) => {
    let who = await asker(call)
    const all = places(call.endpoint.input).flatMap((place) => attempts(call, place).map((value) => ({ place, value })))
    // Evenly spaced, so that each field is covered.
    const tries = Math.min(all.length, tries_of_field * places(call.endpoint.input).length)
    const step = Math.max(1, Math.floor(all.length / tries))
    for (const { place, value } of all.filter((_, index) => index % step === seed % step)) {
      if (isOpen(call.endpoint)) await world.rest()
      const { status } = await survives(call, withValue(askFor(call, world.own), place, value), who, [
        place.join('.'),
        value,
      ])
      if (status < 300 && call.area === 'sessions') who = await asker(call)
    }
  })
})

describe('anything at all', () => {
  inItsOwnWorld()
  const keys = (endpoint: Endpoint) =>
    fc.constantFrom(...places(endpoint.input).map(([name]) => name ?? ''), 'x', '__proto__', 'constructor')
  const values = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...strings),
    fc.integer(),
    fc.double(),
  )

  test.each(oneIn(3, calls))('$name', { timeout: 900_000 }, async (call) => {
    let who = await asker(call)
    const ask = fc.dictionary(keys(call.endpoint), values, { maxKeys: 6 })
    const tries = fc.asyncProperty(ask, async (body) => {
      const sent = Object.fromEntries(Object.entries(body).filter(([name, value]) => inAddress(call, [name], value)))
      const { status } = await survives(call, { ...(takes(call.endpoint, 'id') ? { id: 1 } : {}), ...sent }, who, body)
      if (status < 300 && call.area === 'sessions') who = await asker(call)
    })
    await fc.assert(tries, { numRuns: share(isOpen(call.endpoint) ? 100 : 1000), seed })
  })

  test('an empty body is a success or names its fields', async () => {
    for (const call of calls) {
      await world.rest()
      const paths = Object.fromEntries(
        Object.entries(askFor(call, world.own)).filter(([name]) => call.endpoint.path.includes(`{${name}}`)),
      )
      const { status, text } = await world.send(call.endpoint, paths, await asker(call))
      if (status === 422)
        expect(Object.keys((JSON.parse(text) as { errors: object }).errors).length, call.name).toBeGreaterThan(0)
      else expect([200, 404, 409], call.name).toContain(status)
    }
  })

  test('memory does not grow with the number of requests', ({ task }) => {
    const grown_mb = held_mb() - (held_at_first_mb ?? NaN)
    task.meta.figures = `${sent} requests, no 5xx; ${grown_mb.toFixed(1)} MB more in use than after ${warm_after}`
    if (full) expect(sent).toBeGreaterThan(100_000)
    expect(grown_mb).toBeLessThan(growth_max_mb)
  })

  const { headers, urls, bodies } = {
    headers: [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'multipart/form-data; boundary=x' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'idempotency-key': 'k'.repeat(300) },
      { 'idempotency-key': '' },
    ],
    urls: [
      '/api/v1/properties/%ff',
      '/api/v1/properties/%00',
      '/api/v1/properties/%2e%2e',
      '/api/v1//properties',
      '/api/v1/properties/',
      '/api/v1/Properties',
      `/api/v1/properties/${'9'.repeat(300)}`,
      '/api/v1/properties/1e0',
      '/api/v1/properties/0x1',
      '/api/v1/properties/-1',
      '/api/v1/nowhere',
      '/../../etc/passwd',
      '/%',
    ],
    bodies: [
      '{',
      '[]',
      '"x"',
      '1',
      'null',
      '{"a":1e999}',
      '{"__proto__":1}',
      `{"name":"${'a'.repeat(300_000)}"}`,
      '\u0000',
      '\ud800',
      '{"a":1}{"b":2}',
      '['.repeat(100_000),
    ],
  }
  test.each([
    ...headers.map((extra) => ({ url: '/api/v1/properties', payload: '{}', extra })),
    ...urls.map((url) => ({ url, payload: '{}', extra: {} })),
    ...bodies.map((payload) => ({ url: '/api/v1/properties', payload, extra: {} })),
  ])('an odd request: $extra $url', async ({ url, payload, extra }) => {
    await world.rest()
    const { token, context } = await again()
    for (const method of ['POST', 'GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'] as const) {
      const answer = await world.foyer.app.inject({
        method,
        url,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          'app-context': context,
          ...extra,
        },
        ...(method === 'POST' ? { payload } : {}),
      })
      expect(expected, `${method} → ${answer.statusCode} ${answer.body.slice(0, 200)}`).toContain(answer.statusCode)
      expect(answer.body).not.toMatch(internal)
      if (answer.statusCode >= 400 && method !== 'HEAD')
        expect(Object.keys(answer.json()).filter((key) => !['message', 'errors'].includes(key))).toEqual([])
    }
  })
})

describe('keys that the caller must not set are ignored or refused', () => {
  inItsOwnWorld()
  // Excludes connections: they are made from a provider's answer, which can be used only once.
  const makers = calls.filter(({ endpoint }) => endpoint.path.endsWith('-create') && !takes(endpoint, 'state'))
  // Excludes settings of the whole customer, which have no id.
  const changers = calls.filter(({ endpoint }) => endpoint.path.endsWith('-update') && takes(endpoint, 'id'))
  const foreignTo = ({ endpoint }: Call) =>
    Object.fromEntries(
      Object.entries({ ...forbidden, owner_id: 1, owner_type: 'Customer' }).filter(([name]) => !takes(endpoint, name)),
    )
  /** The table of a call's records: the area's, or, if the area has several, that of its update or delete call. */
  const tableOf = ({ area, endpoint }: Call) => {
    const others = ['-update', '-delete/{id}'].map((end) => endpoint.path.replace(/-create$/, end))
    const other = calls.find((one) => others.includes(one.endpoint.path) && rowsOf(one).length > 0)
    return (other === undefined ? undefined : rowsOf(other)[0]?.table) ?? area
  }
  const stored = async (table: string, id: unknown) =>
    (await world.admin.query<{ row: CallInput }>(`select to_jsonb(t) as row from ${table} t where id = $1`, [id]))
      .rows[0]?.row ?? {}

  test.each(makers)('$name', async (call) => {
    const who = world.people['customer editor']
    const make = async (more: CallInput) => {
      // A customer has only one footer, so the former one is deleted first.
      if (call.area === 'portal_footers') await world.admin.query('update portal_footers set deleted_at = now()')
      // What is connected by a key is of a provider that takes it.
      const asked =
        call.endpoint.path === '/connections-create' ? world.providers.pigeons.asked : askFor(call, world.own)
      const { text, status } = await world.send(call.endpoint, { ...asked, ...more }, who)
      return { status, body: JSON.parse(text) as { data: CallInput; errors: object } }
    }
    const [made, tried] = [await make({}), await make(foreignTo(call))]
    expect(made).toMatchObject({ status: 201 })
    if (tried.status === 422)
      expect(Object.keys(foreignTo(call))).toEqual(expect.arrayContaining(Object.keys(tried.body.errors)))
    else expect(tried).toMatchObject({ status: 201 })
    if (tried.status === 422) return
    const plain = await stored(tableOf(call), made.body.data['id'])
    const forced = await stored(tableOf(call), tried.body.data['id'])
    // Fields that differ between two plain creates are each record's own: id, name and random values.
    const other = await stored(tableOf(call), (await make({})).body.data['id'])
    const own = (name: string) => !isDeepStrictEqual(plain[name], other[name])
    for (const [name, value] of Object.entries(forced)) if (!own(name)) expect(value, name).toEqual(plain[name])
    expect(forced['id']).not.toBe(1)
    expect(new Date(String(forced['created_at'])).getFullYear()).toBeGreaterThan(2001)
  })

  test.each(changers)('$name', async (call) => {
    const ask = askFor(call, world.own)
    const before = await stored(tableOf(call), ask['id'])
    const who = world.people['customer editor']
    for (const [name, value] of Object.entries(foreignTo(call)))
      await world.send(call.endpoint, { ...ask, [name]: value }, who)
    expect(await stored(tableOf(call), ask['id'])).toEqual(before)
    expect(({} as CallInput)['admin']).toBeUndefined()
  })
})
