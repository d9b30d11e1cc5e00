// Stay days: bounds are days of the calendar, also when they are reckoned from 29 February.
import { expect, test } from 'vitest'
import { stayBounds } from './stay-days.ts'

test.each([
  [false, { from: '2026-02-28', to: '2031-02-28' }],
  [true, { from: '1978-02-28', to: '2078-02-28' }],
])('on 29 February the bounds of a stay (of a lease: %s) are days of the calendar', (isLease, bounds) =>
  expect(stayBounds('2028-02-29', isLease)).toEqual(bounds),
)
