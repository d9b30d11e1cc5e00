// Generic gateways: the names that makes give the same things, and a login URL that is never believed.
import { expect, test } from 'vitest'
import { numberAttribute } from '#server/radius-codec/packet.ts'
import { ofVendor } from '#server/radius-codec/vendor.ts'
import { wisprLimits } from '#server/gateways/wispr-radius.ts'
import { arrival } from './arrival.ts'
import { portal } from './let-in.ts'

const address =
  'http://portal.example/p?nasid=gw-1&ap_mac=02-00-00-00-00-01&client_mac=020000000002&url=http://example.com/' +
  '&login_url=https://evil.example/portal/login%3Fa=b'
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

test('chooses the path and the query, and never the host', () => {
  expect(portal.letIn({ query, address: '' }, gateway, pass)).toEqual({
    by: 'form',
    address: 'https://hotspot.hotel.example/portal/login?a=b',
    fields: { username: 'pass-1', password: 'secret', userurl: pass.back, original_url: pass.back },
  })
  expect(portal.letIn({ query: { nasid: 'x' }, address: '' }, gateway, pass)).toMatchObject({
    address: 'http://hotspot.hotel.example/login',
  })
})

test('what the login address knows the guest by goes back with them, and replaces neither name nor password', () => {
  const login_url = 'https://n1.network-auth.com/splash/login?mauth=MMabc-_%3D&username=evil'
  const opened = portal.letIn(
    { query: { ...query, login_url }, address: '' },
    { ...gateway, login_method: 'get' },
    pass,
  )
  expect(opened).toMatchObject({
    by: 'address',
    address: 'https://hotspot.hotel.example/splash/login',
    fields: { mauth: 'MMabc-_=', username: pass.username, password: pass.password },
  })
  expect(portal.letIn({ query: { ...query, login_url }, address: '' }, gateway, pass)).toMatchObject({
    address: expect.stringMatching(/\?mauth=MMabc-_%3D$/) as string,
  })
})

test('speed is WISPr’s, and no volume is sent', () => {
  const limits = { seconds: 3600, idle_seconds: null, bytes: 5e9, speed_mbps: 20 }
  expect(wisprLimits(limits)).toContainEqual(ofVendor(14_122, numberAttribute(8, 20_000_000)))
  expect(wisprLimits(limits)).toEqual(wisprLimits({ ...limits, bytes: null }))
})
