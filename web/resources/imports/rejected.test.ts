// Rejected: the specification's messages for files that are rejected before the check.
import { expect, test } from 'vitest'
import { accountImport, deviceImport } from './kind.ts'
import { rejectionOf } from './rejected.ts'

const of = (files: { name: string; size: number }[], { words } = accountImport) => rejectionOf(files, words.cancelled)
const file = (name: string, size = 10) => ({ name, size })

test('one spreadsheet of at most 5,120,000 bytes is accepted', () => {
  expect(of([file('guests.csv')])).toBeUndefined()
  expect(of([file('GUESTS.XLSX', 5_120_000)])).toBeUndefined()
})
test('several files, a large one and one of another type are rejected with different messages', () => {
  expect(of([file('a.csv'), file('b.csv')])).toBe('You can upload 1 file at a time.')
  expect(of([file('a.csv', 5_120_001)])).toBe('File exceeds 5MB.')
  expect(of([file('a.exe')])).toBe('Account import cancelled, please refresh and try again.')
  expect(of([])).toBe('Account import cancelled, please refresh and try again.')
  expect(of([file('a.exe')], deviceImport)).toBe('Device import cancelled, please refresh and try again.')
})
