// Shares: current figures compared with a week ago, as text.
import { expect, test } from 'vitest'
import { fewerThanBefore, shareOf, sinceWeekAgo } from './shares.ts'

test('a comparison is put into words, unless nothing was counted before', () => {
  expect([sinceWeekAgo(12, 7), sinceWeekAgo(7, 12), sinceWeekAgo(7, 7), sinceWeekAgo(7, null)]).toEqual([
    '5 more than a week ago',
    '5 fewer than a week ago',
    'as a week ago',
    undefined,
  ])
  expect([shareOf(1, 3), shareOf(0, 0)]).toEqual([33, undefined])
  expect([fewerThanBefore(4, 10), fewerThanBefore(5, 10), fewerThanBefore(0, 9), fewerThanBefore(0, null)]).toEqual([
    true,
    false,
    false,
    false,
  ])
})
