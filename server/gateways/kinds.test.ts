// Gateway kinds: what each sends when it redirects a guest to us, and what it gets back; with test vectors of the makes themselves.
import { describe, expect, test } from 'vitest'
import { chapResponse, coovaChilli } from './coova-chilli.ts'
import { generic } from './generic.ts'
import type { GatewayKind, Query } from './kind.ts'
import { arrivalIn, kindOf, kinds } from './kinds.ts'
import { bytesOf, mikroTik } from './mikrotik.ts'
import { openNds, tokenOf } from './open-nds.ts'
import { md5 } from './read.ts'

const back = 'https://portal.example/p/1?online=key'
const credential = { username: 'pass-1', password: 'secret', back }
const gateway = {
  host: 'hotspot.hotel.example',
  secret: 's3cret',
  login_method: 'post',
  portal_is_https: false,
} as const

const coova =
  'http://portal.example/p?res=notyet&uamip=10.1.0.1&uamport=3990&challenge=00112233445566778899aabbccddeeff' +
  '&called=02-00-00-00-00-01&mac=02-00-00-00-00-02&ip=10.1.0.2&nasid=gw-1&sessionid=1' +
  '&userurl=http%3a%2f%2fexample.com%2f&md=5925D21F0602E92571E224AB66EA2A00'
const fas = Buffer.from(
  'hid=d9b3fcb8a1c2, clientip=192.168.77.2, clientmac=02:00:00:00:00:02, client_type=cpd_can, ' +
    'gatewayname=Lobby%20Wi-Fi%20Node%3a020000000001%20, gatewayurl=http%3a%2f%2f192.168.77.1, version=9.10.0, ' +
    'gatewayaddress=192.168.77.1:2050, gatewaymac=020000000001, originurl=http%3a%2f%2fexample.com%2f, clientif=lan, ' +
    'themespec=(null), (null)(null)(null)(null)',
).toString('base64')
const sent = {
  [coovaChilli.gateway_type_id]: coova,
  [mikroTik.gateway_type_id]:
    'http://portal.example/p?mac=02%3A00%3A00%3A00%3A00%3A02&identity=gw-1&link-login-only=http%3A%2F%2Fhotspot.hotel.example%2Flogin' +
    '&link-orig=http%3A%2F%2Fexample.com%2F&gateway-mac=02%3A00%3A00%3A00%3A00%3A01&chap-id=%5C001' +
    '&chap-challenge=%5C371%5C012%5C100%5C177%5C003%5C200%5C055%5C141%5C042%5C301%5C010%5C140%5C233%5C066%5C270%5C017',
  [openNds.gateway_type_id]: `http://portal.example/p?fas=${encodeURIComponent(fas)}`,
  [generic.gateway_type_id]:
    'http://portal.example/p?nasid=gw-1&ap_mac=02-00-00-00-00-01&client_mac=020000000002&url=http://example.com/' +
    '&login_url=https://evil.example/portal/login%3Fa=b',
}
const queryOf = (address: string): Query => Object.fromEntries(new URL(address).searchParams)
const addressOf = ({ gateway_type_id }: GatewayKind) => sent[gateway_type_id] ?? ''

test.each(kinds)(
  'a redirect of kind $gateway_type_id names its gateway, the device and what the guest wanted',
  (kind) => {
    const address = addressOf(kind)
    const found = arrivalIn(queryOf(address), address)
    expect(found?.kind).toBe(kind)
    expect(found?.arrival).toMatchObject({
      nas_identifier: kind === openNds ? 'Lobby Wi-Fi' : 'gw-1',
      gateway_mac: '02:00:00:00:00:01',
      mac_address: '02:00:00:00:00:02',
      wanted: 'http://example.com/',
      outcome: null,
    })
  },
)

test('queries of no gateway give null, and hostile ones do no harm', () => {
  const queries: Query[] = [
    {},
    { lang: 'de' },
    { mac: 'x' },
    { fas: '%%%' },
    { fas: 'aGVsbG8' },
    { fas: 'A'.repeat(5000) },
    { fas: Buffer.from('hid=, clientmac=%').toString('base64') },
  ]
  for (const query of queries) expect(arrivalIn(query, 'http://portal.example/p')).toBeNull()
  const hostile = { nasid: 'x', url: 'javascript:alert(1)', mac: '<script>', login_url: '//evil.example' }
  expect(arrivalIn(hostile, '')?.arrival).toMatchObject({ wanted: null, mac_address: null })
})

test.each(kinds)('kind $gateway_type_id sends guests to the registered host, whatever the redirect says', (kind) => {
  const { address } = kind.handOver(
    { ...queryOf(addressOf(kind)), uamip: 'evil.example', 'link-login-only': 'http://evil.example/x' },
    gateway,
    credential,
  )
  expect(new URL(address).hostname).toBe(gateway.host)
})

test.each(kinds)('kind $gateway_type_id signs guests in and out at the registered host', (kind) => {
  for (const host of ['hotspot.hotel.example', '192.168.77.1:2050', '[fd00::1]']) {
    const { sign_in, sign_out } = kind.pagesOf(host)
    for (const address of [sign_in, ...(sign_out === null ? [] : [sign_out])])
      expect(new URL(address).hostname).toBe(new URL(`http://${host}`).hostname)
  }
})

describe('CoovaChilli', () => {
  test('its redirect proves that it knows the secret', () => {
    const isGenuine = coovaChilli.arrival(queryOf(coova), coova)?.isGenuine
    expect(isGenuine?.('s3cret')).toBe(true)
    expect(isGenuine?.('another')).toBe(false)
    const forged = coova.replace('gw-1', 'gw-2')
    expect(coovaChilli.arrival(queryOf(forged), forged)?.isGenuine?.('s3cret')).toBe(false)
  })

  test('gets the password hashed with its challenge', () => {
    const challenge = '00112233445566778899aabbccddeeff'
    expect(md5(Buffer.from(challenge, 'hex'), 's3cret').toString('hex')).toBe('143719d7c0af8cd93a47e9b366ba38dc')
    expect(chapResponse(challenge, 's3cret', 'secret')).toBe('ebdee7b793e84df921661d9fc6985380')
    expect(coovaChilli.handOver(queryOf(coova), gateway, credential)).toEqual({
      method: 'get',
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
  ])('says %s when it comes back: %s', (res, outcome) => {
    expect(coovaChilli.arrival({ ...queryOf(coova), res }, coova)?.outcome).toBe(outcome)
  })
})

describe('MikroTik', () => {
  test('gets the password hashed with its challenge, else in plain text', () => {
    const query = queryOf(addressOf(mikroTik))
    expect(bytesOf(query['chap-id'] ?? '')).toEqual(Buffer.from([1]))
    expect(mikroTik.handOver(query, gateway, credential)).toEqual({
      method: 'post',
      address: 'http://hotspot.hotel.example/login',
      fields: { username: 'pass-1', password: '1b2831182886b1c6acf301a2b55ce1c0', dst: back, popup: 'false' },
    })
    const { 'chap-id': _, ...plain } = query
    expect(mikroTik.handOver(plain, gateway, credential).fields).toMatchObject({ password: 'secret' })
  })
})

test('openNDS gets the hash of the guest’s number and the key', () => {
  expect(tokenOf('d9b3fcb8a1c2', '1234567890')).toBe('a9a80252a6398c56ea31ca7a9549f92e2c82f58dc592ad8a943da97603f22037')
  expect(openNds.handOver({ fas }, { ...gateway, host: '192.168.77.1', secret: '1234567890' }, credential)).toEqual({
    method: 'get',
    address: 'http://192.168.77.1:2050/opennds_auth/',
    fields: { tok: 'a9a80252a6398c56ea31ca7a9549f92e2c82f58dc592ad8a943da97603f22037', redir: back },
  })
})

test.each([
  ['192.168.77.1', 'http://192.168.77.1:2050'],
  ['status.client', 'http://status.client'],
])('openNDS at %s signs guests in and out at %s', (host, own) => {
  expect(openNds.pagesOf(host)).toEqual({ sign_in: `${own}/login`, sign_out: `${own}/opennds_deny/` })
})

test('a generic gateway chooses the path, and never the host', () => {
  const query = queryOf(addressOf(generic))
  expect(generic.handOver(query, gateway, credential)).toEqual({
    method: 'post',
    address: 'https://hotspot.hotel.example/portal/login',
    fields: { username: 'pass-1', password: 'secret', userurl: back, original_url: back },
  })
  expect(generic.handOver({ nasid: 'x' }, gateway, credential).address).toBe('http://hotspot.hotel.example/login')
})

test('from a portal on https nothing is sent to a gateway on http as a form, where its kind or its field allows another way', () => {
  const guest = { username: 'pass-1', password: 'once', back: 'https://guests.example/p/a' }
  const from = { ...gateway, portal_is_https: true }
  const methodOf = (
    kind: (typeof kinds)[number] | undefined,
    query: Record<string, string>,
    registered: Parameters<(typeof kinds)[number]['handOver']>[1] = gateway,
  ) => kind?.handOver(query, registered, guest).method
  const [router, generic] = [kindOf(1), kindOf(13)]
  const login = { 'link-login-only': 'http://10.0.0.1/login' }
  expect(methodOf(router, login)).toBe('post')
  expect(methodOf(router, login, from)).toBe('get')
  expect(methodOf(router, { 'link-login-only': 'https://10.0.0.1/login' }, from)).toBe('post')
  expect(methodOf(generic, {}, from)).toBe('post')
  expect(generic?.handOver({}, { ...from, login_method: 'get' }, guest)).toMatchObject({
    method: 'get',
    fields: { username: 'pass-1', password: 'once' },
  })
})
