// Money: decimals are read as they were written, and coins have the places of ISO 4217.
import { expect, test } from 'vitest'
import { decimalOf, moneyTooFine, placesOf } from './money.ts'
import { money } from './shapes.ts'

test('the places of a coin are those of ISO 4217, and not those in which a runtime shows prices', () => {
  const places = (codes: string) => codes.split(' ').map(placesOf)
  expect(places('GBP EUR HUF COP IDR LBP PKR MGA')).toEqual([2, 2, 2, 2, 2, 2, 2, 2])
  expect(places('JPY KRW CLP ISK XAF UGX')).toEqual([0, 0, 0, 0, 0, 0])
  expect(places('KWD BHD IQD TND')).toEqual([3, 3, 3, 3])
  expect(places('CLF UYW')).toEqual([4, 4])
})

test('a decimal is what was written, without superfluous zeros', () => {
  expect([1e-7, 1.23456, -0, 12.5, 9_999_999_999.99].map(decimalOf)).toEqual([
    '0.0000001',
    '1.23456',
    '0',
    '12.5',
    '9999999999.99',
  ])
  expect(['007.50', '-0.00', '-1.20', '0'].map(decimalOf)).toEqual(['7.5', '0', '-1.2', '0'])
  expect(['1,5', '1e3', '', ' 1', '.5', 'NaN', '٣'].map(decimalOf)).toEqual(Array.from({ length: 7 }, () => null))
})

test('money is a number or a text, and is read as a decimal text', () => {
  expect([12.5, '12.50', ' 12.5 ', 0, -0, '9999999999'].map((value) => money.parse(value))).toEqual([
    '12.5',
    '12.5',
    '12.5',
    '0',
    '0',
    '9999999999',
  ])
  const refused = [1e-7, 1.23456, 1e21, 1e10, -1, '-0.01', '1,5', '', null, true, 'abc']
  expect(refused.filter((value) => money.safeParse(value).success)).toEqual([])
})

test('an amount with more places than its coin is refused in words', () => {
  expect(moneyTooFine('1015.5', 'JPY')).toBe('Please enter a whole number: JPY has no decimal places')
  expect(moneyTooFine('1.234', 'GBP')).toBe('Please enter at most 2 decimal places: GBP has no smaller coin')
  expect([moneyTooFine('1.234', 'KWD'), moneyTooFine('1.2', 'HUF'), moneyTooFine('1015', 'JPY')]).toEqual([
    null,
    null,
    null,
  ])
})
