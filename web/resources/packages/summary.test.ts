// Package summary: the sentence that says what a package gives.
import { describe, expect, test } from 'vitest'
import { summaryOf, timeOf, volumeOf } from './summary.ts'

const nothing = {
  volume_gb: 0,
  speed_mbps: 0,
  max_users: 0,
  session_time_hrs: 0,
  idle_timeout_hrs: 0,
  recurs: 'none',
} as const

describe('what a package gives', () => {
  test('is summarised in one line', () => {
    expect(
      summaryOf({ ...nothing, volume_gb: 5, speed_mbps: 20, max_users: 3, session_time_hrs: 24, recurs: 'daily' }),
    ).toBe('5 GB a day at 20 Mbit/s on 3 devices, for 24 hours')
  })
  test('reads 0 as no limit', () => {
    expect(summaryOf(nothing)).toBe('Unlimited data at full speed on any number of devices, without a time limit')
  })
  test('says that the time renews if the data has no limit', () => {
    expect(
      summaryOf({ ...nothing, max_users: 1, session_time_hrs: 0.5, idle_timeout_hrs: 0.25, recurs: 'weekly' }),
    ).toBe('Unlimited data at full speed on 1 device, for 30 minutes a week, signed out after 15 minutes without use')
  })
  test('uses the unit that people would', () => {
    expect([volumeOf(0.5), volumeOf(5), volumeOf(1500)]).toEqual(['500 MB', '5 GB', '1.5 TB'])
    expect([timeOf(0.25), timeOf(1), timeOf(24), timeOf(168), timeOf(36)]).toEqual([
      '15 minutes',
      '1 hour',
      '24 hours',
      '7 days',
      '36 hours',
    ])
  })
})
