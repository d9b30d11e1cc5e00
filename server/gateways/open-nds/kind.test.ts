// openNDS: redirects as they were recorded, tokens and ciphers whose values are known, and what the box asks for.
import { createCipheriv, createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { arrival } from './arrival.ts'
import { authmon } from './report.ts'
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

const text =
  'hid=d9b3fcb8a1c2, clientip=192.168.77.20, clientmac=02:00:00:00:00:02, client_type=cpd_can, cpi_query=none, ' +
  'gatewayname=gw%2d1%20Node%3a020000000001%20, gatewayurl=http%3a%2f%2fstatus.client, version=10.3.1, ' +
  'gatewayaddress=192.168.77.1:2050, gatewaymac=02:00:00:00:00:01, authdir=opennds_auth, originurl=http%3a%2f%2fexample.com, ' +
  'clientif=br-lan, themespec=, '
const iv = '0123456789abcdef'
/** As the box encrypts: the key is its text, cut or filled up to 32 bytes; Base64 twice. */
function encrypted(key: string) {
  const whole = Buffer.concat([Buffer.from(key), Buffer.alloc(32)]).subarray(0, 32)
  const cipher = createCipheriv('aes-256-cbc', whole, iv)
  const bytes = Buffer.concat([cipher.update(text), cipher.final()])
  return Buffer.from(bytes.toString('base64')).toString('base64')
}

test.each([
  [
    '1234567890abcdef'.repeat(4),
    'b1VOMHduZTVrRWpWV05VVnpjc00vc0Mwb2RoMnp0',
    '9065560c675311e3dc2b8aed2167d0895808223d2d04f07047032e16652e2aa5',
  ],
  [
    '1234567890',
    'SjhUbHhUY3YvazU4OGNIMGlkVGZRK1FiaFIrWisx',
    'eac88f952ea9637c3ace5e070f597c3e2d0b4606d204590381bc73be40d07623',
  ],
])('what is encrypted with the key %s is read with it, and with no other', (secret, begins, hash) => {
  const encoded = encrypted(secret)
  expect([encoded.length, encoded.slice(0, 40)]).toEqual([656, begins])
  expect(createHash('sha256').update(encoded).digest('hex')).toBe(hash)
  const query = { fas: encoded, iv }
  const came = arrival({ query, address: '' })
  expect(came?.mac_address).toBeNull()
  expect(came?.opened?.({ secret, settings: {} })).toMatchObject({
    nas_identifier: 'gw-1',
    gateway_mac: '02:00:00:00:00:01',
    mac_address: '02:00:00:00:00:02',
    wanted: 'http://example.com',
  })
  for (const other of ['', 'another', `${secret.slice(0, 9)}x`])
    expect(came?.opened?.({ secret: other, settings: {} }) ?? null).toBeNull()
  const registered = { host: '192.168.77.1', secret, login_method: 'post', portal_is_https: true } as const
  const pass = { username: 'pass-1', password: 'secret', back }
  const token = createHash('sha256').update(`d9b3fcb8a1c2${secret}`).digest('hex')
  expect(portal.letIn({ query, address: '' }, { ...registered, settings: { level: '2' } }, pass)).toMatchObject({
    by: 'address',
    address: 'http://192.168.77.1:2050/opennds_auth/',
    fields: { tok: token },
  })
  expect(portal.letIn({ query, address: '' }, { ...registered, settings: { level: '3' } }, pass)).toEqual({
    by: 'fetch',
    fields: {
      token,
      guest: 'd9b3fcb8a1c2',
      asks_as: 'c222bc829a13e2b36733d2fd7fd8f4ed79b9a41d7cd0cb418c50d12c235ee436',
      lasts_max_s: '900',
    },
  })
})

test('what is too long, no text or cut is nobody’s', () => {
  const encoded = encrypted('1234567890')
  for (const query of [
    { fas: encoded.slice(0, 100), iv },
    { fas: encoded, iv: 'short' },
    { fas: '%%%', iv },
    { fas: 'A'.repeat(5000), iv },
    { fas: encoded, iv: '' },
  ])
    expect(arrival({ query, address: '' })?.opened?.({ secret: '1234567890', settings: {} }) ?? null).toBeNull()
})

const gatewayhash = 'c222bc829a13e2b36733d2fd7fd8f4ed79b9a41d7cd0cb418c50d12c235ee436'
const token = 'a9a80252a6398c56ea31ca7a9549f92e2c82f58dc592ad8a943da97603f22037'
const payload = (said: string) => Buffer.from(said).toString('base64')
const poll = (auth_get: string, said: string) => authmon.read({ auth_get, gatewayhash, payload: payload(said) })?.polled

test('what the box asks and reports is read, with plus signs as they arrive in an address', () => {
  expect(poll('clear', '')).toEqual({ says: 'started' })
  expect(poll('view', 'none')).toEqual({ says: 'asks' })
  expect(poll('view', `* ${token} ${token}`)).toEqual({ says: 'took', tokens: [token, token] })
  expect(poll('custom', 'anything')).toEqual({ says: 'nothing' })
  const report =
    'method="downquota_deauth", clientmac="02:00:00:00:00:02", timestamp=1, bytes_incoming=5000000, bytes_outgoing=1000, ' +
    'session_start=1, session_end=2, token=abc>>, custom="x"'
  const ended = {
    says: 'ended',
    guest: createHash('sha256').update('abc>>').digest('hex'),
    bytes_down: 5_000_000,
    bytes_up: 1000,
    cause: 'Data-Used-Up',
  }
  expect(poll('deauthed', report)).toEqual(ended)
  const decoded = new URLSearchParams(`auth_get=deauthed&gatewayhash=${gatewayhash}&payload=${payload(report)}`)
  expect(authmon.read(Object.fromEntries(decoded))?.polled).toEqual(ended)
  for (const sent of [{}, { auth_get: 'view' }, { auth_get: 'view', gatewayhash: "' or 1=1" }])
    expect(authmon.read(sent)).toBeNull()
})

test('what the box is answered is nothing that a shell does more with, whatever is in it', () => {
  const guest = { token, seconds: 3601.5, bytes: 5e9, speed_mbps: 20 }
  expect(authmon.answerTo({ says: 'asks' }, [guest])).toBe(`* ${token}%2061%2020000%2020000%204882812%204882812%20`)
  expect(authmon.answerTo({ says: 'asks' }, [])).toBe('*')
  const odd = [Number.NaN, Infinity, -1, 0.1, 1e21]
  for (const value of odd) {
    const answer = authmon.answerTo({ says: 'asks' }, [{ token, seconds: value, bytes: value, speed_mbps: value }])
    expect(answer).toMatch(/^\* [0-9a-f]{64}(%20\d{1,15}){5}%20$/)
  }
  const many = authmon.answerTo(
    { says: 'asks' },
    Array.from({ length: 9 }, () => ({ ...guest })),
  )
  expect([many.split(' ').length, many.length < 1024]).toEqual([5, true])
  for (const hostile of ['$(reboot)', `${token.slice(1)};`, '`id`', token.toUpperCase(), `${token}\n`, ''])
    expect(() => authmon.answerTo({ says: 'asks' }, [{ ...guest, token: hostile }])).toThrow('is a hash')
})
