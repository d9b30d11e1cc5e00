// Match text: which entries match the typed text, and that an exact match comes first.
import { expect, test } from 'vitest'
import { exactFirst, fits } from './match-text.ts'

test('every word must match, in any order, ignoring accents', () => {
  expect(fits('Étang House', 'house etang')).toBe(true)
  expect(fits('Étang House', 'etang inn')).toBe(false)
  expect(fits('522', '114')).toBe(false)
  expect(fits('522', ' ')).toBe(true)
})

test('an exact match comes before those that only contain the text; the others keep their order', () => {
  const called = (name: string) => name
  expect(exactFirst(['1141', '522', '114'], ' 114 ', called)).toEqual(['114', '1141', '522'])
  expect(exactFirst(['1141', '522', '114'], '', called)).toEqual(['1141', '522', '114'])
})
