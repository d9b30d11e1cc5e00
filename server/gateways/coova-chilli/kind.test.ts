// CoovaChilli: a redirect as it was recorded, with the maker's test vectors.
import { expect, test } from 'vitest'
import { chapResponse } from '#server/gateways/chap-response.ts'
import { md5Hash } from '#server/gateways/read.ts'
import { numberAttribute } from '#server/radius-codec/packet.ts'
import { ofVendor } from '#server/radius-codec/vendor.ts'
import { accept } from './accept.ts'
import { arrival } from './arrival.ts'
import { portal } from './let-in.ts'

const address =
  'http://portal.example/p?res=notyet&uamip=10.1.0.1&uamport=3990&challenge=00112233445566778899aabbccddeeff' +
  '&called=02-00-00-00-00-01&mac=02-00-00-00-00-02&ip=10.1.0.2&nasid=gw-1&sessionid=1' +
  '&userurl=http%3a%2f%2fexample.com%2f&md=5925D21F0602E92571E224AB66EA2A00'
const query: Record<string, string> = Object.fromEntries(new URL(address).searchParams)
const gateway = {
  host: 'hotspot.hotel.example',
  secret: 's3cret',
  settings: {},
  login_method: 'post',
  portal_is_https: false,
} as const

test('names its gateway, the device and what the guest wanted', () => {
  expect(arrival({ address, query })).toMatchObject({
    nas_identifier: 'gw-1',
    gateway_mac: '02:00:00:00:00:01',
    mac_address: '02:00:00:00:00:02',
    wanted: 'http://example.com/',
    outcome: null,
  })
})

test('its redirect proves that it knows the secret', () => {
  const isGenuine = (of: string, secret: string) =>
    arrival({ address: of, query })?.isGenuine?.({ secret, settings: {} })
  expect(isGenuine(address, 's3cret')).toBe(true)
  expect(isGenuine(address, 'another')).toBe(false)
  expect(isGenuine(address.replace('gw-1', 'gw-2'), 's3cret')).toBe(false)
})

test('gets the password hashed with its challenge', () => {
  const challenge = '00112233445566778899aabbccddeeff'
  expect(md5Hash(Buffer.from(challenge, 'hex'), 's3cret').toString('hex')).toBe('143719d7c0af8cd93a47e9b366ba38dc')
  expect(chapResponse(challenge, 's3cret', 'secret')).toBe('ebdee7b793e84df921661d9fc6985380')
  const back = 'https://portal.example/p/1?online=key'
  expect(portal.letIn({ query, address: '' }, gateway, { username: 'pass-1', password: 'secret', back })).toEqual({
    by: 'address',
    address: 'http://hotspot.hotel.example:3990/logon',
    fields: { username: 'pass-1', response: 'ebdee7b793e84df921661d9fc6985380', userurl: back },
  })
})

test.each([
  ['failed', 'refused'],
  ['success', 'online'],
  ['already', 'online'],
  ['logoff', 'signed-out'],
  ['constructor', null],
])('says %s when the guest comes back: %s', (res, outcome) => {
  expect(arrival({ address, query: { ...query, res } })?.outcome).toBe(outcome)
})

test('speed and volume are ChilliSpot’s', () => {
  const said = accept({ seconds: 3600, idle_seconds: null, bytes: 5e9, speed_mbps: 20 })
  expect(said).toContainEqual(ofVendor(14_559, numberAttribute(5, 20_000)))
  expect(said).toContainEqual(ofVendor(14_559, numberAttribute(3, 705_032_704)))
  expect(said).toContainEqual(ofVendor(14_559, numberAttribute(23, 1)))
  expect(said).toContainEqual(ofVendor(14_122, numberAttribute(8, 20_000_000)))
})
