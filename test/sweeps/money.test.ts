// Money: every field of the contract that takes money, found by its kind, stores an amount as it was sent or refuses it by name.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { placesOf } from '#contract/money.ts'
import { askFor, calls, fieldsWhere, idOf, takes, withValue, type Call, type CallInput } from './calls.ts'
import { openWorld, type World } from './world.ts'

const isMoney = (schema: z.ZodType) => schema.meta()?.['x-kind'] === 'money'
const fields = calls.flatMap((call) => fieldsWhere(call.endpoint.input, isMoney).map((field) => ({ call, field })))

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

/** What no coin has. */
const never: unknown[] = [1e-7, '0.0000001', 1.23456, '1.23456', 1e21, -1, '-0.5', '1,5', '', 'abc', true]
/** For each coin what it has, and what is too fine for it. */
const coins: Record<string, { whole: unknown[]; fine: unknown[] }> = {
  JPY: { whole: [-0, 0, 1015, '1015', '1015.0'], fine: [1015.5, '1015.5', 0.01] },
  GBP: { whole: [-0, 1015.5, '1015.50', 0.01], fine: [0.001, '1015.555'] },
  HUF: { whole: [-0, 1015.5, '0.01'], fine: ['0.001'] },
  KWD: { whole: [-0, 1015.555, '0.001'], fine: [0.0001, '1015.5555'] },
}

async function ask({ endpoint, ...call }: Call, field: string, currency: string, value: unknown) {
  const property_id = idOf(world.own, 'properties')
  // Reading restores what another try has stored.
  await world.admin.query('update properties set currency = $2, rate_per_unit = 7 where id = $1', [
    property_id,
    currency,
  ])
  const places: CallInput = takes(endpoint, 'property_ids') ? { property_ids: [property_id] } : {}
  const coin: CallInput = takes(endpoint, 'currency') ? { currency } : {}
  const sample = { ...askFor({ endpoint, ...call }, world.own), ...places, ...coin }
  await world.rest()
  const given = withValue(endpoint, sample, field, value, world.own)
  const { status, text } = await world.send(endpoint, given, world.people['customer editor'])
  return { expected: endpoint.status, status, body: JSON.parse(text) as { data?: unknown; errors?: object } }
}

test('there are such fields, and no other field is named like a price', () => {
  expect(fields.map(({ call, field }) => `${call.endpoint.path} ${field}`)).toEqual(
    expect.arrayContaining(['/properties-create rate_per_unit', '/billing-runs-preview overrides.rate_per_unit']),
  )
  const isNumber = (schema: z.ZodType) => schema instanceof z.ZodNumber || isMoney(schema)
  const numbers = calls.flatMap(({ endpoint }) => {
    const money = fieldsWhere(endpoint.input, isMoney)
    return fieldsWhere(endpoint.input, isNumber).filter((field) => !money.includes(field))
  })
  expect(
    numbers.filter((field) => /(^|[._])(rate|price|amount|cost|fee|deposit|total)(_per_\w+)?$/.test(field)),
  ).toEqual([])
})

describe.each(fields)('$field of $call.name', ({ call, field }) => {
  test.each(Object.entries(coins))('in %s', async (currency, { whole, fine }) => {
    for (const value of [...never, ...fine]) {
      const { status, body } = await ask(call, field, currency, value)
      expect({ value, status, fields: Object.keys(body.errors ?? {}) }).toEqual({ value, status: 422, fields: [field] })
    }
    for (const value of whole) {
      const { status, expected, body } = await ask(call, field, currency, value)
      expect({ value, status, body }).toMatchObject({ status: expected })
      const stored = (body.data as Record<string, unknown> | undefined)?.[field]
      if (stored !== undefined)
        expect({ value, stored: Number(stored) }).toEqual({ value, stored: Math.abs(Number(value)) })
    }
    expect(placesOf(currency)).toBe(
      Math.max(...whole.map((value) => String(value).replace(/\.0$/, '').split('.')[1]?.length ?? 0)),
    )
  })
})
