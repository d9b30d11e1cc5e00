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

test.each<[string, readonly number[], (at: number) => number, string]>([
  [
    'fewer in its first nights than ever',
    [100],
    (at) => (at < 9 ? 80 : 100),
    'the number of units went from 100 to 80 and to 100 on 10 October',
  ],
  [
    'more for some nights',
    [100],
    (at) => (at < 9 ? 100 : at < 19 ? 120 : 100),
    'the number of units went from 100 to 120 on 10 October and to 100 on 20 October',
  ],
  [
    'other ones since a day',
    [100],
    (at) => (at < 14 ? 100 : 120),
    'the number of units went from 100 to 120 on 15 October',
  ],
  ['other ones since the month began', [100], () => 120, 'the number of units went from 100 to 120'],
  ['those with which the month before ended', [80, 100], () => 100, 'the number of units is 100 all month'],
  ['other ones every week', [100], (at) => 100 + (at % 7), 'the number of units varied between 100 and 106'],
])('a month with %s says so', (_, [first = 0, then = first], units, sentence) => {
  const before = monthOf('2026-09-01', 30, () => 0).map((night, at) => ({
    ...night,
    total_units: at < 9 ? first : then,
  }))
  const now = monthOf('2026-10-01', 31, () => 0).map((night, at) => ({ ...night, total_units: units(at) }))
  const [factor] = whyChanged(now, before)?.match(/the number of units [^;.]*/) ?? []
  expect(factor).toBe(sentence)
})

test('terms that did not change in two months are not named', () => {
  const both = [monthOf('2026-10-01', 31, () => 60), monthOf('2026-09-01', 30, () => 40)] as const
  expect(whyChanged(...both)).not.toMatch(/the (rate|number|minimum|holiday)/)
})
