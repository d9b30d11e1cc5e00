// Whole numbers read as the browser's own formatter writes them.
import { expect, test } from 'vitest'
import { wholeOf } from './numbers.ts'

test('thousands stand apart, as everywhere in English', () => {
  for (const value of [0, 7, 999, 1000, 12_500, 100_000, 1_234_567, -1000])
    expect(wholeOf(value)).toBe(value.toLocaleString('en-GB'))
})
