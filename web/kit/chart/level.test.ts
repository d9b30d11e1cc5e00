// Level: a week's hours are told apart by their colour.
import { expect, test } from 'vitest'
import { levelOf } from './level.ts'

test('a cell of the week has a colour only where something is, the fullest the strongest', () => {
  expect([0, 1, 50, 100].map((value) => levelOf(value, 100))).toEqual([0, 1, 3, 5])
  expect(levelOf(0, 0)).toBe(0)
})
