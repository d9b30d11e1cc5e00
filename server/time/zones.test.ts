// Zones: this process and the database agree on days and their beginnings, even on days that are shorter, longer or skipped.
import { addDays } from '#contract/days.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#server/db/logins.ts'
import { dayBegins, localDay, localDays, periodBegins } from '#server/time/zones.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())

const odd: [zone: string, day: string, begins: string][] = [
  ['America/Los_Angeles', '2026-03-08', '2026-03-08T08:00:00.000Z'],
  ['America/Los_Angeles', '2026-03-09', '2026-03-09T07:00:00.000Z'],
  ['America/Los_Angeles', '2026-11-02', '2026-11-02T08:00:00.000Z'],
  ['Pacific/Auckland', '2026-09-27', '2026-09-26T12:00:00.000Z'],
  ['Pacific/Auckland', '2026-09-28', '2026-09-27T11:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z'],
  ['Europe/London', '2026-03-30', '2026-03-29T23:00:00.000Z'],
  // Skipped: it begins, and ends, with the day after.
  ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00.000Z'],
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
  // At 01:00, because there is no midnight.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  // The first of two midnights.
  ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
]

test.each(odd)('in %s the day %s begins at %s', (zone, day, begins) => {
  expect(new Date(dayBegins(day, zone)).toISOString()).toBe(begins)
})

test('a week begins on Monday, and days are counted by the calendar', () => {
  expect(periodBegins('2026-03-01', 'weekly')).toBe('2026-02-23')
  expect(periodBegins('2026-03-02', 'weekly')).toBe('2026-03-02')
  expect(periodBegins('2026-03-31', 'monthly')).toBe('2026-03-01')
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
})

test('the database agrees for each country’s zones on the days around each change of their clocks', async () => {
  const admin = await connect(foyer.database.adminUrl)
  try {
    const { rows } = await admin.query<{
      zone: string
      day: string
      begins: number
      ends_on: string | null
      ahead: number[] | null
    }>(
      `
      with days as (
        select c.zone, d::date as day from (select distinct unnest(time_zones) as zone from countries) as c,
          generate_series(timestamp '2024-01-01', timestamp '2028-01-01', interval '1 day') as d),
      offsets as (
        select *, (day + time '12:00') - ((day + time '12:00') at time zone zone at time zone 'UTC') as ahead from days),
      changes as (
        select *, ahead is distinct from lag(ahead) over of_zone or ahead is distinct from lead(ahead) over of_zone as odd
        from offsets window of_zone as (partition by zone order by day))
      select zone, day::text, extract(epoch from day_begins(day, zone))::float8 * 1000 as begins,
        local_day(day_begins(day + 1, zone) - interval '1 second', zone)::text as ends_on,
        array(select extract(epoch from (day - 1 + n + time '12:00') - ((day - 1 + n + time '12:00') at time zone zone
          at time zone 'UTC'))::float8 * 1000 from generate_series(0, 2) as n order by n) as ahead
      from changes where odd
      union all
      select zone, day::text, extract(epoch from day_begins(day::date, zone))::float8 * 1000, null, null
      from unnest($1::text[], $2::text[]) as given(zone, day)`,
      [odd.map(([zone]) => zone), odd.map(([, day]) => day)],
    )
    const compared = rows.filter(({ zone, day, ahead }) => ahead === null || hasSameOffsets(zone, day, ahead))
    expect(compared.length).toBeGreaterThan(1000)
    const differing = compared.filter(({ zone, day, begins }) => dayBegins(day, zone) !== begins)
    expect(differing.map(({ zone, day }) => `${zone} ${day}`)).toEqual([])
    // There is no gap between two days.
    expect(compared.filter(({ day, ends_on }) => ends_on !== null && ends_on !== day)).toEqual([])
    expect(
      compared.filter(({ zone, day, begins, ends_on }) => ends_on !== null && localDay(begins, zone) !== day),
    ).toEqual([])
  } finally {
    await admin.end()
  }
})

test('many instants of a zone are of the days that each is of by itself', () => {
  const minute_ms = 60_000
  for (const [zone, day] of odd) {
    const dayOf = localDays(zone)
    const begins = dayBegins(day, zone)
    for (const at of [-1, 0, 1, -15 * minute_ms, 15 * minute_ms, 1440 * minute_ms - 1, 1440 * minute_ms])
      expect([zone, at, dayOf(begins + at)]).toEqual([zone, at, localDay(begins + at, zone)])
  }
})

/** Node and the database have time zone data of different years: whether both have the same offsets around a day. */
function hasSameOffsets(zone: string, day: string, ahead: number[]) {
  try {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    return ahead.every((offset, n) => {
      const noon = Date.parse(`${addDays(day, n - 1)}T12:00:00Z`)
      return format.format(noon - offset) === `${addDays(day, n - 1)} 12:00:00`
    })
  } catch {
    return false
  }
}
