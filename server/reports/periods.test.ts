// Periods: the ends of months, leap years and changes of the clock, and what holds for any schedule.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instantOf, localDay } from '#server/time/zones.ts'
import { dueFrom, dueInstant, dueNext, dueNumber, toBeMade, type Schedule } from './periods.ts'

const [daily, weekly, fortnightly, monthly, quarterly, yearly] = [2, 3, 4, 5, 6, 7]
const first = (start_date: string, frequency: number, count: number) =>
  Array.from({ length: count }, (_, n) => dueNumber({ start_date, frequency }, n).due_on)

test.each([
  ['2026-01-31', monthly, ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']],
  ['2027-12-30', monthly, ['2027-12-30', '2028-01-30', '2028-02-29', '2028-03-30', '2028-04-30']],
  ['2026-11-30', quarterly, ['2026-11-30', '2027-02-28', '2027-05-30', '2027-08-30', '2027-11-30']],
  ['2028-02-29', yearly, ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
  ['2026-02-27', daily, ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02', '2026-03-03']],
  ['2026-12-28', weekly, ['2026-12-28', '2027-01-04', '2027-01-11', '2027-01-18', '2027-01-25']],
  ['2028-02-20', fortnightly, ['2028-02-20', '2028-03-05', '2028-03-19', '2028-04-02', '2028-04-16']],
])('from %s on, frequency %i is due on', (start, frequency, days) =>
  expect(first(start, frequency, days.length)).toEqual(days),
)

test('it reports on the days that have just ended', () => {
  const schedule = { start_date: '2026-01-31', frequency: monthly }
  expect(dueNumber(schedule, 0)).toEqual({
    due_on: '2026-01-31',
    period_start: '2025-12-31',
    period_end: '2026-01-30',
  })
  expect(dueNumber(schedule, 2)).toEqual({
    due_on: '2026-03-31',
    period_start: '2026-02-28',
    period_end: '2026-03-30',
  })
})

test('every missed report is made, but only the newest of a daily one', () => {
  const missed = (frequency: number) => [0, 1, 2].map((n) => dueNumber({ start_date: '2026-05-01', frequency }, n))
  expect(toBeMade({ start_date: '2026-05-01', frequency: weekly }, missed(weekly))).toEqual(missed(weekly))
  expect(toBeMade({ start_date: '2026-05-01', frequency: daily }, missed(daily))).toEqual(missed(daily).slice(2))
})

test.each([
  // The hour comes twice: the first of the two.
  ['2026-10-25', 1, 'Europe/London', '2026-10-25T00:00:00.000Z'],
  ['2026-11-01', 1, 'America/New_York', '2026-11-01T05:00:00.000Z'],
  // The hour is skipped: an hour later by the clock.
  ['2026-03-29', 1, 'Europe/London', '2026-03-29T01:00:00.000Z'],
  ['2026-03-08', 2, 'America/New_York', '2026-03-08T07:00:00.000Z'],
  // Away from a change, on its own day and on the days next to it.
  ['2026-03-29', 6, 'Europe/London', '2026-03-29T05:00:00.000Z'],
  ['2026-03-28', 6, 'Europe/London', '2026-03-28T06:00:00.000Z'],
  ['2026-10-25', 6, 'Europe/London', '2026-10-25T06:00:00.000Z'],
  ['2026-07-01', 6, 'Asia/Kathmandu', '2026-07-01T00:15:00.000Z'],
])('%s %i:00 in %s', (day, hour, zone, instant) =>
  expect(new Date(instantOf(day, hour, zone)).toISOString()).toBe(instant),
)

describe('of any schedule', () => {
  const seed = Number(process.env.FOYER_SEED ?? Date.now() % 1_000_000)
  console.log(`seed ${seed}`)
  const holds = <T>(what: fc.Arbitrary<T>, claim: (value: T) => void) =>
    fc.assert(fc.property(what, claim), { seed, numRuns: 300 })

  const day = fc
    .integer({ min: Date.UTC(2000, 0, 1) / 86_400_000, max: Date.UTC(2080, 0, 1) / 86_400_000 })
    .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))
  const frequency = fc.constantFrom(daily, weekly, fortnightly, monthly, quarterly, yearly)
  const schedule: fc.Arbitrary<Schedule> = fc.record({ start_date: day, frequency })
  const zone = fc.constantFrom(
    'Europe/London',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'America/Santiago',
  )

  test('the periods follow each other without a gap, and none twice', () =>
    holds(fc.tuple(schedule, fc.nat(200)), ([one, n]) => {
      const [now, next] = [dueNumber(one, n), dueNumber(one, n + 1)]
      expect(next.period_start).toBe(now.due_on)
      expect(now.period_end < now.due_on && now.period_start <= now.period_end).toBe(true)
      expect(dueNext(one, now.due_on)).toEqual(next)
    }))

  test('the first from a day on is found, whichever day that is', () =>
    holds(fc.tuple(schedule, day), ([one, from]) => {
      const { due_on } = dueFrom(one, from)
      expect(due_on >= from || due_on === one.start_date).toBe(true)
      const n = Array.from({ length: 20 }, (_, index) => index).find((index) => dueNumber(one, index).due_on >= from)
      if (n !== undefined) expect(due_on).toBe(dueNumber(one, n).due_on)
    }))

  test('stepping from each to the next for years, in any zone, misses none and moves forward', () =>
    holds(fc.tuple(schedule, zone), ([one, where]) => {
      let due = dueFrom(one, one.start_date)
      for (let n = 1; n <= 60; n++) {
        const next = dueNext(one, due.due_on)
        expect(next).toEqual(dueNumber(one, n))
        // Apia left out the 30th of December 2011: what is due on it is due on the next day.
        const isLeftOut = where === 'Pacific/Apia' && due.due_on === '2011-12-30' && next.due_on === '2011-12-31'
        const [earlier, later] = [dueInstant(due.due_on, where), dueInstant(next.due_on, where)]
        expect(isLeftOut ? later === earlier : later > earlier, `${due.due_on} ${where}`).toBe(true)
        const shown = localDay(dueInstant(next.due_on, where), where)
        expect(shown).toBe(where === 'Pacific/Apia' && next.due_on === '2011-12-30' ? '2011-12-31' : next.due_on)
        due = next
      }
    }))
})
