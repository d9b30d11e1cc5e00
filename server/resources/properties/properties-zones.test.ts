// The time zone of a property, as callers use it: given, or its country's.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as properties from '#contract/properties.ts'
import * as reference from '#contract/reference.ts'
import { invalid } from '#server/errors/refused.ts'
import { aProperty, openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
let countries: { id: number; code: string; time_zone: string; time_zones: string[]; several_clocks: boolean }[]
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
  countries = (await foyer.get(reference.countries, {}, editor)).data
})
afterAll(() => foyer.close())

const country = (code: string) => countries.find((one) => one.code === code)?.id ?? 0
const zoneOf = async (values: Parameters<TestFoyer['property']>[1]) => {
  const { id, time_zone, time_zone_assumed } = await foyer.property(editor, values)
  return { id, time_zone, time_zone_assumed }
}

test('a country lists all of its zones, its default one among them', () => {
  expect(countries.filter(({ time_zone, time_zones }) => !time_zones.includes(time_zone))).toEqual([])
  const several = countries.filter(({ several_clocks }) => several_clocks).map(({ code }) => code)
  expect(several).toEqual(expect.arrayContaining(['US', 'AU', 'BR', 'CA', 'ES', 'PT', 'NZ', 'KI']))
  // Two names of one zone.
  expect(several).not.toContain('DE')
  expect(several).not.toContain('GB')
})

test('a property keeps the zone that it was given, and shows if its country has several', async () => {
  const given = [
    ['US', 'America/Los_Angeles'],
    ['AU', 'Australia/Perth'],
    ['BR', 'America/Manaus'],
    ['CA', 'America/Vancouver'],
  ] as const
  for (const [code, time_zone] of given)
    expect(await zoneOf({ country_id: country(code), time_zone })).toMatchObject({
      time_zone,
      time_zone_assumed: false,
    })
  expect(await zoneOf({ country_id: country('US') })).toMatchObject({
    time_zone: 'America/New_York',
    time_zone_assumed: true,
  })
  expect(await zoneOf({ country_id: country('GB') })).toMatchObject({
    time_zone: 'Europe/London',
    time_zone_assumed: false,
  })
  expect(await zoneOf({ draft: true, country_id: null })).toMatchObject({ time_zone: 'UTC', time_zone_assumed: false })
})

test('a zone stays until another is given or the property moves to another country', async () => {
  const { id } = await zoneOf({ country_id: country('US') })
  const change = async (values: Partial<Parameters<typeof foyer.property>[1]>) => {
    const { data } = await foyer.get(properties.update, { id, ...values }, editor)
    return [data.time_zone, data.time_zone_assumed]
  }
  expect(await change({ time_zone: 'america/los_angeles' })).toEqual(['America/Los_Angeles', false])
  expect(await change({ name: 'Another', country_id: country('US') })).toEqual(['America/Los_Angeles', false])
  expect(await change({ time_zone: null })).toEqual(['America/New_York', true])
  expect(await change({ time_zone: 'America/New_York' })).toEqual(['America/New_York', false])
  expect(await change({ country_id: country('NZ') })).toEqual(['Pacific/Auckland', true])
  expect(await change({ country_id: country('JP') })).toEqual(['Asia/Tokyo', false])
})

test.each(['Mars/Olympus', '+01:00', 'UTC+1', 'PST8PDT4', '', 'Europe/London; drop', 'Factory'])(
  'what is no zone is refused: %j',
  async (time_zone) => {
    expectRefused(
      await foyer.ask(properties.create, { ...aProperty(), time_zone }, editor),
      invalid({ time_zone: ['Please choose a time zone'] }),
    )
  },
)
