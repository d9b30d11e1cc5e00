// MikroTik: a redirect with RouterOS's escapes, and a CHAP whose result is known.
import { expect, test } from 'vitest'
import { numberAttribute, textAttribute } from '#server/radius-codec/packet.ts'
import { ofVendor } from '#server/radius-codec/vendor.ts'
import { accept } from './accept.ts'
import { arrival } from './arrival.ts'
import { bytesOf, portal } from './let-in.ts'

const address =
  'http://portal.example/p?mac=02%3A00%3A00%3A00%3A00%3A02&identity=gw-1&link-login-only=http%3A%2F%2Fhotspot.hotel.example%2Flogin' +
  '&link-orig=http%3A%2F%2Fexample.com%2F&gateway-mac=02%3A00%3A00%3A00%3A00%3A01&chap-id=%5C001' +
  '&chap-challenge=%5C371%5C012%5C100%5C177%5C003%5C200%5C055%5C141%5C042%5C301%5C010%5C140%5C233%5C066%5C270%5C017'
const query: Record<string, string> = Object.fromEntries(new URL(address).searchParams)
const gateway = {
  host: 'hotspot.hotel.example',
  secret: 's3cret',
  settings: {},
  login_method: 'post',
  portal_is_https: false,
} as const
const pass = { username: 'pass-1', password: 'secret', back: 'https://portal.example/p/1?online=key' }

test('names its gateway, the device and what the guest wanted', () => {
  expect(arrival({ address, query })).toMatchObject({
    nas_identifier: 'gw-1',
    gateway_mac: '02:00:00:00:00:01',
    mac_address: '02:00:00:00:00:02',
    wanted: 'http://example.com/',
  })
})

test('gets the password hashed with its challenge, else in plain text', () => {
  expect(bytesOf(query['chap-id'] ?? '')).toEqual(Buffer.from([1]))
  expect(portal.letIn({ query, address: '' }, gateway, pass)).toEqual({
    by: 'form',
    address: 'http://hotspot.hotel.example/login',
    fields: { username: 'pass-1', password: '1b2831182886b1c6acf301a2b55ce1c0', dst: pass.back, popup: 'false' },
  })
  const { 'chap-id': _, ...plain } = query
  expect(portal.letIn({ query: plain, address: '' }, gateway, pass).fields).toMatchObject({ password: 'secret' })
})

test('speed and volume are RouterOS’s', () => {
  const said = accept({ seconds: 3600, idle_seconds: null, bytes: 5e9, speed_mbps: 20 })
  expect(said).toContainEqual(ofVendor(14_988, textAttribute(8, '20000k/20000k')))
  expect(said).toContainEqual(ofVendor(14_988, numberAttribute(18, 1)))
})
