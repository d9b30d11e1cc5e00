// Moment field: a moment as local time of a zone and back again, also around clock changes.
import { expect, test } from 'vitest'
import { localOf, momentOf } from './moment-field.tsx'

test.each([
  ['UTC', '2026-11-21T14:05', '2026-11-21T14:05:00.000Z'],
  ['America/Los_Angeles', '2026-11-21T14:05', '2026-11-21T22:05:00.000Z'],
  ['Pacific/Kiritimati', '2026-01-01T00:30', '2025-12-31T10:30:00.000Z'],
  ['Asia/Kathmandu', '2026-06-01T12:00', '2026-06-01T06:15:00.000Z'],
  // The hours before and after the clocks change.
  ['Europe/London', '2026-03-29T00:30', '2026-03-29T00:30:00.000Z'],
  ['Europe/London', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
  ['Europe/London', '2026-10-25T00:30', '2026-10-24T23:30:00.000Z'],
  ['Europe/London', '2026-10-25T02:30', '2026-10-25T02:30:00.000Z'],
])('in %s, %s is %s', (zone, local, moment) => {
  expect(momentOf(local, zone)).toBe(moment)
  expect(localOf(moment, zone)).toBe(local)
})

test('a local time that occurs twice is read as one of the two moments', () => {
  expect(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']).toContain(
    momentOf('2026-10-25T01:30', 'Europe/London'),
  )
})

test('an incomplete time is read as empty', () => {
  expect([momentOf('', 'UTC'), momentOf('2026-11-21T', 'UTC'), localOf('soon', 'UTC')]).toEqual(['', '', ''])
})

test.each([undefined, 'UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'])(
  'a year that is being typed is shown as it was given, in %s',
  (zone) => {
    for (const local of ['0002-11-21T14:05', '0020-11-21T14:05', '0202-11-21T14:05', '2026-11-21T14:05'])
      expect(localOf(momentOf(local, zone), zone)).toBe(local)
  },
)
