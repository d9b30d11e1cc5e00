// Unknown fields: no write, and no read that asks a question, ignores a field that it does not know or cannot set, and the answer of a
// read can be sent back unchanged.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { fieldUnknown, fieldUnwritable, isMoved } from '#contract/unknown-fields.ts'
import { refusals } from '#contract/errors.ts'
import { isOpen, may } from '#server/access/policies.ts'
import { askFor, calls, inside, refsOf, sample, shapeOf, takes, withValue, type Call, type CallInput } from './calls.ts'
import { nothingChanges, openWorld, type World } from './world.ts'

/** Except calls without a session, which read only what they need. */
const writes = calls.filter(
  ({ endpoint, area }) =>
    endpoint.kind === 'write' && area !== 'sessions' && !isOpen(endpoint) && Object.keys(shapeOf(endpoint)).length > 0,
)

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

const editor = () => world.people['customer editor']
const mine = (call: Call) => may(editor().user, call.endpoint)

async function refused(endpoint: Endpoint, ask: CallInput): Promise<Record<string, string[]>> {
  await world.rest()
  const { status, text } = await world.send(endpoint, ask, editor())
  const { message, errors } = JSON.parse(text) as { message: string; errors: Record<string, string[]> }
  expect({ status, message }, `${endpoint.path} ${text}`).toEqual(refusals.invalid)
  return errors
}

const fieldsOf = ({ output }: Endpoint): string[] => {
  const data = output instanceof z.ZodObject ? (output.shape['data'] as unknown) : undefined
  return data instanceof z.ZodObject ? Object.keys(data.shape) : []
}

/** Reads that ask a question in their body; lists have a protocol of their own. */
const questions = calls.filter(
  ({ endpoint, area }) =>
    endpoint.kind === 'read' &&
    endpoint.method === 'POST' &&
    area !== 'sessions' &&
    Object.keys(shapeOf(endpoint)).some((name) => !endpoint.path.includes(`{${name}}`)) &&
    !(takes(endpoint, 'params') && takes(endpoint, 'filters')),
)

describe('a field that no call knows', () => {
  nothingChanges(() => world)
  test('is asked of reads, too', () => expect(questions.length).toBeGreaterThan(5))
  test.each([...writes, ...questions])('is refused by $name', async (call) => {
    if (!mine(call)) return
    const ask = askFor(call, world.own)
    const errors = await refused(call.endpoint, { ...ask, colour_of_the_door: 'green' })
    expect(errors).toEqual({ colour_of_the_door: [fieldUnknown] })
    for (const [name, field] of Object.entries(shapeOf(call.endpoint))) {
      if (!(name in ask) || !(inside(field as z.ZodType) instanceof z.ZodObject)) continue
      const within = { [name]: { ...(ask[name] as CallInput), colour_of_the_door: 'green' } }
      expect(await refused(call.endpoint, { ...ask, ...within })).toEqual({
        [`${name}.colour_of_the_door`]: [fieldUnknown],
      })
    }
  })
})

/** The calls that change a record, each with the call that reads it. */
const changes = writes.flatMap((call) => {
  const stem = /^\/(.*)-update$/.exec(call.endpoint.path)?.[1]
  const read = calls.find(
    ({ endpoint }) => endpoint.path === `/${stem === 'categories' ? 'mac-categories' : stem}/{id}`,
  )
  return read ? [{ name: call.name, call, read }] : []
})

const recordOf = async ({ endpoint }: Call, id: unknown, who = editor()): Promise<CallInput> => {
  const { status, text } = await world.send(endpoint, { id }, who)
  expect(status, text).toBe(200)
  return (JSON.parse(text) as { data: CallInput }).data
}

/** The world's rows have a mark in every text, even where no call would accept it; and the provider knows none of its accounts. */
const sendable = ({ endpoint }: Call, record: CallInput): CallInput =>
  Object.fromEntries(
    Object.entries(record).filter(([name, value]) => {
      const field = shapeOf(endpoint)[name] as z.ZodType | undefined
      const isOfProvider = endpoint.area === 'accounting_integrations' && /^(account_code|tax_type)$/.test(name)
      return !isOfProvider && (field?.safeParse(value).success ?? true)
    }),
  )

describe('a record that is sent back as it was read', () => {
  test('is asked of every kind', () => expect(changes.length).toBeGreaterThan(15))
  test.each(changes)('changes nothing: $name', async ({ call, read }) => {
    await world.rest()
    const { id } = askFor(call, world.own)
    for (const [name, who] of Object.entries(world.people).filter(([, one]) => may(one.user, call.endpoint))) {
      const record = await recordOf(read, id, who)
      const sent = { ...sendable(call, record), id }
      // The world's portal differs from the newest of its versions.
      if (call.area === 'portals') await world.send(call.endpoint, sent, who)
      const before = await world.state()
      const { status, text } = await world.send(call.endpoint, sent, who)
      expect(status, `${name}: ${text}`).toBe(200)
      expect(await recordOf(read, id, who)).toEqual(record)
      expect(await world.state()).toEqual(before)
    }
  })

  test.each(changes)('is refused where it says otherwise of what cannot be set: $name', async ({ call, read }) => {
    const { id } = askFor(call, world.own)
    const record = await recordOf(read, id)
    const fixed = fieldsOf(call.endpoint).filter((name) => !(name in shapeOf(call.endpoint)) && !isMoved(name))
    const other = (value: unknown) =>
      typeof value === 'object' && value !== null && 'id' in value ? { ...value, id: 2_000_000_001 } : 'another'
    const ask = Object.fromEntries(fixed.map((name) => [name, other(record[name])]))
    if (fixed.length === 0) return
    const errors = await refused(call.endpoint, { id, ...ask })
    expect(errors).toEqual(Object.fromEntries(fixed.map((name) => [name, [fieldUnwritable]])))
  })
})

/** Parents whose members can be left out, and any other that some list takes. */
const leavesOut = (path: string, parent: string) =>
  /^(collection|team)_id$/.test(parent) || (path.startsWith('/collections') && parent === 'property_id')
const narrowed = calls
  .filter(({ endpoint }) => takes(endpoint, 'shouldExclude'))
  .flatMap((call) =>
    refsOf(call.endpoint)
      .filter(([field]) => field.startsWith('params.'))
      .map(([field, target]) => ({ ...call, field, target, name: `${call.name} with ${field}` })),
  )

describe('shouldExclude', () => {
  test.each(narrowed)('leaves out what the parent holds, or is refused: $name', async ({ field, target, ...call }) => {
    if (!mine(call)) return
    const { path } = call.endpoint
    const id = sample(z.int().meta({ ref: target }), world.own)
    const ask = { ...withValue(call.endpoint, askFor(call, world.own), field, id, world.own), shouldExclude: true }
    if (leavesOut(path, field.replace('params.', '')))
      expect((await world.send(call.endpoint, ask, editor())).status).toBe(200)
    else expect(Object.keys(await refused(call.endpoint, ask))).toEqual(['shouldExclude'])
  })
})
