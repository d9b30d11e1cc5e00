// The formula: the examples of docs/billing.md, and properties that hold for any nights.
import fs from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { placesOf } from '#contract/money.ts'
import {
  amountOf,
  amountText,
  billOf,
  daysInMonth,
  monthOf,
  negative,
  roundedTo,
  sumOf,
  type Night,
} from './formula.ts'

const page = fs.readFileSync(new URL('../../docs/billing.md', import.meta.url), 'utf8')
const cells = (row: string) =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
/** The rows of a table of the page below its heading. */
const rowsOf = (table: string) => table.trim().split('\n').slice(2).map(cells)
const tables = (text: string) => [...text.matchAll(/(?:^\|.*\n?)+/gm)].map(([table]) => rowsOf(table))

const day_ms = 24 * 3600 * 1000
function nightsFrom([from = '', to = '', units, occupied, holiday, minimum = '', onHoliday = '', rate = '']: string[]) {
  const nights: Night[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += day_ms)
    nights.push({
      night: new Date(at).toISOString().slice(0, 10),
      total_units: Number(units),
      occupied_units: Number(occupied),
      is_holiday: holiday === 'yes',
      minimum_billable_percentage: minimum,
      holiday_billable_percentage: onHoliday,
      rate_per_unit: rate,
    })
  return nights
}

const examples = page.split(/^### /m).slice(1)
test('the page has twenty examples', () => expect(examples).toHaveLength(20))
test.each(examples.map((text) => [text.slice(0, text.indexOf('\n')), text]))('%s', (_, text) => {
  const [given = [], expected = []] = tables(text)
  const months = Map.groupBy(given.flatMap(nightsFrom), ({ night }) => monthOf(night))
  const currency = expected[0]?.[1] ?? ''
  const lines = [...months].map(([month, nights]) => [
    month.slice(0, 7),
    currency,
    String(nights.reduce((sum, night) => sum + billOf(night).billable_units, 0)),
    amountOf(nights, currency),
  ])
  expect(lines.length).toBeGreaterThan(0)
  expect(lines).toEqual(expected)
})

const percentage = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => (hundredths / 100).toFixed(2))
const rate = fc.integer({ min: 0, max: 99_999_999 }).map((parts) => (parts / 10_000).toFixed(4))
const terms = fc.record({
  total_units: fc.nat(5000),
  occupied_units: fc.nat(6000),
  is_holiday: fc.boolean(),
  minimum_billable_percentage: percentage,
  holiday_billable_percentage: percentage,
  rate_per_unit: rate,
})
const currency = fc.constantFrom('GBP', 'JPY', 'KWD', 'EUR', 'BHD', 'CLP')
const month = fc.record({ year: fc.integer({ min: 1990, max: 2100 }), month: fc.integer({ min: 1, max: 12 }) })
/** Some of the nights of one month, each with terms of its own. */
const nightsOfMonth = fc.tuple(month, fc.array(terms, { minLength: 1, maxLength: 28 })).map(([at, all]) =>
  all.map((night, index): Night => ({
    ...night,
    night: `${at.year}-${String(at.month).padStart(2, '0')}-${String(index + 1).padStart(2, '0')}`,
  })),
)
const coins = (amount: string) => BigInt(amount.replace('.', ''))

describe('for any nights', () => {
  test('a night bills at most its units, at least its percentage, and all occupied ones up to its units', () =>
    fc.assert(
      fc.property(terms, (given) => {
        const { percentage: chosen, floor_units, billable_units } = billOf({ ...given, night: '2026-01-01' })
        expect(chosen).toBe(given.is_holiday ? given.holiday_billable_percentage : given.minimum_billable_percentage)
        const hundredths = BigInt(chosen.replace('.', ''))
        // The smallest whole number of units that is no less than the percentage of them.
        expect(BigInt(floor_units) * 10_000n >= BigInt(given.total_units) * hundredths).toBe(true)
        expect(BigInt(floor_units - 1) * 10_000n < BigInt(given.total_units) * hundredths).toBe(true)
        expect(billable_units).toBe(Math.min(given.total_units, Math.max(given.occupied_units, floor_units)))
      }),
    ))

  test('a line is within half a minor unit of the exact sum, whatever the order of its nights', () =>
    fc.assert(
      fc.property(nightsOfMonth, currency, (nights, of) => {
        const amount = amountOf(nights, of)
        const [{ night: first } = { night: '' }] = nights
        const sum = nights.reduce(
          (total, night) => total + BigInt(night.rate_per_unit.replace('.', '')) * BigInt(billOf(night).billable_units),
          0n,
        )
        // Both sides in ten-thousandths, times the days and the minor units of one unit.
        const scale = 10n ** BigInt(placesOf(of))
        const off = 2n * (coins(amount) * 10_000n * BigInt(daysInMonth(first)) - sum * scale)
        const half = 10_000n * BigInt(daysInMonth(first))
        expect(off <= half && off > -half).toBe(true)
        expect(amountOf(nights.toReversed(), of)).toBe(amount)
      }),
    ))

  test('an amount has the places of its currency, and a sum of amounts loses nothing', () =>
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), { maxLength: 20 }),
        currency,
        (all, of) => {
          const places = placesOf(of)
          const text = (value: bigint) => {
            const digits = (value < 0n ? -value : value).toString().padStart(places + 1, '0')
            const cut = digits.length - places
            return `${value < 0n ? '-' : ''}${digits.slice(0, cut)}${places > 0 ? '.' : ''}${digits.slice(cut)}`
          }
          expect(sumOf(all.map(text), places)).toBe(text(all.reduce((sum, value) => sum + value, 0n)))
        },
      ),
    ))
})

test('half a minor unit is rounded away from zero, for credits and charges alike', () => {
  expect([roundedTo('0.125', 2), roundedTo('-0.125', 2), roundedTo('1.5', 0)]).toEqual(['0.13', '-0.13', '2'])
  expect(negative('-0.13')).toBe('0.13')
  expect(negative('4')).toBe('-4')
})

test('a line is of one month', () => {
  const [night] = nightsFrom(['2026-01-31', '2026-01-31', '1', '1', 'no', '0', '0', '1'])
  if (!night) throw new Error('no night')
  expect(() => amountOf([night, { ...night, night: '2026-02-01' }], 'GBP')).toThrow('one month')
})

test('a rate is shown with the places of its currency, and loses none of its own', () => {
  expect([amountText('12', 'GBP'), amountText('12.5000', 'KWD'), amountText('1500.0000', 'JPY')]).toEqual([
    '12.00',
    '12.500',
    '1500',
  ])
  expect(amountText('0.1234', 'EUR')).toBe('0.1234')
})

test('a sum has the places that its amounts were rounded to, whatever their coin has by now', () => {
  expect([sumOf(['1015', '-15']), sumOf(['0.50', '1.25']), sumOf(['7', '0.125'])]).toEqual(['1000', '1.75', '7.125'])
})
