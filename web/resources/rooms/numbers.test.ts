// Room numbers: what is typed for many rooms expands to the numbers that a person would expect.
import { expect, test } from 'vitest'
import { numbersIn } from './numbers.ts'

const shown = (typed: string) => {
  const { numbers } = numbersIn(typed, 1000)
  return numbers.length > 4 ? `${numbers.length}: ${numbers[0]} ${numbers[1]} … ${numbers.at(-1)}` : numbers.join(' ')
}

test.each([
  ['204', '204'],
  ['101–140', '40: 101 102 … 140'],
  ['101-140', '40: 101 102 … 140'],
  ['101 - 103', '101 102 103'],
  ['101…103', '101 102 103'],
  ['101...103', '101 102 103'],
  ['101 to 103', '101 102 103'],
  ['A-01…A-12', '12: A-01 A-02 … A-12'],
  ['A-01-A-03', 'A-01 A-02 A-03'],
  ['A01-A03', 'A01 A02 A03'],
  ['A-8…10', 'A-8 A-9 A-10'],
  ['001–003', '001 002 003'],
  ['98-101', '98 99 100 101'],
  ['1A-3A', '1A 2A 3A'],
  ['1-101…1-103', '1-101 1-102 1-103'],
  ['A-12', 'A-12'],
  ['12-3', '12-3'],
  ['"1-20"', '1-20'],
  ['101, 102;103\n104', '101 102 103 104'],
  ['101 102 103', '101 102 103'],
  ['Garden suite', 'Garden suite'],
  ['Suite 4, Suite 5', 'Suite 4 Suite 5'],
  ['Suite 4…Suite 6', 'Suite 4 Suite 5 Suite 6'],
  ['101, 101-102, 102', '101 102'],
  ['a1, A1', 'a1'],
  [' , ', ''],
])('%s', (typed, numbers) => {
  expect(shown(typed)).toBe(numbers)
})

test('a range of too many rooms is reported and not expanded', () => {
  expect(numbersIn('1-1000', 1000).numbers).toHaveLength(1000)
  expect(numbersIn('7, 1-1000', 1000)).toEqual({ numbers: [], tooMany: '1-1000' })
  expect(numbersIn('1–999999999', 1000)).toEqual({ numbers: [], tooMany: '1–999999999' })
})
