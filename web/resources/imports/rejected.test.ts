// Rejected: the specification's sentences for files that are not taken.
import { expect, test } from 'vitest'
import { rejectionOf } from './rejected.ts'

const file = (name: string, size = 10) => ({ name, size })

test('one spreadsheet of at most 5,120,000 bytes is taken', () => {
  expect(rejectionOf([file('guests.csv')])).toBeUndefined()
  expect(rejectionOf([file('GUESTS.XLSX', 5_120_000)])).toBeUndefined()
})
test('two files, a large one and one of another type are told apart', () => {
  expect(rejectionOf([file('a.csv'), file('b.csv')])).toBe('You can upload 1 file at a time.')
  expect(rejectionOf([file('a.csv', 5_120_001)])).toBe('File exceeds 5MB.')
  expect(rejectionOf([file('a.exe')])).toBe('Account import cancelled, please refresh and try again.')
  expect(rejectionOf([])).toBe('Account import cancelled, please refresh and try again.')
})
