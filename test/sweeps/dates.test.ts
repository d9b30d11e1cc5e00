// Dates: every field of the contract that takes a date, found by its shape, refuses by name a year that nobody means.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { inDays } from '#test/foyer.ts'
import { askFor, calls, fieldsWhere, withValue, type Call } from './calls.ts'
import { openWorld, type World } from './world.ts'

const isDay = (schema: z.ZodType) => schema instanceof z.ZodISODate
const isMoment = (schema: z.ZodType) => schema instanceof z.ZodISODateTime
const years = ['0026', '0202', '1405', '2206', '2569']
/** A code or an account may end as late as one likes. */
const refusedYears = (time: string) => (time === '' ? years : ['0026', '0202', '1405'])

/** Questions: what they ask for is stored nowhere, and a list from the year 26 is a list of all. */
const isQuestion = (path: string, field: string) =>
  /^filters\.|^lastFetchedAt$/.test(field) || ['/sessions-address', '/auth/made-since'].includes(path)
const fields = calls.flatMap((call) => [
  ...fieldsWhere(call.endpoint.input, isDay).map((field) => ({ call, field, time: '' })),
  ...fieldsWhere(call.endpoint.input, isMoment).map((field) => ({ call, field, time: 'T12:00:00Z' })),
])
/** All lists have it, and one answers for them. */
const inAllLists = 'lastFetchedAt'
const stored = fields.filter(({ call, field }) => !isQuestion(call.endpoint.path, field))

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

async function ask(call: Call, field: string, value: string) {
  await world.rest()
  const given = withValue(call.endpoint, askFor(call, world.own), field, value, world.own)
  const { status, text } = await world.send(call.endpoint, given, world.people['customer editor'])
  // A question may be answered by a file.
  const { errors = {} } = status === 422 ? (JSON.parse(text) as { errors?: object }) : {}
  return { status, fields: Object.keys(errors) }
}
/** `holidays.starts_on` is refused as `holidays.0.starts_on`, `other_nights` as `other_nights.0`. */
const named = (field: string) => field.replace(/^holidays\./, 'holidays.0.').replace(/^other_nights$/, '$&.0')

test('there are such fields', () => {
  expect(stored.map(({ call, field }) => `${call.endpoint.path} ${field}`)).toEqual(
    expect.arrayContaining([
      '/room-guests-create departs_on',
      '/accounts-update expires_at',
      '/billing-runs-preview period_start',
    ]),
  )
})

describe.each(stored)('$field of $call.name', ({ call, field, time }) => {
  test('is refused by name for a year that nobody means', async () => {
    for (const year of refusedYears(time)) {
      const { status, fields: refused } = await ask(call, field, `${year}-12-20${time}`)
      expect({ year, status, refused }).toEqual({
        year,
        status: 422,
        refused: expect.arrayContaining([named(field)]) as string[],
      })
    }
  })
  test('is not refused for a year that is', async () => {
    const { fields: refused } = await ask(call, field, `${inDays(30)}${time}`)
    // A night that is over, a period that has something to bill: that is told apart from its year.
    const isAlone = /arrives|departs|expires|valid|starts_on/.test(field)
    expect(isAlone ? refused : []).not.toContain(named(field))
  })
})

test('a question about any year is answered, or refused by name', async () => {
  const [list, ...lists] = fields.filter(({ field }) => field === inAllLists)
  expect(list).toBeDefined()
  for (const { call, field, time } of fields.filter((one) => !stored.includes(one) && !lists.includes(one)))
    for (const year of years) {
      const { status, fields: refused } = await ask(call, field, `${year}-12-20${time}`)
      expect([200, 422], `${call.name} ${field} ${year}`).toContain(status)
      if (status === 422) expect(refused, `${call.name} ${field} ${year}`).toContain(field)
    }
})
