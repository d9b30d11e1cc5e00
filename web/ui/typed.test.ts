// Typed: what fits what is typed, and that the one that is called just so stands first.
import { expect, test } from 'vitest'
import { exactFirst, fits } from './typed.ts'

test('each word counts, in any order, without its accents', () => {
  expect(fits('Étang House', 'house etang')).toBe(true)
  expect(fits('Étang House', 'etang inn')).toBe(false)
  expect(fits('522', '114')).toBe(false)
  expect(fits('522', ' ')).toBe(true)
})

test('what is called just what is typed stands before what only holds it; the others keep their order', () => {
  const called = (name: string) => name
  expect(exactFirst(['1141', '522', '114'], ' 114 ', called)).toEqual(['114', '1141', '522'])
  expect(exactFirst(['1141', '522', '114'], '', called)).toEqual(['1141', '522', '114'])
})
