// openNDS: a redirect as it was recorded, and a token whose value is known.
import { expect, test } from 'vitest'
import { arrival } from './arrival.ts'
import { portal, tokenOf } from './let-in.ts'

const fas = Buffer.from(
  'hid=d9b3fcb8a1c2, clientip=192.168.77.2, clientmac=02:00:00:00:00:02, client_type=cpd_can, ' +
    'gatewayname=Lobby%20Wi-Fi%20Node%3a020000000001%20, gatewayurl=http%3a%2f%2f192.168.77.1, version=9.10.0, ' +
    'gatewayaddress=192.168.77.1:2050, gatewaymac=020000000001, originurl=http%3a%2f%2fexample.com%2f, clientif=lan, ' +
    'themespec=(null), (null)(null)(null)(null)',
).toString('base64')
const back = 'https://portal.example/p/1?online=key'

test('names its gateway, the device and what the guest wanted', () => {
  expect(arrival({ query: { fas }, address: `http://portal.example/p?fas=${encodeURIComponent(fas)}` })).toMatchObject({
    nas_identifier: 'Lobby Wi-Fi',
    gateway_mac: '02:00:00:00:00:01',
    mac_address: '02:00:00:00:00:02',
    wanted: 'http://example.com/',
  })
})

test('gets the hash of the guest’s number and the key', () => {
  expect(tokenOf('d9b3fcb8a1c2', '1234567890')).toBe('a9a80252a6398c56ea31ca7a9549f92e2c82f58dc592ad8a943da97603f22037')
  const gateway = {
    host: '192.168.77.1',
    secret: '1234567890',
    settings: {},
    login_method: 'post',
    portal_is_https: false,
  } as const
  expect(
    portal.letIn({ query: { fas }, address: '' }, gateway, { username: 'pass-1', password: 'secret', back }),
  ).toEqual({
    by: 'address',
    address: 'http://192.168.77.1:2050/opennds_auth/',
    fields: { tok: 'a9a80252a6398c56ea31ca7a9549f92e2c82f58dc592ad8a943da97603f22037', redir: back },
  })
})

test.each([
  ['192.168.77.1', 'http://192.168.77.1:2050'],
  ['status.client', 'http://status.client'],
])('at %s it signs guests in and out at %s', (host, own) => {
  expect(portal.pagesOf(host)).toEqual({ sign_in: `${own}/login`, sign_out: `${own}/opennds_deny/` })
})
