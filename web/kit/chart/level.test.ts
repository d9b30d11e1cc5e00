// Level: the strength of an hour's colour in the week chart.
import { expect, test } from 'vitest'
import { levelOf } from './level.ts'

test('an empty cell has no colour, and the fullest cell has the strongest', () => {
  expect([0, 1, 50, 100].map((value) => levelOf(value, 100))).toEqual([0, 1, 3, 5])
  expect(levelOf(0, 0)).toBe(0)
})
