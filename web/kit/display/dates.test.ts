// Dates: a calendar date is the same in every time zone, and ages are given in their largest unit.
import { expect, test } from 'vitest'
import { ageOf, dayOf } from './dates.ts'

test('a calendar date is the same day everywhere', () => {
  const before = process.env['TZ']
  for (const zone of ['Pacific/Kiritimati', 'America/Los_Angeles', 'UTC']) {
    process.env['TZ'] = zone
    expect(dayOf('2026-11-21')).toMatch(/21/)
  }
  if (before === undefined) delete process.env['TZ']
  else process.env['TZ'] = before
})

test.each([
  ['2026-11-21T11:59:50Z', '1 minute ago'],
  ['2026-11-21T11:15:00Z', '45 minutes ago'],
  ['2026-11-20T12:00:00Z', '1 day ago'],
  ['2026-11-18T11:00:00Z', '3 days ago'],
  ['2025-11-01T00:00:00Z', '1 year ago'],
])('%s is %s', (moment, age) => expect(ageOf(moment, Date.parse('2026-11-21T12:00:00Z'))).toBe(age))
