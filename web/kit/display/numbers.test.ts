// Numbers: whole numbers are formatted as by the browser's own formatter.
import { expect, test } from 'vitest'
import { counted, countedThere, dataOf, fractionOf, lengthOf, moneyOf, wholeOf } from './numbers.ts'

test('thousands are separated by commas', () => {
  for (const value of [0, 7, 999, 1000, 12_500, 100_000, 1_234_567, -1000])
    expect(wholeOf(value)).toBe(value.toLocaleString('en-GB'))
})

test('a summary of counts leaves out what is nothing', () => {
  expect([0, 1, 12_500].map((count) => counted(count, 'device'))).toEqual(['0 devices', '1 device', '12,500 devices'])
  const parts = (devices: number, entries: number) =>
    countedThere([
      [devices, 'device'],
      [entries, 'entry', 'entries'],
    ])
  expect([parts(2, 3), parts(1, 0), parts(0, 0)]).toEqual(['2 devices, 3 entries', '1 device', ''])
})

test('a fraction has no more places than are asked for', () => {
  expect([fractionOf(12_500.26), fractionOf(0.375, 2), fractionOf(9.6, 0)]).toEqual(['12,500.3', '0.38', '10'])
})

test('money keeps its decimal places, of which some coins have none and some three', () => {
  expect([0, 4.2, 12_500, 1_234_567.891, 0.5].map(moneyOf)).toEqual(['0', '4.20', '12,500', '1,234,567.891', '0.50'])
})

test('data and time are shown in the units that fit', () => {
  expect([0, 512, 1000, 1_234_567, 80_000_000, 999_960_000, 1_250_000_000, 2e12].map(dataOf)).toEqual([
    '0 B', '512 B', '1 kB', '1.2 MB', '80 MB', '1 GB', '1.3 GB', '2 TB',
  ]) // prettier-ignore
  expect([0, 25, 60, 3599, 3600, 3900, 86_400, 187_200].map(lengthOf)).toEqual([
    '0 s', '25 s', '1 min', '59 min', '1 h', '1 h 5 min', '1 d', '2 d 4 h',
  ]) // prettier-ignore
})
