// Why changed: the sentence that explains how a month differs from the month before.
import { expect, test } from 'vitest'
import type { LedgerNight } from './lines.ts'
import { whyChanged } from './why-changed.ts'

const day_ms = 24 * 3600 * 1000
const monthOf = (first: string, days: number, occupied: (at: number) => number): LedgerNight[] =>
  Array.from({ length: days }, (_, at) => ({
    night: new Date(Date.parse(first) + at * day_ms).toISOString().slice(0, 10),
    total_units: 60,
    occupied_units: occupied(at),
    is_holiday: false,
    minimum_billable_percentage: '83',
    holiday_billable_percentage: '83',
    rate_per_unit: '4.20',
    property_id: 1,
    property_name: 'Beacon Point Hotel',
    group_id: null,
    accounting_contact_id: null,
    version: 1,
    holiday: null,
    currency: 'GBP',
    room_numbers: [],
  }))

test('a figure that is shown the same before and after is left out', () => {
  const even = monthOf('2026-09-01', 30, () => 48)
  const uneven = monthOf('2026-10-01', 31, (at) => (at === 30 ? 48 : at % 2 === 0 ? 40 : 56))
  expect(whyChanged(uneven, even)).toMatch(/units billed a night instead of 50\.0\.$/)
  expect(
    whyChanged(
      monthOf('2026-10-01', 31, () => 56),
      even,
    ),
  ).toMatch(/: 56\.0 units billed a night instead of 50\.0, 56\.0 rooms let instead of 48\.0\.$/)
})
