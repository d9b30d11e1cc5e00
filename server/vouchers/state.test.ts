// The rules of vouchers, one by one: the reasons against a voucher, in the order in which they are given.
import { expect, test } from 'vitest'
import { keysOf } from '#contract/keys.ts'
import { reasons } from '#contract/vouchers.ts'
import { bytes_per_gb, isValid, voucherState, type Facts, type Reason } from '#server/vouchers/state.ts'

const past = '2026-11-20T12:00:00.000001Z'
const now = '2026-11-21T12:00:00Z'
const future = '2026-11-22T12:00:00+00:00'

const good: Facts = {
  now, batch_active: true, taken_back_at: null, package_active: true, valid_from: null, ends_at: null,
  clock_ends_at: null, redeemed_at: null,
  session_time_hrs: 0, seconds_used: 0, volume_gb: 0, bytes_used: 0, max_users: 0, devices: 0,
} // prettier-ignore

/** Each makes a voucher invalid on its own, and comes before those that follow it. */
const against: [Reason, Partial<Facts>][] = [
  ['batch_disabled', { batch_active: false }],
  ['taken_back', { taken_back_at: past }],
  ['package_disabled', { package_active: false }],
  ['not_yet_valid', { valid_from: future }],
  ['expired', { ends_at: past }],
  ['time_used_up', { clock_ends_at: past }],
  ['data_used_up', { volume_gb: 0.5, bytes_used: 0.5 * bytes_per_gb }],
  ['device_limit', { max_users: 2, devices: 2 }],
]

test.each(against)('%s makes a voucher invalid', (reason, facts) => {
  expect(voucherState({ ...good, ...facts })).toBe(reason)
  expect(voucherState({ ...good, redeemed_at: past, ...facts })).toBe(reason)
  expect(isValid(reason)).toBe(false)
})

test('of several reasons, the first in order is given', () => {
  for (let first = 0; first < against.length; first++) {
    const facts = Object.assign({}, good, ...against.slice(first).map(([, each]) => each)) as Facts
    expect(voucherState(facts)).toBe(against[first]?.[0])
  }
})

test.each<[string, Partial<Facts>, Reason]>([
  ['it has no limits', {}, 'valid_unused'],
  ['it is in use', { redeemed_at: past }, 'valid_active'],
  ['0 means no limit', { seconds_used: 1e9, bytes_used: 1e15, devices: 1000 }, 'valid_unused'],
  ['it began in the past and ends in the future', { valid_from: past, ends_at: future }, 'valid_unused'],
  ['it begins this moment', { valid_from: now }, 'valid_unused'],
  ['it ends this moment', { ends_at: now }, 'expired'],
  ['its clock still runs', { clock_ends_at: future, redeemed_at: past }, 'valid_active'],
  [
    'its clock still runs, whatever the total time online of its devices',
    { clock_ends_at: future, redeemed_at: past, session_time_hrs: 1, seconds_used: 9999 },
    'valid_active',
  ],
  [
    'the time online counts where no clock runs',
    { session_time_hrs: 1, seconds_used: 3600, redeemed_at: past },
    'time_used_up',
  ],
  ['one second is left', { session_time_hrs: 1, seconds_used: 3599, redeemed_at: past }, 'valid_active'],
  ['one byte is left', { volume_gb: 1, bytes_used: bytes_per_gb - 1, redeemed_at: past }, 'valid_active'],
  ['there is room for one more device', { max_users: 2, devices: 1, redeemed_at: past }, 'valid_active'],
])('%s', (_name, facts, reason) => {
  expect(voucherState({ ...good, ...facts })).toBe(reason)
})

test('every state has a message, and only the last two are valid', () => {
  const names = keysOf(reasons)
  expect(names).toEqual([...against.map(([reason]) => reason), 'valid_unused', 'valid_active'])
  expect(names.filter(isValid)).toEqual(['valid_unused', 'valid_active'])
})
