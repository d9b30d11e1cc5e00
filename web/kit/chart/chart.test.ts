// Charts: the axis has round figures that reach above every bar.
import { expect, test } from 'vitest'
import { axisOf, gutterOf, labelStep } from './axis.ts'

test.each([
  [[0], [0, 1, 2, 3, 4]],
  [[0.06], [0, 0.02, 0.04, 0.06, 0.08, 0.1]],
  [
    [3, 7, 2],
    [0, 2, 4, 6, 8],
  ],
  [[1834], [0, 500, 1000, 1500, 2000]],
])('the axis of %j', (values, expected) => {
  const { top, ticks } = axisOf(values)
  expect(ticks).toEqual(expected)
  expect(top).toBe(expected.at(-1))
  expect(Math.max(...values)).toBeLessThanOrEqual(top)
})

test('negative values are below zero', () => {
  expect(axisOf([-3, 8])).toEqual({ bottom: -4, top: 8, ticks: [-4, -2, 0, 2, 4, 6, 8] })
  expect(axisOf([-12, -40])).toEqual({ bottom: -40, top: 0, ticks: [-40, -30, -20, -10, 0] })
})

test('the margin grows with the figures in it', () => {
  expect(gutterOf(['0', '5'])).toBeLessThan(gutterOf(['0', '12,500']))
  expect(gutterOf(['12,500,000'])).toBeGreaterThanOrEqual(10 * 6)
})

test.each([
  // 12 months and a wide chart: each is labelled. 24 hours on a phone: every fourth. 28 days: the same day of each week.
  { bars: 12, longest: 3, width_px: 900, step: 1 },
  { bars: 24, longest: 5, width_px: 320, step: 4 },
  { bars: 28, longest: 6, width_px: 320, step: 7 },
  { bars: 365, longest: 6, width_px: 320, step: 61 },
  { bars: 7, longest: 6, width_px: 0, step: 7 },
])('of $bars bars on $width_px px, one in $step is labelled', ({ bars, longest, width_px, step }) => {
  expect(labelStep(bars, longest, width_px)).toBe(step)
})
