// Dates: a calendar date is the same in every time zone, and ages are given in their largest unit.
import { expect, test } from 'vitest'
import { ageOf, dayOf, daysBefore, recentTimeOf, shortDayOf } from './dates.ts'

test('a calendar date is the same day everywhere', () => {
  const before = process.env['TZ']
  for (const zone of ['Pacific/Kiritimati', 'America/Los_Angeles', 'UTC']) {
    process.env['TZ'] = zone
    expect([dayOf('2026-11-21'), shortDayOf('2026-11-21')]).toEqual([
      expect.stringMatching(/21/),
      expect.stringMatching(/21/),
    ])
  }
  if (before === undefined) delete process.env['TZ']
  else process.env['TZ'] = before
})

test.each([
  ['2026-11-21T11:59:50Z', '1 minute ago'],
  ['2026-11-21T11:15:00Z', '45 minutes ago'],
  ['2025-11-01T00:00:00Z', '1 year ago'],
])('%s is %s', (moment, age) => expect(ageOf(moment, Date.parse('2026-11-21T12:00:00Z'))).toBe(age))

test('what was on the day before is called yesterday, by the reader’s calendar and not by hours', () => {
  const noon = new Date(2026, 10, 21, 12)
  const midnight = new Date(2026, 10, 21, 0, 30)
  const at = (date: number, hour: number, minute = 0) => new Date(2026, 10, date, hour, minute).toISOString()
  const ages = [at(20, 11), at(18, 11)].map((moment) => ageOf(moment, noon.getTime()))
  expect(ages).toEqual(['yesterday', '3 days ago'])
  expect(ageOf(at(19, 23), midnight.getTime())).toBe('2 days ago')
  expect(ageOf(at(20, 23, 30), midnight.getTime())).toBe('1 hour ago')
  const clock = (moment: string) =>
    new Date(moment).toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' })
  expect(recentTimeOf(at(21, 9, 5), noon)).toBe(clock(at(21, 9, 5)))
  expect(recentTimeOf(at(20, 23, 30), midnight)).toBe(`yesterday, ${clock(at(20, 23, 30))}`)
  expect(recentTimeOf(at(19, 23), midnight)).toMatch(/19/)
})

test('the hour after the midnight that follows a change of the clock, yesterday is the day that was shorter', () => {
  const before = process.env['TZ']
  process.env['TZ'] = 'Europe/Berlin'
  try {
    const now = new Date(2026, 2, 30, 0, 30)
    expect([new Date(2026, 2, 29, 12), new Date(2026, 2, 28, 12)].map((moment) => daysBefore(moment, now))).toEqual([
      1, 2,
    ])
  } finally {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  }
})
