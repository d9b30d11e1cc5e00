// Network: an address counts as one, however it is written.
import { expect, test } from 'vitest'
import { networkOf } from '#server/access/network.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['203.0.113.9:4711', '203.0.113.9'],
  ['unknown', '0.0.0.0'],
])('%s counts as %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})
