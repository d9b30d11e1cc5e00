// IP address: one address, however it is written.
import { expect, test } from 'vitest'
import { addressIn } from '#contract/ip-address.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  [' 203.0.113.9:51234 ', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['0:0:0:0:0:FFFF:cb00:7109', '203.0.113.9'],
  ['[::ffff:203.0.113.9]:443', '203.0.113.9'],
  ['2001:DB8:0::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['"[2001:db8::1]:4711"', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
  ['::', '::'],
  ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
])('%s is %s', (written, address) => {
  expect(addressIn(written)).toBe(address)
})

test.each([
  'unknown',
  '',
  '_hidden',
  '203.0.113',
  '203.0.113.256',
  '203.0.113.9:',
  '203.0.113.9:123456',
  '[203.0.113.9',
  '::g',
  '%',
  '10.0.0.0/8',
])('%s is none', (written) => {
  expect(addressIn(written)).toBeUndefined()
})
