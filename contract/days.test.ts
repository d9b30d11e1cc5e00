// Days: months of every length, the turn of a year, 29 February, and nights across a change of the clock.
import { expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  calendarDay,
  daysIn,
  firstOfMonth,
  lastOfMonth,
  nightsBetween,
  noonOf,
  weekdayOf,
} from '#contract/days.ts'

test('a day that a month does not have becomes its last', () => {
  expect([1, 2, 13, -2, -12].map((months) => addMonths('2027-01-31', months))).toEqual([
    '2027-02-28',
    '2027-03-31',
    '2028-02-29',
    '2026-11-30',
    '2026-01-31',
  ])
})

test('months begin and end', () => {
  expect([firstOfMonth('2026-12-15', 1), firstOfMonth('2026-01-31', -1), firstOfMonth('2026-02')]).toEqual([
    '2027-01-01',
    '2025-12-01',
    '2026-02-01',
  ])
  expect([lastOfMonth('2028-02-03'), lastOfMonth('2026-11-30', 1), lastOfMonth('2100-02-01')]).toEqual([
    '2028-02-29',
    '2026-12-31',
    '2100-02-28',
  ])
})

test('a night is a night where the clock changes, too', () => {
  expect([nightsBetween('2026-03-28', '2026-03-30'), nightsBetween('2026-10-24', '2026-10-26')]).toEqual([2, 2])
  expect([nightsBetween('2026-11-28', '2026-11-28'), daysIn('2026-11-28', '2026-11-28')]).toEqual([0, 1])
  expect([addDays('2026-12-31', 1), addDays('2028-03-01', -1)]).toEqual(['2027-01-01', '2028-02-29'])
})

test('Monday is the first day of a week, and noon is on the day', () => {
  expect(['2026-11-23', '2026-11-29'].map(weekdayOf)).toEqual([0, 6])
  expect(noonOf('2026-11-28').toISOString()).toBe('2026-11-28T12:00:00.000Z')
})

test('a day that no calendar has is none', () => {
  expect([calendarDay(2026, 2, 28), calendarDay(2026, 2, 29), calendarDay(2026, 13, 1), calendarDay(98, 1, 2)]).toEqual(
    ['2026-02-28', null, null, '0098-01-02'],
  )
})
