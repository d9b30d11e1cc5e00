// Offer: the sentence below the form that says what a guest gets.
import { expect, test } from 'vitest'
import { hoursOf, sentenceOf, volumeOf, type Offer } from './offer.ts'

const day: Offer = {
  volume_gb: 5,
  speed_mbps: 20,
  max_users: 2,
  shared: false,
  session_time_hrs: 24,
  recurs: 'none',
  place: 'Harbour Hotel',
  valid_from: undefined,
  expires_at: undefined,
  withPassword: false,
}

test('the time of a voucher runs from its first use', () => {
  expect(sentenceOf(day)).toBe(
    'Each guest gets 5 GB at up to 20 Mbit/s on 2 devices at Harbour Hotel, for 24 hours from first use.',
  )
})
test('a fixed end replaces the time limit', () => {
  expect(sentenceOf({ ...day, valid_from: '1 Dec', expires_at: '5 Dec' })).toContain(
    'at Harbour Hotel from 1 Dec until 5 Dec.',
  )
})
test('a time that is renewed is said as such, also beside a fixed end', () => {
  const daily = { ...day, session_time_hrs: 2, recurs: 'daily' } as const
  expect(sentenceOf(daily)).toMatch(/5 GB a day .* at Harbour Hotel, for 2 hours a day\.$/)
  expect(sentenceOf({ ...daily, valid_from: '1 Dec' })).toContain(', for 2 hours a day, usable from 1 Dec.')
  expect(sentenceOf({ ...daily, expires_at: '5 Dec' })).toContain(', for 2 hours a day until 5 Dec.')
})
test('what one code gives to many devices is shared by them', () => {
  const event = { ...day, max_users: 50, shared: true, expires_at: '5 Dec' }
  expect(sentenceOf(event)).toBe(
    'Each code lets in 50 devices, which share 5 GB, at up to 20 Mbit/s at Harbour Hotel until 5 Dec.',
  )
  expect(sentenceOf({ ...event, volume_gb: 0 })).toContain('lets in 50 devices with unlimited data at up to 20 Mbit/s')
})
test('0 in a package number means no limit', () => {
  expect(sentenceOf({ ...day, volume_gb: 0, speed_mbps: 0, max_users: 0, session_time_hrs: 0 })).toBe(
    'Each guest gets unlimited data at full speed on any number of devices at Harbour Hotel, with no end.',
  )
})
test('numbers are given in the unit that people use', () => {
  expect([volumeOf(0.5), volumeOf(5), volumeOf(2000)]).toEqual(['500 MB', '5 GB', '2 TB'])
  expect([hoursOf(0.5), hoursOf(1), hoursOf(24), hoursOf(168)]).toEqual(['30 minutes', '1 hour', '24 hours', '7 days'])
})
