// Charts: the axis is made of round figures that reach above every bar.
import { expect, test } from 'vitest'
import { axisOf } from './axis.ts'

test.each([
  [[0], [0, 1, 2, 3, 4]],
  [[0.06], [0, 0.02, 0.04, 0.06, 0.08, 0.1]],
  [
    [3, 7, 2],
    [0, 2, 4, 6, 8],
  ],
  [[1834], [0, 500, 1000, 1500, 2000]],
])('of %j', (values, expected) => {
  const { top, ticks } = axisOf(values)
  expect(ticks).toEqual(expected)
  expect(top).toBe(expected.at(-1))
  expect(Math.max(...values)).toBeLessThanOrEqual(top)
})
