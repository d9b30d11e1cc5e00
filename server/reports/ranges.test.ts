// Ranges: the days that each name means, at the ends of weeks, months, quarters and years.
import { expect, test } from 'vitest'
import { daysOf } from './ranges.ts'

const cases: [Parameters<typeof daysOf>[0], today: string, first: string, last: string][] = [
  ['today', '2026-11-25', '2026-11-25', '2026-11-25'],
  ['yesterday', '2026-03-01', '2026-02-28', '2026-02-28'],
  ['yesterday', '2028-03-01', '2028-02-29', '2028-02-29'],
  ['last_7_days', '2026-01-03', '2025-12-27', '2026-01-02'],
  ['last_30_days', '2026-11-25', '2026-10-26', '2026-11-24'],
  // A Wednesday, a Monday and a Sunday.
  ['this_week', '2026-11-25', '2026-11-23', '2026-11-29'],
  ['this_week', '2026-11-23', '2026-11-23', '2026-11-29'],
  ['this_week', '2026-11-29', '2026-11-23', '2026-11-29'],
  ['last_week', '2026-11-29', '2026-11-16', '2026-11-22'],
  ['this_month', '2028-02-10', '2028-02-01', '2028-02-29'],
  ['last_month', '2026-01-31', '2025-12-01', '2025-12-31'],
  ['last_month', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['this_quarter', '2026-11-25', '2026-10-01', '2026-12-31'],
  ['this_quarter', '2026-06-30', '2026-04-01', '2026-06-30'],
  ['last_quarter', '2026-02-15', '2025-10-01', '2025-12-31'],
  ['last_quarter', '2026-04-01', '2026-01-01', '2026-03-31'],
  ['this_year', '2026-11-25', '2026-01-01', '2026-12-31'],
]

test.each(cases)('%s on %s is from %s to %s', (range, today, first, last) => {
  expect(daysOf(range, today)).toEqual({ first, last })
})
