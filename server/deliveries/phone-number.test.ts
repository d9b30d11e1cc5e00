// Phone number: what people type, and the number that is dialled.
import { expect, test } from 'vitest'
import { phoneNumber } from '#server/deliveries/phone-number.ts'

test('a number is read as one of the given country, unless it has a country code', () => {
  expect(phoneNumber('07700 900123', 'GB')).toBe('+447700900123')
  expect(phoneNumber('(0151) 23456789', 'DE')).toBe('+4915123456789')
  expect(phoneNumber('+49 151 23456789', 'GB')).toBe('+4915123456789')
  expect(phoneNumber('0049 151 23456789', 'GB')).toBe('+4915123456789')
  expect(phoneNumber('347 123 4567', 'IT')).toBe('+393471234567')
})

test('what cannot be dialled gives null', () => {
  for (const typed of ['', '123', 'call me', '07700 900123 or 07700 900124', '+44', '07700 900123;ext=5;x'])
    expect(phoneNumber(typed, 'GB'), typed).toBeNull()
  expect(phoneNumber('07700 900123', null)).toBeNull()
})
